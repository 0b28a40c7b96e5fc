package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"spar/arena/campaign"
	"spar/arena/store"
	"spar/arena/study"
	"spar/reports/serve/session"
	"spar/reports/table"
)

// studies are the study files that pages may show: those named on the command line, or all files of a folder.
type studies struct {
	files  []string
	folder string
	hub    *hub
	base   context.Context

	work    sync.WaitGroup
	mu      sync.Mutex
	open    map[string]*opened // open studies, by key; those whose files were replaced have other keys
	watched map[string]*watched
}

// opened is an open study.
type opened struct {
	key, path string
	db        *store.DB
	versions  *store.Versions
}

// watched is a study that pages show.
type watched struct {
	pages int
	stop  context.CancelFunc
}

// find checks the study files named on the command line.
func (s *studies) find(ctx context.Context) error {
	s.open, s.watched = map[string]*opened{}, map[string]*watched{}
	for _, path := range s.files {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("no study at %s", path)
		}
		if err := store.Check(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// paths returns the paths of the studies by key. The key is the name of the file, with a number if two files have
// the same name.
func (s *studies) paths() (keys []string, byKey map[string]string) {
	files := s.files
	if files == nil {
		files, _ = filepath.Glob(filepath.Join(s.folder, "*.db")) // the pattern is right
	}
	byKey = map[string]string{}
	for _, path := range files {
		base := strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
				return r
			}
			return '-'
		}, strings.TrimSuffix(filepath.Base(path), ".db"))
		key := base
		for n := 2; byKey[key] != ""; n++ {
			key = base + "-" + strconv.Itoa(n)
		}
		byKey[key] = path
		keys = append(keys, key)
	}
	p := filepath.Join(s.folder, session.PeopleFile)
	if _, err := os.Stat(p); err == nil && s.files != nil && !slices.Contains(files, p) && byKey["people"] == "" {
		byKey["people"] = p
		keys = append(keys, "people")
	}
	return keys, byKey
}

// study returns a study. It opens a file once, and the new file if another has its name.
func (s *studies) study(ctx context.Context, key string) (*opened, error) {
	_, byKey := s.paths()
	path, ok := byKey[key]
	if !ok {
		return nil, notFound("There is no study %q here.", key)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.open[key]
	if before != nil && before.path == path && !before.db.Replaced() {
		return before, nil
	}
	db, err := store.Open(context.WithoutCancel(ctx), path, store.Existing)
	if err != nil {
		return nil, failf(500, "%v", err)
	}
	versions, err := db.Versions(s.base)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if before != nil { // others may be reading it
		s.open[fmt.Sprint(key, " ", len(s.open))] = before
	}
	o := &opened{key: key, path: path, db: db, versions: versions}
	s.open[key] = o
	return o, nil
}

func (s *studies) close() error {
	s.work.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []error
	for _, o := range s.open {
		all = append(all, o.versions.Close(), o.db.Close())
	}
	return errors.Join(all...)
}

// split divides an address in a study, KEY.REST, into its two parts.
func (s *studies) split(ctx context.Context, id string) (o *opened, rest string, err error) {
	key, rest, ok := strings.Cut(id, ".")
	if !ok || rest == "" {
		return nil, "", notFound("%q: expected STUDY.NAME, like cup.1 or cup.classic.", id)
	}
	o, err = s.study(ctx, key)
	return o, rest, err
}

// listedStudy is a row in the list of studies.
type listedStudy struct {
	Key     string
	Games   int64
	Runs    []table.Cell // links to the pages of runs and of balance reports
	Problem string
}

// studyTable lists studies.
func studyTable(all []listedStudy) table.Table {
	return table.Rows(all, func(l listedStudy) []any {
		games := table.Count(int(l.Games))
		if l.Problem != "" {
			games = table.None(l.Problem)
		}
		runs := l.Runs
		if more := len(runs) - mostRuns; more > 0 {
			runs = append(runs[:mostRuns], table.Words(fmt.Sprintf("and %d more", more)).Link("/study/"+l.Key))
		}
		return []any{
			"study", table.Link(l.Key, "/study/"+l.Key), "games", games, "results",
			table.As{Column: table.Column{Text: true}, Cell: table.Words(l.Problem).And(runs...)},
		}
	})
}

// mostRuns is the maximum number of runs that a row of the list shows.
const mostRuns = 5

type listedRun struct{ ID, Name, Purpose, Begun string }

// runs lists the events of a study that have games.
func runs(key string, events []study.Event) (out []listedRun) {
	for _, e := range events {
		if strings.HasSuffix(e.Purpose, "/plan") { // it has no games
			continue
		}
		out = append(out, listedRun{fmt.Sprintf("%s.%d", key, e.ID), e.Name, cmp.Or(e.Purpose, "run"), day(e.Started)})
	}
	return out
}

// day writes the time of a study's event for people.
func day(at string) string {
	if t, err := time.Parse(time.RFC3339, at); err == nil {
		return t.Format("2 January 2006, 15:04")
	}
	return at
}

// sizes counts the rows of a study, once for each version of the study. It waits at most for the time wait. The
// result ok is false if counting has not finished.
func (s *Server) sizes(ctx context.Context, o *opened, wait time.Duration) (n store.Sizes, ok bool, err error) {
	version, err := o.versions.Now(ctx)
	if err != nil {
		return n, false, err
	}
	return made(s, "sizes "+o.key, version, wait, "sizes:"+o.key,
		func() (store.Sizes, error) { return o.db.Sizes(s.base) })
}

// list describes all studies.
func (s *Server) list(ctx context.Context) []listedStudy {
	keys, byKey := s.studies.paths()
	var out []listedStudy
	late := time.Now().Add(promptly)
	for _, key := range keys {
		l := listedStudy{Key: key}
		if err := s.describe(ctx, &l, time.Until(late)); err != nil {
			l.Problem = err.Error()
		}
		if l.Problem == "" && l.Games == 0 && filepath.Base(byKey[key]) == session.PeopleFile {
			continue // the server has made it for games to come
		}
		out = append(out, l)
	}
	return out
}

func (s *Server) describe(ctx context.Context, l *listedStudy, wait time.Duration) error {
	o, err := s.studies.study(ctx, l.Key)
	if err != nil {
		return err
	}
	n, ok, err := s.sizes(ctx, o, wait)
	if err == nil && !ok {
		l.Problem = counting
	}
	if err != nil {
		return err
	}
	l.Games = n.Games
	events, err := o.db.Events(ctx)
	if err != nil {
		return err
	}
	for _, e := range events {
		switch label, plan := strings.CutSuffix(e.Name, "/plan"); {
		case plan && e.Purpose == campaign.PurposePlan:
			l.Runs = append(l.Runs, table.Words("balance of "+label).Link("/b/"+l.Key+"."+label))
		case !strings.Contains(e.Purpose, "/"): // otherwise it is a part of a study of balance or of a sweep
			l.Runs = append(l.Runs, table.Words(e.Name).Link(fmt.Sprintf("/t/%s.%d", l.Key, e.ID)))
		}
	}
	return nil
}

// watchEvery is how often the server checks a study on a page for changes by other processes.
const watchEvery = 400 * time.Millisecond

// watch reports changes of a study to the pages that show it, until the caller calls release. All pages share one
// check, so more readers do not slow down a run.
func (s *Server) watch(topics []string) (release func()) {
	var all []func()
	_, paths := s.studies.paths()
	for _, topic := range topics {
		key, _ := strings.CutPrefix(topic, "study:")
		path, ok := paths[key]
		// beat tells about the run of this process
		if own := s.o.Run; ok && (own == nil || !sameFile(own.Study, path)) {
			all = append(all, s.studies.watch(key))
		}
	}
	return func() {
		for _, release := range all {
			release()
		}
	}
}

func (s *studies) watch(key string) (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watched[key] == nil {
		ctx, stop := context.WithCancel(s.base)
		s.watched[key] = &watched{stop: stop}
		s.work.Go(func() { s.tell(ctx, key) })
	}
	s.watched[key].pages++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.watched[key].pages--; s.watched[key].pages == 0 {
			s.watched[key].stop()
			delete(s.watched, key)
		}
	}
}

// tell reports changes of a study until ctx ends. It reports nothing while the study cannot be read.
func (s *studies) tell(ctx context.Context, key string) {
	for last := int64(0); ctx.Err() == nil; {
		if o, err := s.study(ctx, key); err == nil {
			if now, err := o.versions.Now(ctx); err == nil {
				if last != 0 && now != last {
					s.hub.bump("study:" + key)
				}
				last = now
			}
		}
		select {
		case <-time.After(watchEvery):
		case <-ctx.Done():
		}
	}
}

// rulesByHash finds rules by their hash, in the studies and in the games played by people.
func (s *Server) rulesByHash(hash string) (canonical string, ok bool) {
	keys, _ := s.studies.paths()
	for _, key := range keys {
		o, err := s.studies.study(s.base, key)
		if err != nil {
			continue // the page of the study shows the error
		}
		rules, err := o.db.Rules(s.base)
		for _, r := range rules {
			if err == nil && r.Hash == hash {
				return r.Canonical, true
			}
		}
	}
	records, _ := s.people.Latest(s.base, -1)
	for _, r := range records {
		if g, err := s.library.Stored(r.Canonical); err == nil && g.RulesHash() == hash {
			return r.Canonical, true
		}
	}
	return "", false
}
