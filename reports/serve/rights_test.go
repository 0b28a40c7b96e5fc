package serve_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"spar/configs/must"
	"spar/reports/serve"
)

// inviteOf is the path of the link to a seat that the owner's page of a game shows.
func inviteOf(t *testing.T, s *serve.Server, at, host string, owner map[string]string) string {
	t.Helper()
	page := send(s, request{path: at, host: host, headers: owner}).Body.String()
	_, rest, ok := strings.Cut(page, `value="http://`+host+`/join/`)
	link, _, _ := strings.Cut(rest, `"`)
	if !ok {
		t.Fatalf("no link at %s: %s", at, page)
	}
	return "/join/" + link
}

// cookieOf is the cookie that an answer sets, as a browser sends it back.
func cookieOf(w *httptest.ResponseRecorder) map[string]string {
	cookie, _, _ := strings.Cut(w.Header().Get("Set-Cookie"), ";")
	return map[string]string{"Cookie": cookie}
}

// ownerOf opens the address that a server prints, and returns what the owner's browser sends from then on.
func ownerOf(t *testing.T, s *serve.Server, host string) map[string]string {
	t.Helper()
	return cookieOf(send(s, request{path: "/?token=" + tokenOf(s), host: host}))
}

// guestOf begins a game as the owner and takes its second seat as somebody else.
func guestOf(t *testing.T, s *serve.Server, host string, owner map[string]string) (id string, guest map[string]string) {
	t.Helper()
	w := send(s, request{
		method: "POST", path: "/play", body: "rules=classic&opponent=friend", host: host,
		headers: owner,
	})
	game := w.Header().Get("Location")
	link := inviteOf(t, s, game, host, owner)
	w = send(s, request{path: link, host: host})
	if w.Code != http.StatusSeeOther {
		t.Fatalf("the link %q: %d", link, w.Code)
	}
	return strings.TrimPrefix(game, "/play/"), cookieOf(w)
}

// Every route of the server, tried by everybody, with and without a query that names the guest's game. The routes come
// from the server: a new one without a right is refused to everybody, the owner too, and fails here.
func TestRights(t *testing.T) {
	t.Parallel()
	const host = "192.168.1.2:7727"
	s := start(t, serve.Options{Listen: "0.0.0.0:7727", Studies: []string{played(t, nil)}})
	owner := ownerOf(t, s, host)
	id, guest := guestOf(t, s, host, owner)
	_, other := guestOf(t, s, host, owner)
	who := map[string]map[string]string{
		"nobody": nil, "a guest of another game": other, "the guest": guest,
		"the owner": owner,
	}
	open := map[string]string{ // who else than the owner may
		"GET /assets/{hash}/{name}": "nobody, a guest of another game, the guest",
		"GET /join/{id}/{token}":    "nobody, a guest of another game, the guest",
		"GET /play/{id}":            "the guest",
		"POST /play/{id}/{what}":    "the guest",
	}
	try := func(method, path, pattern string) {
		for name, headers := range who {
			want := name == "the owner" || strings.Contains(open[pattern], name) &&
				(name != "the guest" || strings.Contains(open[pattern], "the guest"))
			for _, query := range []string{"", "?topics=play:" + id, "?id=" + id + "&topics=play:" + id +
				",study:cup"} {
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
	fill := strings.NewReplacer("{$}", "", "{id}", id, "{key}", "cup", "{what}", "move", "{hash}", "x", "{name}",
		"x", "{token}", "x")
	for _, pattern := range s.Patterns() {
		method, path, _ := strings.Cut(pattern, " ")
		try(method, fill.Replace(path), pattern)
	}
	for _, path := range []string{"/nothing", "/play/" + id + "/x/y", "/games", "/design/save"} {
		for _, name := range []string{"nobody", "the guest"} {
			if w := send(s, request{path: path, host: host, headers: who[name]}); w.Code != http.StatusForbidden &&
				w.Code != http.StatusMethodNotAllowed {
				t.Errorf("%s by %s: %d", path, name, w.Code)
			}
		}
	}
	for _, path := range []string{"//games/cup", "/play/%2e%2e/games/cup", "/play/" + id + "/../../games/cup", "/play/" +
		id + "%2f..%2f..%2fgames%2fcup"} {
		if w := send(s, request{path: path, host: host, headers: guest}); w.Code == http.StatusOK {
			t.Errorf("%s by the guest: %d", path, w.Code)
		}
	}
	for topics, want := range map[string]bool{"play:" + id: true, "study:cup": false, "play:" + id +
		",study:cup": false, "": false, "play:x": false} {
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

// heading is what a browser says of a request that a page of another site causes.
func heading(mode, dest string) map[string]string {
	return map[string]string{
		"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest,
		"Accept": "text/html,*/*",
	}
}

// Another site may link to a few pages. It may embed none of them, nor load them by a script, nor send forms.
func TestWhatOtherSitesMayLinkTo(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Studies: []string{played(t, nil)}})
	linked := []string{"GET /{$}", "GET /play", "GET /play/{id}", "GET /join/{id}/{token}"}
	fill := strings.NewReplacer("{$}", "", "{id}", "x", "{key}", "cup", "{what}", "x", "{hash}", "x", "{name}", "x",
		"{token}", "x")
	for _, pattern := range s.Patterns() {
		method, path, _ := strings.Cut(pattern, " ")
		for _, as := range []struct {
			mode, dest string
			allowed    bool
		}{
			{"navigate", "document", slices.Contains(linked, pattern)},
			{"navigate", "iframe", false},
			{"no-cors", "image", false},
			{"cors", "empty", false},
			{"", "", false},
		} {
			if as.mode == "" { // older browsers, and another port of this computer
				for k, v := range map[string]string{"Origin": "http://evil.com", "Sec-Fetch-Site": "same-site"} {
					w := send(s, request{method: method, path: fill.Replace(path), headers: map[string]string{k: v}})
					if w.Code != http.StatusForbidden {
						t.Errorf("%s with %s: %s: %d", pattern, k, v, w.Code)
					}
				}
			}
			w := send(s, request{method: method, path: fill.Replace(path), headers: heading(as.mode, as.dest)})
			if got := w.Code != http.StatusForbidden; got != as.allowed {
				t.Errorf("%s as %s %s: %d, allowed should be %t", pattern, as.mode, as.dest, w.Code, as.allowed)
			}
		}
	}
}

// A browser that follows a link in web mail sends no Strict cookie until a page of this server leads on. So a link
// with a token answers such a page: to the place that it names on this server, without the token, and to nobody who
// embeds it.
func TestLinksWithTokens(t *testing.T) {
	t.Parallel()
	const host = "192.168.1.2:7727"
	s := start(t, serve.Options{Listen: "0.0.0.0:7727"})
	owner := ownerOf(t, s, host)
	token := strings.TrimPrefix(owner["Cookie"], "spar-7727=")
	w := send(s, request{
		method: "POST", path: "/play", body: "rules=classic&opponent=friend", host: host,
		headers: owner,
	})
	at := w.Header().Get("Location")
	join := inviteOf(t, s, at, host, owner)
	seat := path.Base(join)
	lan := map[string]string{"Accept": "text/html"} // browsers say nothing of sites without TLS
	for _, c := range []struct {
		path, secret, to string
		headers          map[string]string
	}{
		{join, seat, at, heading("navigate", "document")},
		{join, seat, at, lan},
		{"/?token=" + token, token, "/", heading("navigate", "document")},
		{"/?token=" + token, token, "/", lan},
		{"/play?rules=classic&token=" + token, token, "/play?rules=classic", lan},
		{"//evil.com/?token=" + token, token, "/evil.com/", lan},
		{"/%5cevil.com?token=" + token, token, "/%5Cevil.com", lan},
	} {
		w := send(s, request{path: c.path, host: host, headers: c.headers})
		cookie, _, _ := strings.Cut(w.Header().Get("Set-Cookie"), ";")
		if w.Code != http.StatusOK || w.Header().Get("Refresh") != "0; url="+c.to ||
			!strings.HasSuffix(cookie, "="+c.secret) {
			t.Errorf("%s: %d, Refresh %q, cookie %q", c.path, w.Code, w.Header().Get("Refresh"), cookie)
		}
		if strings.Contains(w.Body.String(), c.secret) || w.Header().Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: the page shows the token or sends it on: %s", c.path, w.Body)
		}
		w = send(s, request{
			path: c.to, host: host,
			headers: map[string]string{"Cookie": cookie, "Sec-Fetch-Site": "same-origin"},
		})
		if w.Code == http.StatusForbidden {
			t.Errorf("%s leads to %s: %d", c.path, c.to, w.Code)
		}
		for _, embedded := range []map[string]string{
			heading("navigate", "iframe"), heading("no-cors", "image"),
			heading("cors", "empty"),
		} {
			if w := send(s, request{path: c.path, host: host, headers: embedded}); w.Code != http.StatusForbidden ||
				w.Header().Get("Set-Cookie") != "" {
				t.Errorf("%s with %v: %d, cookie %q", c.path, embedded, w.Code, w.Header().Get("Set-Cookie"))
			}
		}
	}
	if w := send(s, request{path: join, host: host}); w.Code != http.StatusSeeOther ||
		w.Header().Get("Location") != at {
		t.Errorf("a program that joins: %d to %q", w.Code, w.Header().Get("Location"))
	}
}

// A new link takes the seat from whoever had the old one, at once: in this game, in rematches of it, and on streams
// that are open.
func TestANewLinkReplacesTheOld(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{})
	at := game(t, s, "rules=classic&opponent=friend")
	join := inviteOf(t, s, at, "127.0.0.1:7727", nil)
	seatAt := func(at, join string) map[string]string {
		return map[string]string{"Cookie": "seat-" + path.Base(at) + "=" + path.Base(join)}
	}
	if w := send(s, request{method: "POST", path: at + "/rematch", headers: seatAt(at, join)}); w.Code != 422 {
		t.Errorf("a rematch of a game that is not over: %d", w.Code)
	}
	do(t, s, at+"/resign", "ply=0")
	next := send(s, request{method: "POST", path: at + "/rematch", headers: seatAt(at, join)}).Header().Get("Location")
	if st := do(t, s, next+"/invite", "ply=0&side=0"); st.Status != http.StatusOK {
		t.Fatalf("a new link: %d %s", st.Status, st.Error)
	}
	renewed := inviteOf(t, s, next, "127.0.0.1:7727", nil)
	if w := send(s, request{path: "/join/" + path.Base(next) + "/" + path.Base(join)}); renewed == join ||
		w.Code != http.StatusNotFound {
		t.Errorf("the old link: %d, the new one is %q", w.Code, renewed)
	}
	for _, c := range []struct {
		name, at, link, path, body string
		want                       int
	}{
		{"the old link moves", next, join, next + "/move", "ply=0&move=b2", 403},
		{"the new link moves", next, renewed, next + "/move", "ply=0&move=b2", 303},
		{"the old link joins the rematch", at, join, at + "/rematch", "ply=0", 403},
		{"the new link resigns", next, renewed, next + "/resign", "ply=1", 303},
		{"the new link begins a rematch", next, renewed, next + "/rematch", "ply=1", 303},
	} {
		w := send(s, request{method: "POST", path: c.path, body: c.body, headers: seatAt(c.at, c.link)})
		if w.Code != c.want {
			t.Errorf("%s: %d, want %d: %s", c.name, w.Code, c.want, firstLine(w.Body.String()))
		}
	}
}

// Who began a game can delete it: the game, what was stored of it, its guest's seat. Nobody else can.
func TestDeletedGames(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := start(t, serve.Options{Folder: folder})
	at := game(t, s, "rules=classic&opponent=friend")
	guest := map[string]string{"Cookie": "seat-" + path.Base(at) + "=" +
		path.Base(inviteOf(t, s, at, "127.0.0.1:7727", nil))}
	do(t, s, at+"/resign", "ply=0")
	do(t, s, at+"/undo", "ply=0") // the resigned game stays stored
	do(t, s, at+"/move", "ply=0&move=b2")
	do(t, s, at+"/resign", "ply=1")
	kept := game(t, s, "rules=classic&opponent=person")
	if w := send(s, request{
		method: "POST", path: at + "/delete", body: "ply=1",
		headers: guest,
	}); w.Code != http.StatusForbidden {
		t.Errorf("deleted by the guest: %d", w.Code)
	}
	if w := send(s, request{method: "POST", path: at + "/delete", body: "ply=1"}); w.Code != http.StatusSeeOther ||
		w.Header().Get("Location") != "/" {
		t.Errorf("deleted by the owner: %d to %q", w.Code, w.Header().Get("Location"))
	}
	for _, left := range []struct {
		path, has, not string
	}{
		{"/", kept, at},
		{at, "no game", "Resign"},
		{"/games/people", "No game matches", ""},
	} {
		page := send(s, request{path: left.path}).Body.String()
		if !strings.Contains(page, left.has) || left.not != "" && strings.Contains(page, left.not) {
			t.Errorf("%s: %s", left.path, page)
		}
	}
}

// One server of a folder stores games played by people. Another one shows studies and says why; it stores games once
// the first has ended.
func TestTwoServersOfAFolder(t *testing.T) {
	t.Parallel()
	const studiesOnly = "This server shows studies only"
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		first := must.Get(serve.New(t.Context(), serve.Options{Folder: folder}))(t)
		at := game(t, first, "rules=classic&opponent=friend")
		join := inviteOf(t, first, at, "127.0.0.1:7727", nil)
		var said strings.Builder
		second := start(t, serve.Options{Folder: folder, Log: &said})
		if !strings.Contains(said.String(), studiesOnly) {
			t.Errorf("said %q", said.String())
		}
		for _, c := range []struct {
			method, path, body string
			want               int
		}{
			{"GET", "/", "", 200},
			{"GET", at, "", 503},
			{"POST", at + "/move", "ply=0&move=b2", 503},
			{"POST", "/play", "rules=classic&opponent=person", 503},
			{"GET", "/review?rules=classic&moves=b2", "", 200},
		} {
			w := send(second, request{method: c.method, path: c.path, body: c.body})
			if w.Code != c.want || strings.Contains(w.Body.String(), studiesOnly) != (c.path != "/review?rules=classic&moves=b2") {
				t.Errorf("%s %s: %d, want %d: %s", c.method, c.path, w.Code, c.want, w.Body)
			}
		}
		guest := request{path: join, headers: map[string]string{"Cookie": ""}}
		if w := send(second, guest); w.Code != 503 || strings.Contains(w.Body.String(), folder) {
			t.Errorf("a guest: %d %s", w.Code, w.Body)
		}
		move(t, first, at, 0, "b2")
		must.Do(t, first.Close())
		time.Sleep(10 * time.Second)
		if st := do(t, second, at, ""); st.Status != 200 || len(st.Moves) != 1 {
			t.Errorf("after the first server has ended: %+v", st)
		}
	})
}

// A server that others can reach prints first the addresses that they can type, and marks the last one, which only
// this computer can open.
func TestAddresses(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Listen: "0.0.0.0:7727"})
	all := must.Get(s.Addresses(&net.TCPAddr{IP: net.IPv4zero, Port: 7727}))(t)
	last := len(all) - 1
	if here, ok := strings.CutSuffix(all[last], " (this computer only)"); !ok ||
		!strings.HasPrefix(here, "http://127.0.0.1:7727/?token=") {
		t.Errorf("the last of %q", all)
	}
	for _, a := range all[:last] {
		u, err := url.Parse(a)
		ip := net.ParseIP(u.Hostname())
		if err != nil || ip == nil || ip.IsLoopback() || ip.IsUnspecified() || u.Query().Get("token") == "" {
			t.Errorf("%s: %v", a, err)
		}
	}
	if all, err := s.Addresses(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7727}); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
}
