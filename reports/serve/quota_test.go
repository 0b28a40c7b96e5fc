package serve_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"path"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"spar/configs/must"
	"spar/reports/serve"
)

// A guest starts few games at once and then one every 20 seconds, and has few streams at a time. The owner has as many of
// both as before.
func TestQuotasOfAGuest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const lan = "192.168.1.2:7727"
		s := start(t, serve.Options{Listen: "0.0.0.0:7727"})
		owner := ownerOf(t, s, lan)
		id, guest := guestOf(t, s, lan, owner)
		_, seat, _ := strings.Cut(guest["Cookie"], "=")
		again := func(id string, who map[string]string) (next string, code int) {
			path := "/play/" + id
			send(s, request{method: "POST", path: path + "/resign", body: "ply=0", host: lan, headers: who})
			w := send(s, request{method: "POST", path: path + "/rematch", body: "ply=0", host: lan, headers: who})
			return strings.TrimPrefix(w.Header().Get("Location"), "/play/"), w.Code
		}
		for i, want := range []int{303, 303, 303, 303, 303, 303, 429, 429, 303, 429} {
			if i == 8 {
				time.Sleep(20 * time.Second)
			}
			next, code := again(id, map[string]string{"Cookie": "seat-" + id + "=" + seat})
			if code != want {
				t.Fatalf("game %d of the guest: %d, want %d", i, code, want)
			}
			if next != "" {
				id = next
			}
		}
		for range 20 {
			code := 0
			if id, code = again(id, owner); code != 303 {
				t.Fatalf("a game of the owner: %d", code)
			}
		}
		topics := "/events?topics=play:" + id
		var open []func() string
		for i := range 1100 {
			end := followAs(t, s, topics, map[string]string{"Cookie": "seat-" + id + "=" + seat})
			if i < 12 {
				open = append(open, end)
			} else if said := end(); !strings.HasPrefix(said, "429") {
				t.Fatalf("stream %d of the guest: %s", i, said)
			}
		}
		for _, end := range append(open, followAs(t, s, topics, nil)) {
			if said := end(); !strings.HasPrefix(said, "200") {
				t.Errorf("a stream within the limit: %s", said)
			}
		}
	})
}

// ask sends a request on a connection and returns the status of the answer.
func ask(c net.Conn, path, cookie string) int {
	r, err := http.NewRequest("GET", "http://"+c.RemoteAddr().String()+path, nil)
	if err != nil {
		return 0
	}
	r.Header.Set("Cookie", cookie)
	if r.Write(c) != nil {
		return 0
	}
	w, err := http.ReadResponse(bufio.NewReader(c), r)
	if err != nil {
		return 0
	}
	defer w.Body.Close()
	_, _ = io.Copy(io.Discard, w.Body)
	return w.StatusCode
}

// Who has no token takes few of the files that the server may open, and neither can a guest keep many connections. The
// owner's are not closed.
func TestConnectionsOfOthers(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Listen: "127.0.0.1:0"})
	l := must.Get(serve.Listen("127.0.0.1:0"))(t)
	ctx, cancel := contextOf(t)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	defer func() { cancel(); <-ended }()
	at := game(t, s, "rules=classic&opponent=friend")
	id := strings.TrimPrefix(at, "/play/")
	seat := path.Base(inviteOf(t, s, at, "127.0.0.1:7727", nil))
	connect := func(n int, path, cookie string) (all []net.Conn) {
		for range n {
			c := must.Get(net.Dial("tcp", l.Addr().String()))(t)
			t.Cleanup(func() { c.Close() })
			if all = append(all, c); cookie != "" && ask(c, path, cookie) != 200 {
				t.Errorf("%s is not shown", path)
			}
		}
		return all
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	mine := "spar-" + port + "=" + tokenOf(s)
	owner := connect(40, "/review", mine)
	for name, c := range map[string]struct {
		cookie string
		most   int
	}{"strangers": {"", 64}, "a guest": {"seat-" + id + "=" + seat, 24}} {
		all := connect(200, at, c.cookie)
		for i, one := range all {
			wait := 20 * time.Second // it is to be closed
			if i >= 200-c.most {
				wait = time.Millisecond
			}
			_ = one.SetReadDeadline(time.Now().Add(wait))
			_, err := one.Read(make([]byte, 1))
			var late net.Error
			if open := errors.As(err, &late) && late.Timeout(); open != (i >= 200-c.most) {
				t.Fatalf("%s: connection %d of 200: %v", name, i, err)
			}
		}
	}
	for i, c := range owner {
		if ask(c, "/review", mine) != 200 {
			t.Fatalf("connection %d of the owner is closed", i)
		}
	}
}
