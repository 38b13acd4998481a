// Package child runs a program in a child process that cannot harm its caller: its output is bounded, it is ended with
// its whole process group when its context is, it ends when its parent does, and whatever becomes of it is one error in
// plain words.
package child
