package serve_test

import (
	"bufio"
	"context"
	"html"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"spar/arena/live"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/must"
	"spar/reports/serve"
)

// stream opens the stream of some topics of a server and returns its lines.
func stream(t *testing.T, s *serve.Server, topics string, since string) <-chan string {
	t.Helper()
	l := must.Get(serve.Listen("127.0.0.1:0"))(t)
	ctx, cancel := contextOf(t)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	client := &http.Client{Transport: &http.Transport{}}
	q := must.Get(http.NewRequest("GET", "http://"+l.Addr().String()+"/events?topics="+topics+"&token="+tokenOf(s), nil))(t)
	q.Header.Set("Last-Event-ID", since)
	r := must.Get(client.Do(q))(t)
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(r.Body); in.Scan(); {
			lines <- in.Text()
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		r.Body.Close()
		client.CloseIdleConnections()
		for range lines { // until the reader has ended
		}
	})
	return lines
}

func hears(t *testing.T, lines <-chan string, want string) {
	t.Helper()
	late := time.After(12 * time.Second) // before the first ping, which would bring what was written and not sent
	for {
		select {
		case line := <-lines:
			if strings.Contains(line, want) {
				return
			}
		case <-late:
			t.Fatalf("the stream does not say %s", want)
		}
	}
}

// A page that shows a study hears of what another process writes into it, and of another study in its place.
func TestForeignWriterIsHeard(t *testing.T) {
	t.Parallel()
	path, next := filepath.Join(t.TempDir(), "cup.db"), filepath.Join(t.TempDir(), "next.db")
	write := func(path, event string) {
		db := must.Get(store.Open(t.Context(), path, store.Create))(t)
		must.Get(db.BeginEvent(t.Context(), study.Event{Name: event, Purpose: "tournament", Plan: "{}"}))(t)
		must.Do(t, db.Close())
	}
	write(path, "first")
	s := start(t, serve.Options{Studies: []string{path}, Listen: "127.0.0.1:0"})
	lines := stream(t, s, "study:cup", "")
	hears(t, lines, "hello")
	time.Sleep(100 * time.Millisecond) // the first look at the study
	write(path, "later")
	hears(t, lines, `{"topics":["study:cup"]}`)
	write(next, "another")
	must.Do(t, os.Rename(next, path))
	hears(t, lines, `{"topics":["study:cup"]}`)
	lookAt(t, s, "/study/cup", 200, []string{"another"})
}

// A stream that says where it ended is told once of what it has missed, also by the next server.
func TestMissedEventsAreToldOnce(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Listen: "127.0.0.1:0"})
	at := game(t, s, "rules=classic&opponent=person")
	move(t, s, at, 0, "b2")
	id := strings.TrimPrefix(at, "/play/")
	hears(t, stream(t, s, "play:"+id, "1"), `{"topics":["play:`+id+`"]}`)
}

// closing is a page that is closed after so many messages: whatever is sent then does not arrive.
type closing struct {
	*httptest.ResponseRecorder
	after int
	body  bool // the writing fails, not the sending
}

func (c *closing) Write(p []byte) (int, error) {
	if c.after == 0 && c.body {
		return 0, io.ErrClosedPipe
	}
	return c.ResponseRecorder.Write(p)
}

func (c *closing) FlushError() error {
	if c.after--; c.after < 0 {
		return io.ErrClosedPipe
	}
	return nil
}

func (c *closing) SetReadDeadline(time.Time) error  { return nil }
func (c *closing) SetWriteDeadline(time.Time) error { return nil }

// follow opens a stream of some topics and returns what ends it, with all that it has said by then.
func follow(t *testing.T, s *serve.Server, query string) (end func() string) {
	t.Helper()
	return followAs(t, s, "/events?"+query, nil)
}

// followAs opens a stream as the owner, or with the given headers.
func followAs(t *testing.T, s *serve.Server, path string, headers map[string]string) (end func() string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, "GET", path, nil)
	r.Host = "127.0.0.1:7727"
	asOwner(s, r)
	for k, v := range headers {
		r.Header.Set(k, v)
	}
	w := &closing{ResponseRecorder: httptest.NewRecorder(), after: math.MaxInt}
	ended := make(chan struct{})
	go func() { defer close(ended); s.Handler().ServeHTTP(w, r) }()
	synctest.Wait()
	return func() string { cancel(); <-ended; return strconv.Itoa(w.Code) + w.Body.String() }
}

// So many streams and no more are open at a time; one that ends makes room for one.
func TestMostStreams(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := start(t, serve.Options{})
		var open []func() string
		for range 1024 {
			open = append(open, follow(t, s, "topics=x"))
		}
		for range 2 {
			if said := follow(t, s, "topics=x")(); !strings.HasPrefix(said, "503") {
				t.Errorf("one more: %s", said)
			}
		}
		open[0]()
		last := follow(t, s, "topics=x")
		if said := follow(t, s, "topics=x")(); !strings.HasPrefix(said, "503") {
			t.Errorf("one more: %s", said)
		}
		for _, end := range append(open[1:], last) {
			if said := end(); said != "200retry: 1000\n: hello\n\n" {
				t.Errorf("a stream said %q", said)
			}
		}
	})
}

// Pages of a run of this process are told each second in which a game has ended, and of moves in the others as long as
// it plays.
func TestPagesHearOfARun(t *testing.T) {
	t.Parallel()
	path := played(t, nil)
	synctest.Test(t, func(t *testing.T) {
		feed := live.NewFeed(time.Now)
		s := start(t, serve.Options{Studies: []string{path}, Run: &serve.Run{Study: path, Event: "cup", Feed: feed}})
		end := follow(t, s, "topics=study:cup,wall")
		time.Sleep(500 * time.Millisecond) // between two seconds of the server
		for _, e := range [][]live.Event{
			{{Kind: live.Begin, Total: 24}},
			{{Kind: live.GameEnd}, {Kind: live.GameEnd}},
			nil,
			{{Kind: live.End, Done: 2, Total: 24}},
			nil, nil,
		} {
			feed.Publish(e...)
			time.Sleep(time.Second)
		}
		var told []string
		for _, line := range strings.Split(end(), "\n") {
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				told = append(told, data)
			}
		}
		if want := []string{
			`{"topics":["study:cup"]}`, `{"topics":["study:cup"]}`, `{"topics":["wall"]}`,
			`{"topics":["study:cup"]}`,
		}; !slices.Equal(told, want) {
			t.Errorf("told %v, want %v", told, want)
		}
	})
}

// A rules file that was edited since a game began: the page says so, and the game goes on under the rules that it
// began with.
func TestEditedRules(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "mine.yaml")
	write := func(line string) {
		must.Do(t, os.WriteFile(file, []byte("name: mine\nboard: {columns: 3, rows: 3}\nwin: {line: "+line+"}\n"),
			0o600))
	}
	write("3")
	s := start(t, serve.Options{Rules: []string{file}})
	at := game(t, s, "rules=mine&opponent=person")
	move(t, s, at, 0, "b2")
	if strings.Contains(send(s, request{path: at}).Body.String(), "rules file has changed") {
		t.Error("the file has not changed yet")
	}
	if w := send(s, request{path: "/"}); !strings.Contains(w.Body.String(), "from "+file) {
		t.Error("the own file has no card")
	}
	write("2")
	if !strings.Contains(send(s, request{path: at}).Body.String(), "rules file has changed") {
		t.Error("the page does not tell of the change")
	}
	for ply, m := range strings.Fields("a1 b1 c1") { // b2 b1 would win by the new rules
		if st := move(t, s, at, ply+1, m); ply < 2 && st.Result != "ongoing" {
			t.Errorf("%s ends the game: %+v", m, st)
		}
	}
	// The address of the game names no file: it works elsewhere.
	if body := html.UnescapeString(send(s, request{path: at}).Body.String()); !strings.Contains(body,
		"/review?moves=b2+a1+b1+c1&rules=classic") {
		t.Error("the link of the review needs the own file")
	}
	write("nonsense")
	if w := send(s, request{path: at}); w.Code != 200 {
		t.Errorf("with a file that cannot be read: %d", w.Code)
	}
	if w := send(s, request{path: "/"}); w.Code != 200 {
		t.Errorf("home with a file that cannot be read: %d", w.Code)
	}
}
