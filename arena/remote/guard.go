package remote

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// ErrFlood is the error if a server sends longer lines or messages than a NATS server does.
var ErrFlood = errors.New("not a NATS server")

// Limits in bytes on data from a server that has not shown a certificate. The client library itself accepts lines and
// messages of any length.
const (
	mostLine     = 64 << 10 // length of a line of the protocol
	mostIncoming = 8 << 20  // size of a message; messages of Spar have less than 1 MB
)

// dialer opens connections that limit how much memory a server can make this process use.
type dialer struct {
	secure  bool // TLS will start after the server's first line
	timeout time.Duration
}

// Dial opens a connection that a guard limits.
func (d dialer) Dial(network, address string) (net.Conn, error) {
	conn, err := net.DialTimeout(network, address, d.timeout)
	if err != nil {
		return nil, err
	}
	return &guard{Conn: conn, secure: d.secure}, nil
}

// guard limits the data from a connection until TLS starts, which means that the peer has shown a trusted
// certificate. To do so it parses the protocol.
type guard struct {
	net.Conn
	secure  bool
	open    bool   // the limits no longer apply
	line    []byte // current line so far
	payload int    // remaining bytes of the current message
}

// Read reads from the connection. It returns ErrFlood if a line or a message is too long.
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
				return fmt.Errorf("%w: a message of %.20q bytes; the limit is %d", ErrFlood, words[len(words)-1], mostIncoming)
			}
			g.payload = size + len("\r\n")
		}
		g.line = g.line[:0]
	}
	return nil
}
