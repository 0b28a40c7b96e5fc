//go:build !release

package handover

import (
	"bytes"
	"compress/gzip"
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

	"spar"
	"spar/configs/files"
)

// Ready returns an error that says what to do if Module cannot work here.
func Ready() error {
	_, err := goCommand()
	return err
}

// goCommand returns the path of the installed Go.
func goCommand() (string, error) {
	compiler, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("%w: found no Go to compile it: install Go from https://go.dev, or use a release archive of Spar",
			ErrModule)
	}
	return compiler, nil
}

// Module compiles the module from the sources in this program with the installed Go. It keeps the module in the user's
// cache, under a hash of the sources, so that this takes time only once.
func Module(ctx context.Context) (*Built, error) {
	compiler, err := goCommand()
	if err != nil {
		return nil, err
	}
	m, err := kept(ctx, compiler)
	if err != nil {
		return nil, errors.Join(ctx.Err(), fmt.Errorf("%w: %w", ErrModule, err))
	}
	return m, nil
}

// kept returns the module in the user's cache, which it compiles first if the cache lacks it.
func kept(ctx context.Context, compiler string) (*Built, error) {
	folder, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.Version())
	err = fs.WalkDir(spar.Source, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := spar.Source.ReadFile(path)
		fmt.Fprintln(hash, path, len(text))
		hash.Write(text) // a hash never fails
		return err
	})
	if err != nil {
		return nil, err
	}
	name := filepath.Join(folder, "spar", "page", fmt.Sprintf("%x", hash.Sum(nil)[:12]))
	wasm, err1 := os.ReadFile(name + ".wasm.gz")
	loader, err2 := os.ReadFile(name + ".js")
	if err1 == nil && err2 == nil {
		return &Built{wasm, string(loader)}, nil
	}
	m, err := build(ctx, compiler)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	return m, errors.Join(files.WriteBytes(name+".wasm.gz", m.Wasm), files.WriteBytes(name+".js", []byte(m.Loader)))
}

// build compiles command page with the go command, in a folder of its own: no workspace, module or setting of another
// folder takes part.
func build(ctx context.Context, compiler string) (*Built, error) {
	scratch, err := os.MkdirTemp("", "spar-page-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	if err := os.CopyFS(scratch, spar.Source); err != nil {
		return nil, err
	}
	run := func(args ...string) ([]byte, error) {
		c := exec.CommandContext(ctx, compiler, args...)
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
