package serve_test

import (
	"cmp"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/reports/serve"
)

func TestMain(m *testing.M) {
	enginetest.CollectSeldom()
	goleak.VerifyTestMain(m)
}

// start serves an empty folder.
func start(t testing.TB, o serve.Options) *serve.Server {
	t.Helper()
	if o.Folder == "" {
		o.Folder = t.TempDir()
	}
	s := must.Get(serve.New(t.Context(), o))(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// request is what somebody sends.
type request struct {
	method, path, body string
	host               string // 127.0.0.1:7727 when empty
	headers            map[string]string
}

func send(s *serve.Server, q request) *httptest.ResponseRecorder {
	if q.method == "" {
		q.method = "GET"
	}
	r := httptest.NewRequest(q.method, q.path, strings.NewReader(q.body))
	r.Host = "127.0.0.1:7727"
	if q.host != "" {
		r.Host = q.host
	}
	if q.method == "POST" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if !strings.HasPrefix(r.Host, "192.") { // the owner at this computer, unless the headers say who else
		asOwner(s, r)
	}
	for k, v := range q.headers {
		r.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// tokenOf is the owner's token, from the address that a server prints.
func tokenOf(s *serve.Server) string {
	_, token, _ := strings.Cut(s.URL(addr("127.0.0.1:7727")), "?token=")
	return token
}

// asOwner adds to a request what the owner's browser sends.
func asOwner(s *serve.Server, r *http.Request) {
	port := cmp.Or((&url.URL{Host: r.Host}).Port(), "80")
	r.AddCookie(&http.Cookie{Name: "spar-" + port, Value: tokenOf(s)})
}

// flat is a page without the blanks between its tags.
func flat(page string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(page), " "), "> <", "><")
}

// shows reports whether a page has some text, however either is laid out in lines.
func shows(page, text string) bool { return strings.Contains(flat(page), flat(text)) }

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// A server answers to its own names alone: a page elsewhere can point a name of its own here.
func TestNames(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Hosts: []string{"spar.test"}})
	for host, want := range map[string]int{
		"127.0.0.1:7727": 200, "localhost:7727": 200, "LOCALHOST": 200, "[::1]:7727": 200, "spar.test": 200,
		"evil.com": 421, "evil.com:7727": 421, "192.168.1.2:7727": 421, "127.0.0.1.evil.com": 421, " ": 421,
	} {
		w := send(s, request{path: "/", host: host, headers: map[string]string{"Sec-Fetch-Site": "same-origin"}})
		if w.Code != want {
			t.Errorf("%q: %d, want %d", host, w.Code, want)
		}
		h := w.Header()
		if !strings.HasPrefix(h.Get("Content-Security-Policy"),
			"default-src 'none'; script-src 'self'; style-src 'self'") ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%q: headers %v", host, h)
		}
	}
}

// Forms are taken from pages of this server and from programs. Browsers say where a form comes from, unless the page's
// policy on referrers forbids it, which ours does not.
func TestFormsFromElsewhere(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{})
	for _, c := range []struct {
		origin, site string
		want         int
	}{
		{"", "", 303}, // a program
		{"http://127.0.0.1:7727", "", 303},
		{"http://127.0.0.1:7727", "same-origin", 303},
		{"http://evil.com", "cross-site", 403},
		{"http://127.0.0.1:9999", "same-site", 403},
		{"http://evil.com", "", 403},
		{"http://127.0.0.1:9999", "", 403},
		{"null", "", 403},
	} {
		headers := map[string]string{}
		if c.origin != "" {
			headers["Origin"] = c.origin
		}
		if c.site != "" {
			headers["Sec-Fetch-Site"] = c.site
		}
		if w := send(s, request{
			method: "POST", path: "/play", body: "rules=classic&opponent=person",
			headers: headers,
		}); w.Code != c.want {
			t.Errorf("origin %q, site %q: %d, want %d", c.origin, c.site, w.Code, c.want)
		}
	}
	if got := send(s, request{path: "/"}).Header().Get("Referrer-Policy"); got != "same-origin" {
		t.Errorf("Referrer-Policy: %s, want same-origin: others make browsers send Origin: null or tell other sites "+
			"of addresses", got)
	}
}

// No request reads or writes a file that the command line did not name, costs more than is allowed, or does something
// by a GET.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Studies: []string{played(t, nil)}})
	at := game(t, s, "rules=classic&opponent=person")
	for _, c := range []struct {
		method, path, body string
		want               int
	}{
		{"GET", "/play/x/move?ply=0&move=b2", "", 405},
		{"GET", at + "/delete", "", 405},
		{"POST", "/review/try", "rules=classic&moves=b2&ply=1&move=c3", 405},
		{"GET", "/design/save?rules=classic&set=win.line%3D2", "", 405},
		{"GET", "/t/cup.1/stop", "", 405},
		{"DELETE", "/play", "", 405},
		{"POST", "/play", "rules=" + strings.Repeat("x", 70<<10), 413},
		{"POST", "/play", "rules=/etc/passwd.yaml", 422},
		{"GET", "/play?rules=../../secret.yaml", "", 422},
		{"POST", "/play", "rules=classic&agent=/tmp/evil.yaml", 422},
		{"POST", "/play", "rules=classic&agent=greedy&depth=" + url.QueryEscape("1\nugi.command=sh"), 422},
		{"POST", "/play", "rules=ctor&agent=minimax-4&depth=200", 422},
		{"POST", "/play", "rules=ctor&agent=minimax-4&seconds=NaN", 422},
		{"GET", "/events?topics=" + strings.Repeat("a,", 20), "", 400},
		{"GET", "/assets/x/..%2f..%2fgo.mod", "", 404},
		{"POST", at + "/seat", "ply=0&side=1&agent=/tmp/evil.yaml", 422},
		{"GET", "/review/try?rules=/etc/passwd.yaml&moves=b2&ply=0&move=c3", "", 422},
		{"GET", "/review/try?game=../../etc/passwd.1&ply=0&move=c3", "", 404},
		{"GET", "/review/try?rules=classic&ply=0&move=c3&moves=b2+" + strings.Repeat("(", 20_000), "", 422},
		{"GET", "/review?rules=/etc/passwd.yaml&moves=b2", "", 422},
		{"GET", "/review/file?game=../../etc/passwd.1", "", 404},
		{"POST", "/design/save", "rules=classic&set=win.line%3D2", 422},
		{"POST", "/design/save", "rules=/tmp/evil.yaml&set=win.line%3D2", 422},
		{"GET", "/design/file?rules=../../secret.yaml", "", 422},
		{"POST", "/design/study", "rules=nothing", 422},
		{"POST", "/t/cup.1/stop", "", 409}, // a run of another process
		{"POST", "/play", "rules=%zz", 400},
		{"POST", at + "/move", "ply=%zz", 400},
		{"GET", "/play/unknown", "", 404},
		{"GET", "/nothing", "", 404},
	} {
		if w := send(s, request{method: c.method, path: c.path, body: c.body}); w.Code != c.want {
			t.Errorf("%s %.80s %.80s: %d, want %d: %s", c.method, c.path, c.body, w.Code, c.want,
				firstLine(w.Body.String()))
		}
	}
}

// A guest plays one seat of one game, and takes it along into a rematch.
func TestGuest(t *testing.T) {
	t.Parallel()
	var said strings.Builder
	const lan = "192.168.1.2:7727"
	s := start(t, serve.Options{Listen: "0.0.0.0:7727", Log: &said})
	if !strings.Contains(said.String(), "other computers can reach") {
		t.Errorf("no warning: %q", said.String())
	}
	owner := ownerOf(t, s, lan)
	id, guest := guestOf(t, s, lan, owner)
	at := "/play/" + id
	for _, c := range []struct {
		name, what, body string
		who              map[string]string
		want             int
	}{
		{"the guest before the turn", "move", "ply=0&move=a1", guest, 403},
		{"the owner", "move", "ply=0&move=b2", owner, 303},
		{"the owner for the guest", "move", "ply=1&move=a1", owner, 403},
		{"the guest", "move", "ply=1&move=a1", guest, 303},
		{"the guest takes back", "undo", "ply=2", guest, 403},
		{"the guest gives seats away", "invite", "ply=2&side=0", guest, 403},
		{"the guest deletes", "delete", "ply=2", guest, 403},
		{"the guest resigns", "resign", "ply=2", guest, 303},
	} {
		if w := send(s, request{
			method: "POST", path: at + "/" + c.what, body: c.body, host: lan,
			headers: c.who,
		}); w.Code != c.want {
			t.Errorf("%s: %d, want %d: %s", c.name, w.Code, c.want, firstLine(w.Body.String()))
		}
	}
	w := send(s, request{method: "POST", path: at + "/rematch", host: lan, headers: guest})
	next, seat := w.Header().Get("Location"), cookieOf(w)
	if w := send(s, request{path: next, host: lan, headers: seat}); next == at || w.Code != 200 {
		t.Errorf("the guest at the next game, %s: %d", next, w.Code)
	}
}

// Other users of this computer reach a loopback address, too. The owner is who has the token, in a cookie of this port or
// in the address; it is the same after a restart.
func TestLoopbackNeedsTheToken(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first := must.Get(serve.New(t.Context(), serve.Options{Folder: folder}))(t)
	token := tokenOf(first)
	must.Do(t, first.Close())
	s := start(t, serve.Options{Folder: folder})
	if again := tokenOf(s); again != token || tokenOf(start(t, serve.Options{})) == token {
		t.Errorf("%q, after a restart %q", token, again)
	}
	const form = "rules=classic&opponent=person"
	for _, c := range []struct {
		method, path, body, cookie string
		want                       int
	}{
		{"GET", "/", "", "", 403},
		{"POST", "/play", form, "", 403},
		{"GET", "/?token=x", "", "", 403},
		{"GET", "/?token=", "", "spar-7727=", 403},
		{"GET", "/", "", "spar=" + token, 403},
		{"GET", "/", "", "spar-8080=" + token, 403}, // of another server
		{"GET", "/", "", "spar-7727=forged; spar-7727=" + token, 200},
		{"GET", "/?token=" + token, "", "", 200},
		{"POST", "/play?token=" + token, form, "", 303},
		{"POST", "/play", form, "spar-7727=" + token, 303},
	} {
		w := send(s, request{c.method, c.path, c.body, "", map[string]string{"Cookie": c.cookie}})
		cookie, _, _ := strings.Cut(w.Header().Get("Set-Cookie"), ";")
		if w.Code != c.want || strings.Contains(c.path, token) != (cookie == "spar-7727="+token) ||
			(w.Code == 403) != shows(w.Body.String(), "Open the link that the terminal printed") {
			t.Errorf("%s %s with %q: %d, cookie %q, %s", c.method, c.path, c.cookie, w.Code, cookie, w.Body)
		}
	}
}

type addr string

func (addr) Network() string  { return "tcp" }
func (a addr) String() string { return string(a) }

// The server ends though a stream is open, and a stream is not cut by the time limit of answers.
func TestEndsWithOpenStreams(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Listen: "127.0.0.1:0"})
	l := must.Get(serve.Listen("127.0.0.1:0"))(t)
	ctx, cancel := contextOf(t)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	r := must.Get(client.Get("http://" + l.Addr().String() + "/events?topics=play:x&token=" + tokenOf(s)))(t)
	hello := make([]byte, 5)
	if _, err := io.ReadFull(r.Body, hello); err != nil || string(hello) != "retry" {
		t.Errorf("%q, %v", hello, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		t.Errorf("the stream broke off: %v", err)
	}
	r.Body.Close()
}
