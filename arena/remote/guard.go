package remote

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// ErrFlood is returned if a server sends lines or messages longer than a NATS server does.
var ErrFlood = errors.New("not a NATS server")

// Most that is taken from a server that has not shown a certificate, in bytes. The client library itself reads lines
// and messages of any length into memory.
const (
	mostLine     = 64 << 10 // of one line of the protocol
	mostIncoming = 8 << 20  // of one message; what Spar sends has less than 1 MB
)

// dialer opens connections that bound what a server can make this process hold in memory.
type dialer struct {
	secure  bool // TLS follows the server's first line
	timeout time.Duration
}

// Dial connects.
func (d dialer) Dial(network, address string) (net.Conn, error) {
	conn, err := net.DialTimeout(network, address, d.timeout)
	if err != nil {
		return nil, err
	}
	return &guard{Conn: conn, secure: d.secure}, nil
}

// guard follows the protocol of a connection until TLS begins. After that the peer has shown a trusted certificate.
type guard struct {
	net.Conn
	secure  bool
	open    bool   // nothing is examined any more
	line    []byte // so far
	payload int    // bytes of a message that are still to come
}

// Read reads, and returns ErrFlood if a line or a message is too long.
func (g *guard) Read(b []byte) (int, error) {
	n, err := g.Conn.Read(b)
	if flood := g.follow(b[:n]); flood != nil {
		return 0, flood
	}
	return n, err
}

func (g *guard) follow(b []byte) error {
	for len(b) > 0 && !g.open {
		if g.payload > 0 {
			k := min(len(b), g.payload)
			b, g.payload = b[k:], g.payload-k
			continue
		}
		end := bytes.IndexByte(b, '\n') + 1
		whole := end > 0
		if !whole {
			end = len(b)
		}
		if len(g.line)+end > mostLine {
			return fmt.Errorf("%w: a line of more than %d bytes", ErrFlood, mostLine)
		}
		g.line, b = append(g.line, b[:end]...), b[end:]
		if !whole {
			break
		}
		words := bytes.Fields(g.line)
		switch {
		case len(words) == 0:
		case bytes.EqualFold(words[0], []byte("INFO")):
			g.open = g.secure || bytes.Contains(g.line, []byte(`"tls_required":true`))
		case bytes.EqualFold(words[0], []byte("MSG")), bytes.EqualFold(words[0], []byte("HMSG")):
			size, err := strconv.Atoi(string(words[len(words)-1]))
			if err != nil || size < 0 || size > mostIncoming {
				return fmt.Errorf("%w: a message of %.20q bytes, at most %d are taken", ErrFlood, words[len(words)-1], mostIncoming)
			}
			g.payload = size + len("\r\n")
		}
		g.line = g.line[:0]
	}
	return nil
}
