package handover

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"spar/configs/files"
	"spar/configs/strict"
)

// ErrModule is the error if the program does not contain the module and cannot build it here.
var ErrModule = strict.Mistake("cannot build the engine of the page")

// Built is the compiled module of a page.
type Built struct {
	Wasm   []byte // WebAssembly, compressed by gzip
	Loader string // script of the Go installation that starts the module
}

// Module returns the module that release builds contain. In a checkout it builds the module with the installed Go,
// and keeps it in the user's cache under a hash of the source, so that this takes time only once.
func Module(ctx context.Context) (*Built, error) {
	if m, err := embedded(); m != nil || err != nil {
		return m, err
	}
	root, err := checkout()
	if err != nil {
		return nil, err
	}
	compiler, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("%w: there is no Go here: install it from https://go.dev, or use a release archive of Spar",
			ErrModule)
	}
	hash, err := sourceHash(root)
	if err != nil {
		return nil, err
	}
	folder, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModule, err)
	}
	kept := filepath.Join(folder, "spar", "page", hash)
	wasm, err1 := os.ReadFile(kept + ".wasm.gz")
	loader, err2 := os.ReadFile(kept + ".js")
	if err1 == nil && err2 == nil {
		return &Built{wasm, string(loader)}, nil
	}
	m, err := Build(ctx, compiler, root)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModule, err)
	}
	return m, errors.Join(files.WriteBytes(kept+".wasm.gz", m.Wasm), files.WriteBytes(kept+".js", []byte(m.Loader)))
}

// Build compiles command page of a checkout with the go command.
func Build(ctx context.Context, compiler, root string) (*Built, error) {
	scratch, err := os.MkdirTemp("", "spar-page-")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModule, err)
	}
	defer os.RemoveAll(scratch)
	c := exec.CommandContext(ctx, compiler, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o",
		filepath.Join(scratch, "page.wasm"), "./cmd/page")
	c.Dir, c.Env = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		said := strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", "; ")
		return nil, errors.Join(ctx.Err(), fmt.Errorf("%w: go build: %w: %s", ErrModule, err, said))
	}
	wasm, err := os.ReadFile(filepath.Join(scratch, "page.wasm"))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModule, err)
	}
	packed, err := pack(wasm)
	if err != nil {
		return nil, err
	}
	where := exec.CommandContext(ctx, compiler, "env", "GOROOT")
	where.Dir = root
	at, err := where.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: go env: %w", ErrModule, err)
	}
	for _, folder := range []string{"lib", "misc"} {
		loader, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(at)), folder, "wasm", "wasm_exec.js"))
		if err == nil {
			return &Built{packed, string(loader)}, nil
		}
	}
	return nil, fmt.Errorf("%w: the Go installation lacks wasm_exec.js", ErrModule)
}

// checkout finds the source of this program: above the working directory, or above the program's file.
func checkout() (string, error) {
	var from []string
	if here, err := os.Getwd(); err == nil {
		from = append(from, here)
	}
	if own, err := os.Executable(); err == nil {
		from = append(from, filepath.Dir(own))
	}
	for _, folder := range from {
		for ; ; folder = filepath.Dir(folder) {
			text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
			if err == nil && bytes.HasPrefix(text, []byte("module spar\n")) {
				return folder, nil
			}
			if folder == filepath.Dir(folder) {
				break
			}
		}
	}
	return "", fmt.Errorf("%w: run this in a checkout of Spar's source, or use a release archive of Spar", ErrModule)
}

// sourceHash hashes the sources of the module and the Go version.
func sourceHash(root string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version())
	add := func(path string) error {
		text, err := os.ReadFile(path)
		fmt.Fprintln(h, filepath.Base(path), len(text))
		h.Write(text) // a hash never fails
		return err
	}
	err := errors.Join(add(filepath.Join(root, "go.mod")), add(filepath.Join(root, "go.sum")))
	for _, folder := range []string{"agents", "cmd/page", "configs", "engines", "ratings", "reports"} {
		err = errors.Join(err, filepath.WalkDir(filepath.Join(root, folder),
			func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
					return err
				}
				return add(path)
			}))
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrModule, err)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:12]), nil
}
