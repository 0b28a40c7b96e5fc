//go:build !release

package handover

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"spar/configs/files"
	"spar/configs/plain"
)

// list names the files that the engine of a page is compiled from and their hashes, as they were when this program was
// built: lines of SHA-256 and path. TestSourceOfTheModule keeps it current.
//
//go:embed sources.txt
var list string

// Ready returns an error that says what to do if Module cannot work here.
func Ready() error {
	_, err := exec.LookPath("go")
	if err == nil {
		_, err = os.Stat(filepath.Join(folder(), "go.mod"))
	}
	if err != nil {
		return fmt.Errorf("%w: it needs Go and the source folder in which this program was built (without -trimpath); "+
			"build Spar in a clone, or use a release archive", ErrModule)
	}
	return nil
}

// folder returns the folder of sources that this program was built in, which the compiler wrote down; with -trimpath it
// names no folder.
func folder() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

// Module compiles the module with the installed Go from the sources that this program was built from, and from no
// others. It keeps the module in the user's cache, under a hash of the sources, so that this takes time only once.
func Module(ctx context.Context) (*Built, error) {
	if err := Ready(); err != nil {
		return nil, err
	}
	m, err := kept(ctx, folder())
	if err != nil {
		return nil, errors.Join(ctx.Err(), fmt.Errorf("%w: %w", ErrModule, err))
	}
	return m, nil
}

// kept returns the module in the user's cache, which it compiles first if the cache lacks it.
func kept(ctx context.Context, root string) (*Built, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256([]byte(runtime.Version() + "\n" + list))
	name := filepath.Join(cache, "spar", "page", fmt.Sprintf("%x", hash[:12]))
	wasm, err1 := os.ReadFile(name + ".wasm.gz")
	loader, err2 := os.ReadFile(name + ".js")
	if err1 == nil && err2 == nil {
		return &Built{wasm, string(loader)}, nil
	}
	m, err := build(ctx, root)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	return m, errors.Join(files.WriteBytes(name+".wasm.gz", m.Wasm), files.WriteBytes(name+".js", []byte(m.Loader)))
}

// copySources copies the listed files of a folder to another one. A file with another hash is an error.
func copySources(root, to string) error {
	for line := range strings.Lines(list) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if plain.Hash(text) != want {
			return fmt.Errorf("%s has changed since this program was built: build spar again",
				filepath.Join(root, name))
		}
		at := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// build compiles command page with the go command from a copy of the listed files: no other file, workspace, module or
// setting takes part.
func build(ctx context.Context, root string) (*Built, error) {
	scratch, err := os.MkdirTemp("", "spar-page-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	if err := copySources(root, scratch); err != nil {
		return nil, err
	}
	run := func(args ...string) ([]byte, error) {
		c := exec.CommandContext(ctx, "go", args...)
		var said strings.Builder
		c.Dir, c.Stderr = scratch, &said
		c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-mod=readonly")
		out, err := c.Output()
		if err != nil {
			err = fmt.Errorf("go %s: %w: %s", args[0], err, strings.ReplaceAll(strings.TrimSpace(said.String()), "\n", "; "))
		}
		return out, err
	}
	file := filepath.Join(scratch, "page.wasm")
	_, err = run("build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", file, "./cmd/page")
	if err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(wasm); err != nil {
		return nil, err
	}
	at, err := run("env", "GOROOT")
	if err := errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	for _, folder := range []string{"lib", "misc"} {
		loader, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(at)), folder, "wasm", "wasm_exec.js"))
		if err == nil {
			return &Built{packed.Bytes(), string(loader)}, nil
		}
	}
	return nil, errors.New("the Go installation lacks wasm_exec.js")
}
