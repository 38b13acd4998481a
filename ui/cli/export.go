package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/cobra"

	"headroom/ui/frame"
)

func newExportCommand() *cobra.Command {
	var c choices
	listen, remote := "127.0.0.1:9464", false
	interval := time.Second
	cmd := &cobra.Command{
		Use: "export", Short: "Serve what this machine can run as OpenMetrics, until stopped", Args: noArgs,
		Long: "Serve the sensors and decisions at /metrics for Prometheus and what reads its format. Nothing can be changed through\n" +
			"it, and it is reached from this machine only, unless --allow-remote is given.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := reachable(listen, remote); err != nil {
				return err
			}
			set, err := c.settings(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			from, err := c.source(interval)
			if err != nil {
				return err
			}
			defer from.Close()
			listener, err := net.Listen("tcp", listen)
			if err != nil {
				return fmt.Errorf("export: %w; choose another address with --listen", err)
			}
			complain(cmd.ErrOrStderr(), fmt.Sprintf("serving http://%s/metrics; stop with Ctrl-C", listener.Addr()))
			var now atomic.Pointer[frame.Frame]
			ctx, cancel := context.WithCancelCause(cmd.Context())
			defer cancel(nil)
			done := serve(ctx, listener, metricsHandler(&now, remote), cancel)
			err = watch(ctx, from, set, func(f frame.Frame) error {
				now.Store(&f)
				return nil
			})
			cancel(nil)
			<-done
			return err
		},
	}
	c.add(cmd)
	c.addScenario(cmd)
	addInterval(cmd, &interval)
	addText(cmd, &listen, "listen", "ADDRESS", "the address and port to serve at (default 127.0.0.1:9464)")
	cmd.Flags().BoolVar(&remote, "allow-remote", false, "serve to other machines too, to whoever can reach the address")
	return cmd
}

// reachable refuses an address that other machines can reach, unless that is asked for.
func reachable(address string, remote bool) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return badUsage("--listen: %w; write it like 127.0.0.1:9464", err)
	}
	if !remote && !isLoopback(host) {
		return badUsage("--listen: %q can be reached from other machines; add --allow-remote if that is meant", address)
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// The bounds of the server: it answers small requests of a few readers.
const (
	requestTime   = 10 * time.Second
	maxHeader     = 8 << 10
	maxScrapes    = 4
	shutdownAfter = 2 * time.Second
)

// serve answers on the listener until ctx ends; a failure ends it with its cause. done is closed when all is over.
func serve(ctx context.Context, l net.Listener, h http.Handler, fail context.CancelCauseFunc) (done <-chan struct{}) {
	s := &http.Server{
		Handler: h, ReadTimeout: requestTime, WriteTimeout: requestTime, IdleTimeout: time.Minute, MaxHeaderBytes: maxHeader,
	}
	over := make(chan struct{})
	go func() {
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			fail(fmt.Errorf("export: %w", err))
		}
	}()
	go func() {
		defer close(over)
		<-ctx.Done()
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownAfter)
		defer cancel()
		if s.Shutdown(stop) != nil {
			s.Close()
		}
	}()
	return over
}

// frontPage is what a person reads who opens the address without a path.
const frontPage = "Headroom: what this machine can run right now, for Prometheus and what reads its format.\nThe metrics are at /metrics.\n"

// metricsHandler serves the last Frame at /metrics, read-only, and at / where that is.
func metricsHandler(now *atomic.Pointer[frame.Frame], remote bool) http.Handler {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(frameCollector{now})
	metrics := promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		EnableOpenMetrics: true, MaxRequestsInFlight: maxScrapes, Timeout: requestTime,
	})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if now.Load() == nil {
			http.Error(w, "nothing has been sampled yet", http.StatusServiceUnavailable)
			return
		}
		metrics.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, frontPage) // who asked may be gone
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !remote && !isLoopback(hostname(r.Host)) {
			// A page in a browser could have its own name point here.
			http.Error(w, "asked for under another machine's name", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}
