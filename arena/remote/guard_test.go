package remote

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

// A server that never ends its first line, a later one, or a message, is left after some megabytes at most, and the
// worker says why.
func TestServersThatFlood(t *testing.T) {
	t.Parallel()
	const info = `INFO {"server_id":"x","max_payload":1048576}` + "\r\n"
	for name, first := range map[string]string{
		"a banner": "INFO {\"server_id\":\"", "another line": info + "PONG",
		"a message": info + "PONG\r\nMSG a 1 2000000000\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer at.Close()
			took := make(chan int, 1)
			go func() {
				conn, err := at.Accept()
				if err != nil {
					return
				}
				defer conn.Close()
				n, chunk := 0, []byte(strings.Repeat("x", 64<<10))
				for b := []byte(first); err == nil && n < 1<<30; b = chunk {
					var k int
					k, err = conn.Write(b)
					n += k
				}
				took <- n
			}()
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			_, err = Work(ctx, WorkerOptions{Server: "nats://" + at.Addr().String(), Slots: 1, Speed: 1, Build: &Build{}})
			if !errors.Is(err, ErrFlood) {
				t.Errorf("the worker ended with %v", err)
			}
			if n := <-took; n > 16<<20 {
				t.Errorf("it took %d bytes", n)
			}
		})
	}
}

// Messages that are cut anywhere go through, and what follows the first line of a server that encrypts is not looked
// at.
func TestGuardFollowsTheProtocol(t *testing.T) {
	t.Parallel()
	text := "INFO {}\r\nPING\r\nMSG a.b 1 5\r\nab\ncd\r\n+OK\r\nHMSG a 1 r 12 17\r\nNATS/1.0\r\n\r\nhello\r\n"
	for cut := range len(text) {
		g := &guard{}
		if err := errors.Join(g.follow([]byte(text[:cut])), g.follow([]byte(text[cut:]))); err != nil || g.payload != 0 ||
			len(g.line) != 0 {
			t.Fatalf("cut at %d: %v, %d bytes to come, %q", cut, err, g.payload, g.line)
		}
	}
	for _, g := range []*guard{{secure: true}, {}} {
		info := "INFO {}\r\n"
		if !g.secure {
			info = `INFO {"tls_required":true}` + "\r\n"
		}
		if err := g.follow([]byte(info + strings.Repeat("x", 2*mostLine))); err != nil {
			t.Error(err)
		}
	}
}
