package serve_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"go.uber.org/goleak"

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
	s, err := serve.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
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
	for k, v := range q.headers {
		r.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// What a browser might be made to send by a page elsewhere, or by a name that was pointed here, does nothing.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Hosts: []string{"spar.test"}, Studies: []string{played(t, nil)}})
	const (
		game = "rules=classic&opponent=person"
		line = "rules=classic&moves=b2+a1&ply=1"
		evil = "http://evil.com"
	)
	at := send(s, request{method: "POST", path: "/play", body: game}).Header().Get("Location")
	cross := func(origin, site string) map[string]string {
		return map[string]string{"Origin": origin, "Sec-Fetch-Site": site}
	}
	for _, c := range []struct {
		name string
		q    request
		want int
	}{
		{"its own name", request{path: "/"}, 200},
		{"localhost", request{path: "/", host: "localhost:7727"}, 200},
		{"localhost in capitals", request{path: "/", host: "LOCALHOST"}, 200},
		{"IPv6", request{path: "/", host: "[::1]:7727"}, 200},
		{"an allowed name", request{path: "/", host: "spar.test"}, 200},
		{"a rebound name", request{path: "/", host: "evil.com"}, 421},
		{"a rebound name with its own origin", request{path: "/", host: "evil.com:7727", headers: cross("http://evil.com:7727", "same-origin")}, 421},
		{"a command by a rebound name", request{method: "POST", path: "/play", body: game, host: "evil.com", headers: cross("http://evil.com", "same-origin")}, 421},
		{"another address", request{path: "/", host: "192.168.1.2:7727"}, 421},
		{"a name that only begins well", request{path: "/", host: "127.0.0.1.evil.com"}, 421},
		{"no name", request{path: "/", host: " "}, 421},
		{"a page of its own", request{method: "POST", path: "/play", body: game, headers: cross("http://127.0.0.1:7727", "same-origin")}, 303},
		{"curl", request{method: "POST", path: "/play", body: game}, 303},
		{"another site", request{method: "POST", path: "/play", body: game, headers: cross("http://evil.com", "cross-site")}, 403},
		{"another port", request{method: "POST", path: "/play", body: game, headers: cross("http://127.0.0.1:9999", "same-site")}, 403},
		{"an opaque origin", request{method: "POST", path: "/play", body: game, headers: map[string]string{"Origin": "null"}}, 403},
		{"an old browser from elsewhere", request{method: "POST", path: "/play", body: game, headers: map[string]string{"Origin": "http://evil.com"}}, 403},
		{"a command as an image", request{path: "/play/x/move?ply=0&move=b2"}, 405},
		{"too much", request{method: "POST", path: "/play", body: "rules=" + strings.Repeat("x", 70<<10)}, 413},
		{"a file of rules", request{method: "POST", path: "/play", body: "rules=/etc/passwd.yaml"}, 422},
		{"a file of rules to look at", request{path: "/play?rules=../../secret.yaml"}, 422},
		{"a file of an agent", request{method: "POST", path: "/play", body: "rules=classic&agent=/tmp/evil.yaml"}, 422},
		{"a program as an agent", request{method: "POST", path: "/play", body: "rules=classic&agent=greedy&depth=" + url.QueryEscape("1\nugi.command=sh")}, 422},
		{"a search without end", request{method: "POST", path: "/play", body: "rules=ctor&agent=minimax-4&depth=200"}, 422},
		{"not a number", request{method: "POST", path: "/play", body: "rules=ctor&agent=minimax-4&seconds=NaN"}, 422},
		{"too many topics", request{path: "/events?topics=" + strings.Repeat("a,", 20)}, 400},
		{"a file beside the assets", request{path: "/assets/x/..%2f..%2fgo.mod"}, 404},
		{"a move from another site", request{method: "POST", path: at + "/move", body: "ply=0&move=b2", headers: cross(evil, "cross-site")}, 403},
		{"a surely meant move from another site", request{method: "POST", path: at + "/move", body: "ply=0&move=b2&sure=1", headers: cross(evil, "cross-site")}, 403},
		{"a rematch from another site", request{method: "POST", path: at + "/rematch", body: "ply=0", headers: cross(evil, "cross-site")}, 403},
		{"help switched on from another site", request{method: "POST", path: at + "/assist", body: "ply=0&warn=1", headers: cross(evil, "cross-site")}, 403},
		{"an agent's file as a seat", request{method: "POST", path: at + "/seat", body: "ply=0&side=1&agent=/tmp/evil.yaml"}, 422},
		{"a third seat", request{method: "POST", path: at + "/seat", body: "ply=0&side=2&agent=greedy"}, 400},
		{"an opinion of a game that goes on", request{method: "POST", path: at + "/opinion", body: "ply=0&fun=5"}, 422},
		{"a move without a ply", request{method: "POST", path: at + "/move", body: "move=b2"}, 400},
		{"a game deleted from another site", request{method: "POST", path: at + "/delete", body: "ply=0", headers: cross(evil, "cross-site")}, 403},
		{"a game deleted by a form of no origin", request{method: "POST", path: at + "/delete", body: "ply=0", headers: map[string]string{"Origin": "null"}}, 403},
		{"a game deleted as an image", request{path: at + "/delete"}, 405},
		{"an unknown command", request{method: "POST", path: at + "/erase", body: "ply=0"}, 404},
		{"a game that plays on from elsewhere", request{method: "POST", path: "/play", body: game + "&origin=" + url.QueryEscape("javascript:alert(1)")}, 303},
		{"a line from another site", request{method: "POST", path: "/review/line/add", body: line + "&move=c3", headers: cross(evil, "cross-site")}, 403},
		{"a line by a rebound name", request{method: "POST", path: "/review/line/add", body: line + "&move=c3", host: "evil.com", headers: cross(evil, "same-origin")}, 421},
		{"a line as an image", request{path: "/review/line/add?" + line + "&move=c3"}, 405},
		{"a line that is illegal", request{method: "POST", path: "/review/line/add", body: line + "&move=b2"}, 422},
		{"a line of no position", request{method: "POST", path: "/review/line/add", body: "rules=classic&moves=b2&ply=9&move=c3"}, 400},
		{"a line of a file", request{method: "POST", path: "/review/line/add", body: "rules=/etc/passwd.yaml&moves=b2&ply=0&move=c3"}, 422},
		{"a line of a game elsewhere", request{method: "POST", path: "/review/line/add", body: "game=../../etc/passwd.1&ply=0&move=c3"}, 404},
		{"a line of brackets", request{method: "POST", path: "/review/line/add", body: "rules=classic&ply=0&move=c3&moves=b2+" + strings.Repeat("(", 20_000)}, 422},
		{"the game removed as a line", request{method: "POST", path: "/review/line/remove", body: "rules=classic&moves=b2+a1&line=0"}, 422},
		{"a line removed from another site", request{method: "POST", path: "/review/line/remove", body: "rules=classic&moves=b2+(c3)+a1&line=1", headers: cross(evil, "cross-site")}, 403},
		{"another command for lines", request{method: "POST", path: "/review/line/publish", body: line}, 404},
		{"the last line of a review", request{path: "/review?rules=classic&moves=b2+(c3)+a1&line=1"}, 200},
		{"a line behind the last", request{path: "/review?rules=classic&moves=b2+(c3)+a1&line=2"}, 404},
		{"a line before the game", request{path: "/review?rules=classic&moves=b2+(c3)+a1&line=-1"}, 404},
		{"a line without a number", request{path: "/review?rules=classic&moves=b2+(c3)+a1&line=x"}, 404},
		{"a review of a file", request{path: "/review?rules=/etc/passwd.yaml&moves=b2"}, 422},
		{"a review of a game elsewhere", request{path: "/review/file?game=../../etc/passwd.1"}, 404},
		{"a design saved from another site", request{method: "POST", path: "/design/save", body: "rules=classic&set=win.line%3D2", headers: cross(evil, "cross-site")}, 403},
		{"a design saved by a rebound name", request{method: "POST", path: "/design/save", body: "rules=classic&set=win.line%3D2", host: "evil.com", headers: cross(evil, "same-origin")}, 421},
		{"a design saved as an image", request{path: "/design/save?rules=classic&set=win.line%3D2"}, 405},
		{"a shipped file overwritten", request{method: "POST", path: "/design/save", body: "rules=classic&set=win.line%3D2"}, 422},
		{"a file overwritten", request{method: "POST", path: "/design/save", body: "rules=/tmp/evil.yaml&set=win.line%3D2"}, 422},
		{"a file taken", request{path: "/design/file?rules=../../secret.yaml"}, 422},
		{"a study from another site", request{method: "POST", path: "/design/study", body: "rules=classic", headers: cross(evil, "cross-site")}, 403},
		{"a study of no rules", request{method: "POST", path: "/design/study", body: "rules=nothing"}, 422},
		{"another command for designs", request{method: "POST", path: "/design/delete", body: "rules=classic"}, 404},
		{"a run stopped from another site", request{method: "POST", path: "/t/cup.1/stop", headers: cross(evil, "cross-site")}, 403},
		{"a run of another process stopped", request{method: "POST", path: "/t/cup.1/stop"}, 409},
		{"a run stopped as an image", request{path: "/t/cup.1/stop"}, 405},
		{"a sweep of a study elsewhere", request{path: "/s/..%2f..%2fsecret.1"}, 404},
		{"a tuning that is none", request{path: "/s/cup.1"}, 404},
		{"a comparison with a study elsewhere", request{path: "/compare?before=cup.classic&after=..%2f..%2fsecret.classic"}, 404},
		{"a query that writes", request{path: "/sql/cup?q=DELETE+FROM+games"}, 422},
		{"a query of another file", request{path: "/sql/cup?q=ATTACH+'/tmp/evil.db'+AS+x"}, 422},
		{"a game of no form", request{method: "POST", path: "/play", body: "rules=%zz"}, 400},
		{"a move of no form", request{method: "POST", path: at + "/move", body: "ply=%zz"}, 400},
		{"a design of no form", request{method: "POST", path: "/design/save", body: "rules=%zz"}, 400},
		{"a line of no form", request{method: "POST", path: "/review/line/add", body: "moves=%zz"}, 400},
		{"a query of two statements", request{path: "/sql/cup?q=SELECT+1%3BDROP+TABLE+games"}, 422},
		{"no such game", request{path: "/play/unknown"}, 404},
		{"no such page", request{path: "/nothing"}, 404},
		{"another method", request{method: "DELETE", path: "/play"}, 405},
	} {
		w := send(s, c.q)
		if w.Code != c.want {
			t.Errorf("%s: %d, want %d: %s", c.name, w.Code, c.want, firstLine(w.Body.String()))
		}
		if c.q.method == "" && w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: other origins are allowed", c.name)
		}
		if w.Header().Get("Referrer-Policy") == "no-referrer" {
			t.Errorf("%s: forms on this page would be sent with Origin: null, which is refused", c.name)
		}
		if w.Code != 404 && w.Code != 405 && (!strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'") || w.Header().Get("X-Content-Type-Options") != "nosniff") {
			t.Errorf("%s: without its policy", c.name)
		}
	}
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// On an address that others can reach, only browsers with the token are answered; a seat's cookie opens its game and nothing else.
func TestToken(t *testing.T) {
	t.Parallel()
	var said strings.Builder
	s := start(t, serve.Options{Listen: "0.0.0.0:7727", Log: &said})
	if !strings.Contains(said.String(), "can be reached by others") {
		t.Errorf("no warning: %q", said.String())
	}
	address, err := url.Parse(s.URL(addr("192.168.1.2:7727")))
	if err != nil {
		t.Fatal(err)
	}
	const lan = "192.168.1.2:7727"
	for _, path := range []string{"/", "/play", "/?token=wrong", "/events?topics=play:x", "/play/x"} {
		if w := send(s, request{path: path, host: lan}); w.Code != 403 {
			t.Errorf("%s without the token: %d", path, w.Code)
		}
	}
	w := send(s, request{path: "/?" + address.RawQuery, host: lan})
	cookie := w.Header().Get("Set-Cookie")
	if w.Code != 303 || w.Header().Get("Location") != "/" || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") {
		t.Fatalf("with the token: %d, %q, %q", w.Code, w.Header().Get("Location"), cookie)
	}
	own := map[string]string{"Cookie": strings.Split(cookie, ";")[0]}
	if w := send(s, request{path: "/", host: lan, headers: own}); w.Code != 200 {
		t.Errorf("with the cookie: %d", w.Code)
	}
	if w := send(s, request{path: "/", host: "evil.com", headers: own}); w.Code != 421 {
		t.Errorf("a name on the network: %d", w.Code)
	}

	w = send(s, request{method: "POST", path: "/play", body: "rules=classic&opponent=friend", host: lan, headers: own})
	game := w.Header().Get("Location")
	w = send(s, request{path: game, host: lan, headers: own})
	_, rest, _ := strings.Cut(w.Body.String(), "http://"+lan+"/join/")
	link, _, _ := strings.Cut(rest, `"`)
	w = send(s, request{path: "/join/" + link, host: lan})
	if w.Code != 303 || w.Header().Get("Location") != game {
		t.Fatalf("the link: %d to %s", w.Code, w.Header().Get("Location"))
	}
	guest := map[string]string{"Cookie": strings.Split(w.Header().Get("Set-Cookie"), ";")[0]}
	if strings.Contains(guest["Cookie"], strings.TrimPrefix(own["Cookie"], "spar=")) {
		t.Error("the guest has the owner's token")
	}
	for _, c := range []struct {
		name, method, path, body string
		headers                  map[string]string
		want                     int
	}{
		{"the guest at home", "GET", "/", "", guest, 403},
		{"the guest at home with the game's topic", "GET", "/?topics=play:" + strings.TrimPrefix(game, "/play/"), "", guest, 403},
		{"the guest changes rules", "POST", "/design/save?topics=play:" + strings.TrimPrefix(game, "/play/"), "rules=classic", guest, 403},
		{"the guest at the game", "GET", game, "", guest, 200},
		{"the guest before the turn", "POST", game + "/move", "ply=0&move=a1", guest, 403},
		{"the owner", "POST", game + "/move", "ply=0&move=b2", own, 303},
		{"the owner for the guest", "POST", game + "/move", "ply=1&move=a1", own, 403},
		{"the guest", "POST", game + "/move", "ply=1&move=a1", guest, 303},
		{"the guest takes back", "POST", game + "/undo", "ply=2", guest, 403},
		{"the guest gives seats away", "POST", game + "/invite", "ply=2&side=0", guest, 403},
		{"a claim of who is there", "POST", game + "/claim", "ply=2", own, 422},
		{"a stranger", "GET", game, "", nil, 403},
		{"a wrong link", "GET", game[:0] + "/join/" + strings.Split(link, "/")[0] + "/wrong", "", nil, 404},
	} {
		if w := send(s, request{method: c.method, path: c.path, body: c.body, host: lan, headers: c.headers}); w.Code != c.want {
			t.Errorf("%s: %d, want %d: %s", c.name, w.Code, c.want, firstLine(w.Body.String()))
		}
	}

	// The seat goes on into the next game, for the guest by another cookie with the same token.
	for name, headers := range map[string]map[string]string{"owner": own, "guest": guest} {
		w := send(s, request{method: "POST", path: game + "/rematch", host: lan, headers: headers})
		next, seat := w.Header().Get("Location"), strings.Split(w.Header().Get("Set-Cookie"), ";")[0]
		if want := "seat-" + strings.TrimPrefix(next, "/play/") + guest["Cookie"][strings.Index(guest["Cookie"], "="):]; w.Code != 303 || next == game || (name == "guest") != (seat == want) || (name == "owner") != (seat == "") {
			t.Errorf("the %s's next game: %d to %s with %q", name, w.Code, next, seat)
		}
		if name == "guest" {
			if w := send(s, request{path: next, host: lan, headers: map[string]string{"Cookie": seat}}); w.Code != 200 {
				t.Errorf("the guest at the next game: %d", w.Code)
			}
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
	l, err := s.Listen()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := contextOf(t)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	r, err := client.Get("http://" + l.Addr().String() + "/events?topics=play:x")
	if err != nil {
		t.Fatal(err)
	}
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
