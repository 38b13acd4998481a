package policy

// Decide makes every decision from one Inputs value, with the reason for each and what would change the precision.
func Decide(in Inputs) Plan { return Plan{} }
