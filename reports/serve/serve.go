// Package serve is the web server of Spar: HTTP handlers that show studies while they grow, let people play,
// review games and change rules.
//
// A route has a right (rights.go) and a handler. A handler reads the request, asks another package for the result
// and fills a template in web. Package session holds the games played by people; measures and figures come from the
// packages that the command line uses. A job computes a slow result once for all readers, and keeps it until the
// study changes. A page subscribes to topics on one event stream (hub) and reloads when a topic changes. Pages
// load nothing from other servers, and work without JavaScript.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"spar/arena/live"
	"spar/configs/strict"
	"spar/reports/serve/session"
)

// DefaultListen is the default address: only this computer can open it.
const DefaultListen = "127.0.0.1:7727"

// Options configure a server.
type Options struct {
	Listen   string
	Studies  []string      `flag:"db" help:"study to show, instead of all studies in the folder (repeatable)"`
	Folder   string        `flag:"folder=out" help:"folder of the studies and of the games played by people"`
	Rules    []string      `flag:"rules,r" help:"add a rules file to the shipped games, for play, sweeps and tunings (repeatable)"`
	Agents   []string      `flag:"agent,a" help:"add an agent file to the shipped agents, for play and tunings (repeatable)"`
	Hosts    []string      `flag:"allow-host" help:"another host name that the server answers to (repeatable)"`
	Searches int           `flag:"searches" help:"maximum number of searches at a time; 0 = one per core"`
	MoveTime time.Duration `flag:"move-time=20s" help:"time limit per agent move"`
	Log      io.Writer     // receives warnings
	Run      *Run          // a tournament that this process plays; nil = none
}

// Run is a tournament that this process plays. Its page can stop it.
type Run struct {
	Study string // path of the study of the run
	Event string
	Feed  *live.Feed
	Stop  func() // finishes the running games and stops; may be called again
	Go    func() // continues the run; nil if that is not possible

	Workers int // number of games at the same time in this process; 0 if other machines play
}

// Limits of a server: sizes in bytes, numbers and durations.
const (
	mostBody    = 64 << 10
	mostStreams = 1024
	headerTime  = 5 * time.Second
	answerTime  = 30 * time.Second
	idleTime    = 60 * time.Second
	defaultMove = 20 * time.Second // time limit of an agent's move
	rateTime    = 20 * time.Second // time limit for rating a position
)

// Server serves all pages.
type Server struct {
	o        Options
	token    string // token of the owner
	hosts    map[string]bool
	ips      bool // answer requests whose host name is an IP address
	hub      *hub
	quotas   *quotas
	library  *session.Library
	sessions *session.Sessions
	closed   atomic.Pointer[string] // why nobody can play here; nil if people can
	valuer   *session.Valuer
	people   *session.People
	studies  *studies
	assets   *assets
	jobs     jobs
	reading  sync.Map // progress of reports as text, by topic
	designs  *session.Studies
	live     struct {
		sync.Mutex
		view liveView
	}
	detach func() // stops listening to the events of this process's run
	base   context.Context
	quit   context.CancelFunc
}

// New returns a server that does not listen yet. The caller must close it.
func New(ctx context.Context, o Options) (*Server, error) {
	if o.Listen == "" {
		o.Listen = DefaultListen
	}
	if o.Searches <= 0 {
		o.Searches = runtime.NumCPU()
	}
	if o.MoveTime <= 0 {
		o.MoveTime = defaultMove
	}
	if o.Folder == "" {
		o.Folder = "out"
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	s := &Server{
		o:      o,
		quotas: &quotas{open: map[string][]*connection{}, streams: map[string]int{}, games: map[string]time.Time{}},
	}
	if err := s.setHosts(); err != nil {
		return nil, err
	}
	var err error
	if s.library, err = session.NewLibrary(o.Rules, o.Agents); err != nil {
		return nil, err
	}
	if s.assets, err = newAssets(s.library); err != nil {
		return nil, err
	}
	s.base, s.quit = context.WithCancel(ctx)
	s.hub = newHub(time.Now())
	s.jobs.stale = func(key string) { // pages with an older result will ask again
		_, rest, ok := strings.Cut(key, " ")
		if ok && !s.runs() { // during a run, beat tells pages
			of, _, _ := strings.Cut(rest, ".")
			s.hub.bumpLater("study:"+of, fresh+beatEvery)
		}
	}
	s.jobs.plays = s.runs
	s.studies = &studies{files: o.Studies, folder: o.Folder, hub: s.hub, base: s.base}
	if err := s.studies.find(ctx); err != nil {
		s.quit()
		return nil, err
	}
	s.setToken() // a file, so nothing may be wrong with the options any more
	s.people = &session.People{Folder: o.Folder, Library: s.library, Watched: s.base}
	s.library.Elsewhere = s.rulesByHash
	searches := make(chan struct{}, o.Searches)
	s.detach = func() {}
	if o.Run != nil {
		s.detach = o.Run.Feed.Attach(s.hear)
		s.jobs.work.Go(s.beat)
	}
	s.sessions = &session.Sessions{
		Library:  s.library,
		Store:    s.people,
		Guests:   make(chan struct{}, max(1, o.Searches/2)), // so the owner never waits for a guest
		Changed:  func(id string) { s.hub.bump("play:" + id) },
		Searches: searches,
		MoveTime: o.MoveTime,
	}
	s.sessions.OnSaveError = func(err error) {
		if err != nil {
			fmt.Fprintf(o.Log, "warning: games played by people cannot be stored: %v. Spar tries again every second\n", err)
		} else {
			fmt.Fprintln(o.Log, "all games played by people are now stored")
		}
	}
	s.sessions.Open(s.base)
	if err := s.own(); err != nil {
		fmt.Fprintln(o.Log, *s.closed.Load())
		s.jobs.work.Go(s.takeOver)
	}
	s.valuer = &session.Valuer{Searches: searches, Limit: rateTime}
	s.valuer.Open(s.base)
	s.designs = &session.Studies{Searches: searches, Changed: func(rules string) { s.hub.bump("design:" + rules) }}
	s.designs.Open(s.base)
	return s, nil
}

// own makes this server the one that stores games played by people.
func (s *Server) own() error {
	if err := s.people.Own(); err != nil {
		why := fmt.Sprintf("This server shows studies only, because it cannot store games played by people: %v.", err)
		s.closed.Store(&why)
		return err
	}
	if err := s.sessions.Resume(); err != nil {
		fmt.Fprintf(s.o.Log, "warning: cannot restore the unstored games played by people: %v\n", err)
	}
	s.closed.Store(nil)
	return nil
}

// ownEvery is how often a server tries to become the one that stores games played by people.
const ownEvery = 5 * time.Second

// takeOver waits until this server can store games played by people.
func (s *Server) takeOver() {
	for {
		select {
		case <-time.After(ownEvery):
		case <-s.base.Done():
			return
		}
		if s.own() == nil {
			fmt.Fprintln(s.o.Log, "This server now stores games played by people.")
			return
		}
	}
}

// Close ends searches and event streams, and closes the studies.
func (s *Server) Close() error {
	s.quit()
	s.detach()
	s.hub.close()
	s.jobs.work.Wait()
	err := s.sessions.Close()
	s.valuer.Close()
	s.designs.Close()
	return errors.Join(err, s.people.Close(), s.studies.close())
}

// URL returns the address of the home page, with the owner's token.
func (s *Server) URL(at net.Addr) string {
	host := at.String()
	if h, port, err := net.SplitHostPort(host); err == nil {
		if ip := net.ParseIP(h); ip != nil && ip.IsUnspecified() {
			h = "127.0.0.1"
		}
		host = net.JoinHostPort(h, port)
	}
	u := url.URL{
		Scheme:   "http",
		Host:     host,
		Path:     "/",
		RawQuery: url.Values{"token": {s.token}}.Encode(),
	}
	return u.String()
}

// Addresses lists the addresses of the server. If it listens on all interfaces, its IPv4 addresses come first, then
// IPv6, and last the address that only this computer can open.
func (s *Server) Addresses(at net.Addr) ([]string, error) {
	here, ok := at.(*net.TCPAddr)
	if !ok || !here.IP.IsUnspecified() {
		return []string{s.URL(at)}, nil
	}
	all, err := net.InterfaceAddrs()
	var out, six []string
	for _, a := range all {
		n, ok := a.(*net.IPNet)
		if !ok || !n.IP.IsGlobalUnicast() {
			continue
		}
		to := s.URL(&net.TCPAddr{IP: n.IP, Port: here.Port})
		if n.IP.To4() == nil {
			six = append(six, to)
			continue
		}
		out = append(out, to)
	}
	return slices.Concat(out, six, []string{s.URL(at) + " (this computer only)"}), err
}

// Listen opens a port. If the port is in use, the error says what to do.
func Listen(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, strict.Badf("cannot listen on %s: %w (127.0.0.1:0 takes any free port)", address, err)
	}
	return l, nil
}

// Serve answers requests until ctx ends. It then finishes running requests and ends event streams.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       answerTime,
		WriteTimeout:      answerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    16 << 10,
		ConnContext:       s.quotas.connect,
		ConnState:         s.quotas.closed,
	}
	h.RegisterOnShutdown(s.hub.close) // else it would wait for open streams
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	s.jobs.work.Go(func() { s.shop() }) // so that the first page is fast
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	calm, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if err := h.Shutdown(calm); err != nil {
		_ = h.Close() // the remaining requests are too slow
	}
	return nil
}

// Handler returns the HTTP handler for all pages. It includes all checks of access rights.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.HandleFunc(r.pattern, s.answer(s.permit(r)))
	}
	return s.guard(mux)
}
