//go:build release

package handover

import (
	"context"
	"embed"
	"fmt"
)

// module is the WebAssembly module that the release script built before it built this program.
//
//go:embed module
var module embed.FS

// Ready returns nil: the program contains the module.
func Ready() error { return nil }

// Module returns the module in this program.
func Module(context.Context) (*Built, error) {
	wasm, err := module.ReadFile("module/page.wasm.gz")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModule, err)
	}
	loader, err := module.ReadFile("module/wasm_exec.js")
	return &Built{wasm, string(loader)}, err
}
