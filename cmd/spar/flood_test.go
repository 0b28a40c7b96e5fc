//go:build unix

package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"spar/configs/must"
)

// floodFor is how long a process is flooded, and mostFlood how much its memory may grow by then, in kB.
const (
	floodFor  = 5 * time.Second
	mostFlood = 64 << 10
)

// Whoever floods a coordinator or a worker makes it hold 64 MB at most: a server that never ends its banner, or workers
// that send as fast as they can whatever they may say.
func TestMemoryUnderFloods(t *testing.T) {
	if !*every {
		t.Skip("for .ci/faults: it takes the machine for itself")
	}
	t.Setenv("GOGC", "10") // so that memory is what is held, not what waits for the collector
	banner := func(t *testing.T) string {
		at := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
		t.Cleanup(func() { at.Close() })
		go func() {
			for {
				c, err := at.Accept()
				if err != nil {
					return
				}
				go func() {
					defer c.Close()
					for text := []byte(`INFO {"server_id":"`); err == nil; text = bytes.Repeat([]byte("x"), 1<<16) {
						_, err = c.Write(text)
					}
				}()
			}
		}()
		return "nats://" + at.Addr().String()
	}
	t.Run("banner to a worker", func(t *testing.T) {
		c := holder{args: "worker " + banner(t)}.hold(t)
		peak(t, c, func() {})
	})
	t.Run("banner to a coordinator", func(t *testing.T) {
		c := holder{args: "run long.yaml --db s.db --workers 1 --coordinate " + banner(t)}.hold(t)
		peak(t, c, func() {})
	})
	for _, verb := range []string{"hello", "beat", "claim", "result", "object", "bye"} {
		t.Run("workers that say "+verb, func(t *testing.T) {
			c := holder{args: "run long.yaml --db s.db --workers 1 --coordinate 127.0.0.1:0"}.hold(t)
			go func() {
				for c.said.Scan() { // its complaints
				}
			}()
			c.grown(t, 100)
			peak(t, c, func() {
				for i := range 4 {
					go flood(strings.TrimPrefix(c.page, "nats://"), verb, i)
				}
			})
		})
	}
}

// flood says as much as a connection takes, in the name of a worker.
func flood(address, verb string, worker int) error {
	secret := fmt.Sprint("secret", worker)
	id := fmt.Sprintf("flood-%x", sha256.Sum256([]byte(secret)))[:len("flood-")+12]
	c, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer c.Close()
	go func() { // its answers
		for b := make([]byte, 1<<16); err == nil; {
			_, err = c.Read(b)
		}
	}()
	text := `{"results":[` + strings.Repeat(`{"moves":"`+strings.Repeat("b2 ", 300)+`"},`, 950) + `{}]}`
	message := fmt.Appendf(nil, "PUB spar.%s.%s _INBOX.%s.1 %d\r\n%s\r\n", verb, id, id, len(text), text)
	_, err = fmt.Fprintf(c, "CONNECT {\"verbose\":false,\"user\":%q,\"pass\":%q}\r\nSUB _INBOX.%s.> 1\r\n", id, secret, id)
	for err == nil {
		_, err = c.Write(message)
	}
	return err
}

// peak is how much the largest memory of a process has grown when it has been flooded for a while, or has ended.
func peak(t *testing.T, c *held, begin func()) {
	t.Helper()
	most := regexp.MustCompile(`VmHWM:\s+(\d+) kB`)
	first, last := 0, 0
	begin()
	for began := time.Now(); time.Since(began) < floodFor; time.Sleep(20 * time.Millisecond) {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		if errors.Is(err, os.ErrNotExist) {
			t.Skip("no /proc here")
		}
		found := most.FindSubmatch(status)
		if found == nil {
			break // it has ended
		}
		if last, _ = strconv.Atoi(string(found[1])); first == 0 {
			first = last
		}
	}
	t.Logf("%d kB at first, %d kB at most", first, last)
	if last-first > mostFlood {
		t.Errorf("%d kB more under the flood, at most %d are expected", last-first, mostFlood)
	}
}
