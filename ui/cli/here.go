package cli

import (
	"context"

	"headroom/policy/workload/modelfile"
	"headroom/ui/frame"
)

// placed is an offer and the file or folder that it lies in.
type placed struct {
	frame.Offer
	path string
}

// offersHere are the models that programs, and the folders given, keep on this machine, in their own formats. unread counts
// files that cannot be sized: caches hold much that is no language model.
func offersHere(ctx context.Context, folders ...string) (offers []placed, unread int) {
	for _, found := range modelfile.Here(ctx, folders...) {
		if ctx.Err() != nil {
			break
		}
		file, err := found.Open()
		if err != nil {
			unread++
			continue
		}
		o := fileOffer(file)
		o.From = found.From
		offers = append(offers, placed{o, found.Path})
	}
	return offers, unread
}
