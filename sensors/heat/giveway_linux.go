package heat

import "syscall"

// niceness is low enough for a window to stay smooth; an idle processor is used in full all the same.
const niceness = 10

// giveWay lowers the priority of the calling thread, where the system lets it.
func giveWay() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), niceness) }
