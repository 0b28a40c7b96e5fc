//go:build unix

package ugi

import (
	"context"
	"os"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// What the test binary can be besides itself.
const (
	guardWord = "guard"
	ownerEnv  = "SPAR_TEST_OWNER"
)

// guarded is a context under which the test binary is the guardian of engines.
func guarded() context.Context {
	return WithHost(context.Background(), Host{Guardian: []string{os.Args[0], guardWord}})
}

// shellWord makes the test binary a shell, which is no guardian.
const shellWord = "shell"

// TestMain lets the test binary be a guardian or the owner of an engine.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == guardWord:
		os.Exit(Guard(os.Args[2:]))
	case len(os.Args) > 1 && os.Args[1] == shellWord:
		_ = syscall.Exec("/bin/sh", append([]string{"sh", "-c"}, os.Args[2:]...), os.Environ())
	case os.Getenv(ownerEnv) != "":
		own()
	default:
		goleak.VerifyTestMain(m)
	}
}
