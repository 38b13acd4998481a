// Package budget turns a Sample and the user's settings into the policy's inputs. It is pure: the same Sample and
// settings give the same Result, bit for bit.
package budget
