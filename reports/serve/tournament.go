package serve

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
	"spar/ratings"
	"spar/reports/board"
	"spar/reports/chart"
	"spar/reports/pages"
	"spar/reports/playing"
	"spar/reports/standings"
	"spar/reports/table"
	"spar/reports/trial"
)

// runBody is the data for the page of a run.
type runBody struct {
	ID, Study, Name string
	Event           study.Event
	Progress        *progress
	Owned           bool // this process plays it
	Stopped         bool
	CanGo           bool
	*rated
	Problem  string
	Test     *testView
	Faults   []store.Row
	Now      []wallBoard // boards of the games in progress
	Wall     []wallBoard // boards of the latest games
	Workers  int         // number of games at the same time in this process; 0 if unknown
	Machines []live.Machine
	Said     []string // messages about agents and machines that have stopped
	Queue    int      // number of games leased to other machines
	Games    string
	Facts    []playing.Fact
}

// Players is the table of machines.
func (b *runBody) Players() table.Table {
	return table.Build([]table.Field[live.Machine]{
		table.WordField("machine", func(m live.Machine) string { return m.Worker }),
		table.WordField("state", func(m live.Machine) string {
			switch {
			case m.Barred != "":
				return "barred: " + m.Barred
			case m.Here:
				return "here"
			case m.Lost:
				return "lost"
			}
			return "away"
		}),
		table.CountField("games at a time", func(m live.Machine) int64 { return int64(m.Slots) }),
		table.CellField("games per second", "", func(m live.Machine) table.Cell {
			return table.Num(m.Rate, chart.Number, 1)
		}),
		table.CountField("submitted", func(m live.Machine) int64 { return m.Games }),
		table.CountField("leased", func(m live.Machine) int64 { return int64(m.Holds) }),
		table.CountField("forfeits", func(m live.Machine) int64 { return m.Faults }),
	}, b.Machines).Titled("Machines")
}

// findEvent returns the event that the address of a run, KEY.NUMBER, names.
func (s *Server) findEvent(r *http.Request) (*opened, study.Event, error) {
	o, rest, err := s.studies.split(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, study.Event{}, err
	}
	events, err := o.db.Events(r.Context())
	if err != nil {
		return nil, study.Event{}, err
	}
	at := slices.IndexFunc(events, func(e study.Event) bool {
		return strconv.FormatInt(e.ID, 10) == rest ||
			e.Name == rest
	})
	if at < 0 {
		return nil, study.Event{}, notFound("%s has no run %q.", o.key, rest)
	}
	return o, events[at], nil
}

// mine returns the run of this process if it is the one in the address.
func (s *Server) mine(o *opened, e study.Event) *Run {
	if run := s.o.Run; run != nil && run.Event == e.Name && sameFile(run.Study, o.path) {
		return run
	}
	return nil
}

// runPage shows a run, finished or not.
func (s *Server) runPage(w http.ResponseWriter, r *http.Request) error {
	o, e, err := s.findEvent(r)
	if err != nil {
		return err
	}
	if wantsJSON(r) {
		b, err := s.runOf(r.Context(), o, e, r.PathValue("id"))
		if err != nil {
			return err
		}
		test := ""
		if b.Test != nil {
			test = b.Test.Words
		}
		return showJSON(w, http.StatusOK, map[string]any{
			"run": e.Name, "progress": b.Progress, "pools": b.Pools,
			"test": test, "workers": b.Workers, "machines": b.Machines,
		})
	}
	// The page of a run is made at most once a second for all readers.
	version, err := o.versions.Now(r.Context())
	if err != nil {
		return err
	}
	value, _, err := s.jobs.get("page "+r.PathValue("id"), [2]int64{s.hub.now(), version}, answerTime/2,
		func() (any, error) {
			since := s.hub.now()
			b, err := s.runOf(s.base, o, e, r.PathValue("id"))
			if err != nil {
				return nil, err
			}
			f := frame{Title: e.Name, Since: since, Topics: "study:" + o.key, Body: &b, Owner: true}
			if b.Owned && !b.Stopped {
				f.Topics += ",wall"
			}
			return s.render("run.tmpl", f)
		})
	if err != nil {
		return err
	}
	made, ok := value.(*rendered)
	if !ok {
		return failf(http.StatusServiceUnavailable, "Spar is making the page.")
	}
	return made.write(w, r, http.StatusOK)
}

func (s *Server) runOf(ctx context.Context, o *opened, e study.Event, id string) (runBody, error) {
	b := runBody{
		ID: id, Study: o.key, Name: e.Name, Event: e, Games: gamesOf(o.key, "event", e.Name),
		rated: &rated{Pools: []*standings.Standings{}},
	}
	return b, s.fillRun(ctx, o, e, &b)
}

// quickly is the number of games up to which a page waits for the standings.
const quickly = 50_000

func (s *Server) fillRun(ctx context.Context, o *opened, e study.Event, b *runBody) error {
	n, err := o.versions.Now(ctx)
	if err != nil {
		return err
	}
	if run := s.mine(o, e); run != nil {
		b.Owned, b.CanGo = true, run.Go != nil
		b.Progress, b.Stopped = s.progress()
		b.Machines, b.Said = s.players()
		for _, m := range b.Machines {
			b.Queue += m.Holds
		}
		if b.Workers = run.Workers; !b.Stopped {
			b.Now = boardsOf(run.Feed.Boards().Look())
		}
	}
	wait := promptly
	if sizes, ok, err := s.sizes(ctx, o, promptly); err != nil {
		return err
	} else if !ok {
		wait = 0 // counting a large study takes long
	} else if sizes.Games < quickly {
		wait = 3 * time.Second // short enough to wait
	}
	value, ok, err := s.jobs.get("standings "+o.key, n, wait, func() (any, error) {
		defer s.hub.bump("study:" + o.key)
		return s.rate(o)
	})
	switch {
	case err != nil:
		b.Problem = err.Error()
	case !ok:
		b.Problem = "Spar is computing the standings."
	default:
		b.rated = value.(*rated)
	}
	if b.Test, err = s.test(o, e, n); err != nil {
		return err
	}
	bound, err := o.db.Window(ctx, 0, window, true) // older forfeits are in the list of games
	if err != nil {
		return err
	}
	for row, err := range o.db.Games(ctx, store.Filter{
		Event: e.Name, Faults: true, Limit: 10, Last: true,
		Until: bound,
	}) {
		if err != nil {
			return err
		}
		b.Faults = append(b.Faults, row)
	}
	for row, err := range o.db.Games(ctx, store.Filter{Event: e.Name, Limit: 6, Last: true, Until: bound}) {
		if err != nil {
			return err
		}
		g, err := s.library.Stored(row.RulesJSON)
		if err != nil {
			continue // rules of another version cannot be drawn
		}
		p := g.NewPosition()
		if p.PlayText(strings.Fields(row.Moves)) == nil {
			b.Wall = append(b.Wall, wallBoard{
				fmt.Sprintf("%s.%d", o.key, row.ID),
				fmt.Sprintf("%s – %s: %s", row.FirstName, row.SecondName, row.Result), board.Picture(&p.State),
			})
		}
	}
	for _, x := range []playing.Fact{
		{Name: "Study", Value: o.path},
		{Name: "Purpose", Value: e.Purpose},
		{Name: "Seed", Value: strconv.FormatInt(e.Seed, 10)},
		{Name: "Begun", Value: e.Started},
		{Name: "Last run ended", Value: e.Ended},
		{Name: "Time of all runs", Value: fmt.Sprintf("%.1f s, %.1f s of CPU", e.WallS, e.CPUS)},
		{Name: "Program", Value: strings.TrimSpace(e.Build.Version + " " + e.Build.Commit)},
	} {
		if strings.TrimSpace(x.Value) != "" {
			b.Facts = append(b.Facts, x)
		}
	}
	return nil
}

// rated is the part of the page of a run that is about the standings of its study.
type rated struct {
	HTML  template.HTML
	Pools []*standings.Standings
	Runs  int // number of runs whose games the standings use
}

// rate makes the standings of a study and their page.
func (s *Server) rate(o *opened) (*rated, error) {
	pools, err := standings.Study(s.base, o.db, standings.Both, ratings.Options{})
	if err != nil {
		return nil, err
	}
	out := rated{Pools: []*standings.Standings{}}
	events, err := o.db.Events(s.base)
	for _, e := range events {
		if e.Purpose != evidence.PurposeHuman && !evidence.IsTraining(e.Purpose) {
			out.Runs++
		}
	}
	if err != nil || len(pools) == 0 {
		return &out, err
	}
	standings.MarkMisfits(pools)
	for _, p := range pools {
		out.Pools = append(out.Pools, p.JSON(standings.Extras{Crosstable: true}))
	}
	kinds, err := o.db.Kinds(s.base)
	if err != nil {
		return nil, err
	}
	d, err := pages.Tournament(o.key, o.path, pools, kinds, func(rules string) string { return "/b/" + o.key + "." + rules })
	if err != nil {
		return nil, err
	}
	out.HTML, err = d.Fragment()
	out.HTML = inMain(out.HTML)
	return &out, err
}

// inMain returns the parts of a document after its title, for a page that has a title and a main part.
func inMain(all template.HTML) template.HTML {
	_, rest, _ := strings.Cut(string(all), "</h1>")
	return template.HTML(strings.NewReplacer("</header>", "", "<main>", "", "</main>", "").Replace(rest))
}

// gamesOf returns the address of the games of a study for which a filter has a value.
func gamesOf(key, filter, value string) string {
	return "/games/" + key + "?" + url.Values{filter: {value}}.Encode()
}

// testView is the state of a sequential test: in words, and in percent of the way from the lower to the upper
// bound.
type testView struct {
	Words, Lower, Upper string
	At                  int
	Begun               bool
}

// test returns the state of the sequential test of a match; nil if it has none.
func (s *Server) test(o *opened, e study.Event, version any) (*testView, error) {
	test, agent, _, _ := trial.Planned(e)
	if test == nil {
		return nil, nil // no match with a test
	}
	value, _, err := s.jobs.get(fmt.Sprintf("test %s.%d", o.key, e.ID), version, promptly, func() (any, error) {
		defer s.hub.bump("study:" + o.key)
		l := standings.NewLive(agent, test)
		names, err := o.db.AgentNames(s.base)
		if err != nil {
			return nil, err
		}
		for g, err := range o.db.Briefs(s.base) {
			if err != nil {
				return nil, err
			}
			if g.Event == e.ID {
				l.Add(standings.LiveGame{
					First: names[int64(g.First)], Second: names[int64(g.Second)], Pair: g.Pair,
					Result: resultOf(g.Half), Marks: g.Marks, Opening: g.Opening,
				})
			}
		}
		v := &testView{
			Words: sentenceCase(l.Test()) + ".", Lower: fmt.Sprintf("no more than %g Elo", test.Elo0),
			Upper: fmt.Sprintf("%g Elo", test.Elo1),
		}
		at, begun := l.Between()
		v.At, v.Begun = int(100*at), begun
		return v, nil
	})
	v, _ := value.(*testView)
	return v, err
}

func resultOf(half uint8) engines.Result {
	return [3]engines.Result{engines.SecondWins, engines.Drawn, engines.FirstWins}[min(half, 2)]
}

// runDo stops or continues the run of this process.
func (s *Server) runDo(w http.ResponseWriter, r *http.Request) error {
	o, e, err := s.findEvent(r)
	if err != nil {
		return err
	}
	run := s.mine(o, e)
	if run == nil {
		return failf(http.StatusConflict, "Another process plays this run: stop it there.")
	}
	switch what := r.PathValue("what"); {
	case what == "stop":
		run.Stop()
	case what == "go" && run.Go != nil:
		run.Go()
	default:
		return notFound("There is no command %q.", what)
	}
	s.jobs.forget("page " + r.PathValue("id"))
	http.Redirect(w, r, "/t/"+r.PathValue("id"), http.StatusSeeOther)
	return nil
}
