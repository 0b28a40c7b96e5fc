package serve_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"spar/reports/serve"
)

// guestOf begins a game as the owner and takes its second seat as somebody else.
func guestOf(t *testing.T, s *serve.Server, host string, owner map[string]string) (id string, guest map[string]string) {
	t.Helper()
	w := send(s, request{method: "POST", path: "/play", body: "rules=classic&opponent=friend", host: host, headers: owner})
	game := w.Header().Get("Location")
	w = send(s, request{path: game, host: host, headers: owner})
	_, rest, _ := strings.Cut(w.Body.String(), "http://"+host+"/join/")
	link, _, _ := strings.Cut(rest, `"`)
	w = send(s, request{path: "/join/" + link, host: host})
	if w.Code != http.StatusSeeOther {
		t.Fatalf("the link %q: %d", link, w.Code)
	}
	return strings.TrimPrefix(game, "/play/"), map[string]string{"Cookie": strings.Split(w.Header().Get("Set-Cookie"), ";")[0]}
}

// Every route of the server, tried by everybody, with and without a query that names the guest's game. The routes come from the server: a
// new one without a right is refused to everybody, the owner too, and fails here.
func TestRights(t *testing.T) {
	t.Parallel()
	const host = "192.168.1.2:7727"
	s := start(t, serve.Options{Listen: "0.0.0.0:7727", Studies: []string{played(t, nil)}})
	address, err := url.Parse(s.URL(addr(host)))
	if err != nil {
		t.Fatal(err)
	}
	w := send(s, request{path: "/?" + address.RawQuery, host: host})
	owner := map[string]string{"Cookie": strings.Split(w.Header().Get("Set-Cookie"), ";")[0]}
	id, guest := guestOf(t, s, host, owner)
	_, other := guestOf(t, s, host, owner)
	who := map[string]map[string]string{"nobody": nil, "a guest of another game": other, "the guest": guest, "the owner": owner}
	open := map[string]string{ // who else than the owner may
		"GET /assets/{hash}/{name}": "nobody, a guest of another game, the guest",
		"GET /join/{id}/{token}":    "nobody, a guest of another game, the guest",
		"GET /play/{id}":            "the guest",
		"POST /play/{id}/{what}":    "the guest",
	}
	try := func(method, path, pattern string) {
		for name, headers := range who {
			want := name == "the owner" || strings.Contains(open[pattern], name) && (name != "the guest" || strings.Contains(open[pattern], "the guest"))
			for _, query := range []string{"", "?topics=play:" + id, "?id=" + id + "&topics=play:" + id + ",study:cup"} {
				if pattern == "GET /events" {
					continue // it answers until the client leaves: TestTopics
				}
				w := send(s, request{method: method, path: path + query, host: host, headers: headers})
				if got := w.Code != http.StatusForbidden; got != want {
					t.Errorf("%s %s%s by %s: %d, allowed should be %t", method, path, query, name, w.Code, want)
				}
			}
		}
	}
	fill := strings.NewReplacer("{$}", "", "{id}", id, "{key}", "cup", "{what}", "nothing", "{hash}", "x", "{name}", "x", "{token}", "x")
	for _, pattern := range s.Patterns() {
		method, path, _ := strings.Cut(pattern, " ")
		try(method, fill.Replace(path), pattern)
	}
	for _, path := range []string{"/nothing", "/play/" + id + "/x/y", "/sql", "/design/save"} {
		for _, name := range []string{"nobody", "the guest"} {
			if w := send(s, request{path: path, host: host, headers: who[name]}); w.Code != http.StatusForbidden && w.Code != http.StatusMethodNotAllowed {
				t.Errorf("%s by %s: %d", path, name, w.Code)
			}
		}
	}
	for _, path := range []string{"//sql/cup", "/play/%2e%2e/sql/cup", "/play/" + id + "/../../sql/cup", "/play/" + id + "%2f..%2f..%2fsql%2fcup"} {
		if w := send(s, request{path: path, host: host, headers: guest}); w.Code == http.StatusOK {
			t.Errorf("%s by the guest: %d", path, w.Code)
		}
	}
	for topics, want := range map[string]bool{"play:" + id: true, "study:cup": false, "play:" + id + ",study:cup": false, "": false, "play:x": false} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		r := httptest.NewRequestWithContext(ctx, "GET", "/events?topics="+topics, nil)
		r.Host = host
		r.Header.Set("Cookie", guest["Cookie"])
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		cancel()
		if got := w.Code != http.StatusForbidden; got != want {
			t.Errorf("the guest hears of %q: %d, allowed should be %t", topics, w.Code, want)
		}
	}
}

// A page of another site can make a browser send requests. None that costs time is answered, by GET or otherwise.
func TestRequestsFromElsewhere(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Studies: []string{played(t, nil)}})
	for _, path := range []string{"/sql/cup?q=SELECT+1", "/b/cup.classic", "/compare?before=cup.classic&after=cup.classic", "/review?rules=classic&moves=b2", "/events?topics=play:x", "/design?rules=classic"} {
		for _, headers := range []map[string]string{{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "http://evil.com"}, {"Origin": "null"}} {
			if w := send(s, request{path: path, headers: headers}); w.Code != http.StatusForbidden {
				t.Errorf("%s with %v: %d", path, headers, w.Code)
			}
		}
	}
	if w := send(s, request{path: "/sql/cup?q=SELECT+1", headers: map[string]string{"Sec-Fetch-Site": "same-origin"}}); w.Code != http.StatusOK {
		t.Errorf("a query of its own page: %d", w.Code)
	}
}

// Queries have places of their own: while twelve endless ones wait for theirs, an agent moves. Who leaves gives the place back.
func TestEndlessQueriesStopNoAgent(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Studies: []string{played(t, nil)}, Searches: 1})
	const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n"
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan struct{})
	for range 12 {
		go func() {
			r := httptest.NewRequestWithContext(ctx, "GET", "/sql/cup?q="+url.QueryEscape(endless), nil)
			r.Host = "127.0.0.1:7727"
			s.Handler().ServeHTTP(httptest.NewRecorder(), r)
			gone <- struct{}{}
		}()
	}
	at := send(s, request{method: "POST", path: "/play", body: "rules=classic&agent=greedy"}).Header().Get("Location")
	send(s, request{method: "POST", path: at + "/move", body: "ply=0&move=b2&sure=1"})
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if w := send(s, request{path: at}); strings.Contains(w.Body.String(), `name="ply" value="2"`) {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the agent does not move")
		}
	}
	leave()
	for range 12 {
		<-gone
	}
	if w := send(s, request{path: "/sql/cup?q=SELECT+1"}); w.Code != http.StatusOK {
		t.Errorf("after the endless queries: %d", w.Code)
	}
}

// A server that others can reach prints addresses that they can type; one on this machine alone prints its own.
func TestAddresses(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Listen: "0.0.0.0:7727"})
	all, err := s.Addresses(&net.TCPAddr{IP: net.IPv4zero, Port: 7727})
	if err != nil || !strings.HasPrefix(all[0], "http://127.0.0.1:7727/?token=") {
		t.Fatalf("%v, %v", all, err)
	}
	for _, a := range all[1:] {
		u, err := url.Parse(a)
		ip := net.ParseIP(u.Hostname())
		if err != nil || ip == nil || ip.IsLoopback() || ip.IsUnspecified() || u.Query().Get("token") == "" {
			t.Errorf("%s: %v", a, err)
		}
	}
	if all, err = s.Addresses(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7727}); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
}
