// Package sensors reads what a machine says of its temperatures, power, batteries, memory, graphics cards and neural
// processors. A Poller makes one Sample a round; each source is read in a goroutine of its own, so that one that hangs or
// fails turns stale while the others go on. Nothing here decides anything.
package sensors
