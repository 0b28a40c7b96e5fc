// Package fuzzlimit gives the fuzz targets of all parsers the same limits; only tests use it. An input that takes
// more time or memory than the limit counts as a failure, as a panic does, and the fuzzer keeps it.
package fuzzlimit

import (
	"fmt"
	"os"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"time"
)

// Limits for one input.
const (
	Seconds = 5       // wall time in seconds
	Bytes   = 1 << 30 // memory of objects on the heap, in bytes
)

const every = 50 * time.Millisecond

// Watch returns a function to call at the start of each input; that function returns one to call at the end. An
// input that exceeds a limit ends the process.
func Watch(f *testing.F) (begin func() (end func())) {
	return watch(f.Cleanup, func(why string) {
		fmt.Fprintln(os.Stderr, "panic:", why) // a panic elsewhere than in the target is one, too
		os.Exit(2)
	})
}

func watch(cleanup func(func()), fail func(why string)) (begin func() (end func())) {
	var since atomic.Int64 // when the input began; 0 = there is none
	ended := make(chan struct{})
	cleanup(func() { close(ended) })
	go func() {
		heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			at := since.Load()
			if at == 0 {
				continue
			}
			if took := time.Since(time.Unix(0, at)); took > Seconds*time.Second {
				fail(fmt.Sprintf("an input takes more than %d s", Seconds))
			}
			if metrics.Read(heap); heap[0].Value.Uint64() > Bytes {
				fail(fmt.Sprintf("an input takes more than %d bytes of memory", Bytes))
			}
		}
	}()
	end := func() { since.Store(0) }
	return func() func() {
		since.Store(time.Now().UnixNano())
		return end
	}
}
