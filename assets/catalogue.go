package assets

import _ "embed"

// Catalogue is the list of open models that comes with Headroom: architecture figures as their makers publish them, the
// published count of weights, and the source of both. policy/workload/modelfile reads it, and files of the same form.
//
//go:embed catalogue.json
var Catalogue []byte
