//go:build !js

package configs

import (
	"embed"
	"io/fs"
)

//go:embed games agents tournaments tunings sweeps suites strongest.yaml *.schema.json
var held embed.FS

// shipped holds all files that Spar ships.
var shipped fs.FS = held
