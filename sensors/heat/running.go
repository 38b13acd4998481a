package heat

// Running is a load that was started, in this process or in a child.
type Running struct {
	status chan Status
	stop   func()
	done   chan struct{}
	err    error
}

func newRunning(stop func()) *Running {
	return &Running{status: make(chan Status, 1), stop: stop, done: make(chan struct{})}
}

// Status gives one Status after another, the newest where the reader is slow, and is closed after the last one, whose Phase
// is not Heating. A load never waits for its reader.
func (r *Running) Status() <-chan Status { return r.status }

// Stop ends the load and waits until it has ended.
func (r *Running) Stop() {
	r.stop()
	<-r.done
}

// Err says why the load was refused or failed, once Status is closed; nil where it ended as loads do.
func (r *Running) Err() error {
	<-r.done
	return r.err
}

// put replaces a Status that nobody took yet. One goroutine puts.
func (r *Running) put(s Status) {
	select {
	case <-r.status:
	default:
	}
	r.status <- s
}

func (r *Running) end(err error) {
	r.err = err
	close(r.status)
	close(r.done)
}
