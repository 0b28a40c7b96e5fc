//go:build !js

package configs

import "embed"

//go:embed games large agents tournaments tunings sweeps suites *.schema.json
var shipped embed.FS
