package serve

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"spar/arena/live"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/standings"
	"spar/reports/trial"
)

// runBody is the page of a run: standings first, then what else is known of it.
type runBody struct {
	ID, Study, Name string
	Event           study.Event
	Verdict         string
	Progress        *progress
	Owned           bool // this process plays it
	Stopped         bool
	CanGo           bool
	Pools           []poolView
	Problem         string
	Test            *testView
	Faults          []store.Row
	Now             []wallBoard // being played
	Wall            []wallBoard // played at last
	Workers         int         // games at a time in this process; 0 where others play, or nobody knows
	Machines        []live.Machine
	Queue           int // games that machines hold
	Games           string
	Facts           []fact
}

type progress struct {
	Done, Total int64
	Exact       bool
	Rate, Left  string
}

// poolView is a table of standings.
type poolView struct {
	Title    string
	Rows     []standingRow
	Names    []string
	Cross    [][]crossCell
	Warnings []string
	Games    int64
	Errors   string
	First    string
}

type standingRow struct {
	Rank, Agent, Elo, Interval, Score string
	Next                              string // expected score against the agent ranked below
	Games                             int64
	First, Second                     string
	Faults                            int64
	Lo, Mid, Hi                       int // places of the interval on a common axis, 0 to 100
	Open                              bool
}

type crossCell struct {
	Self  bool
	Score string
	WDL   string
	Class string
}

type wallBoard struct {
	ID    string
	Title string
	Grid  grid
}

// findEvent reads the address of a run: KEY.NUMBER.
func (s *Server) findEvent(r *http.Request) (*opened, study.Event, error) {
	o, rest, err := s.studies.split(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, study.Event{}, err
	}
	events, err := o.db.Events(r.Context())
	if err != nil {
		return nil, study.Event{}, err
	}
	at := slices.IndexFunc(events, func(e study.Event) bool { return strconv.FormatInt(e.ID, 10) == rest || e.Name == rest })
	if at < 0 {
		return nil, study.Event{}, notFound("%s has no run %q.", o.key, rest)
	}
	return o, events[at], nil
}

// mine is the run of this process, if that is the one.
func (s *Server) mine(o *opened, e study.Event) *Run {
	if run := s.o.Run; run != nil && run.Event == e.Name && sameFile(run.Study, o.path) {
		return run
	}
	return nil
}

// runPage shows a run, also while it plays.
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
		return showJSON(w, http.StatusOK, map[string]any{"run": e.Name, "progress": b.Progress, "pools": b.Pools, "test": test, "workers": b.Workers, "machines": b.Machines})
	}
	// However many look at a run that plays, its page is made at most once a second.
	version, err := o.versions.Now(r.Context())
	if err != nil {
		return err
	}
	value, _, err := s.jobs.get("page "+r.PathValue("id"), [2]int64{s.hub.now(), version}, answerTime/2, func() (any, error) {
		since := s.hub.now()
		b, err := s.runOf(s.base, o, e, r.PathValue("id"))
		if err != nil {
			return nil, err
		}
		f := frame{Title: e.Name, Since: since, Topics: "study:" + o.key, Body: &b, Wide: true, Owner: true}
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
		return failf(http.StatusServiceUnavailable, "The page is being made.")
	}
	return made.write(w, r, http.StatusOK)
}

func (s *Server) runOf(ctx context.Context, o *opened, e study.Event, id string) (runBody, error) {
	b := runBody{ID: id, Study: o.key, Name: e.Name, Event: e, Games: "/games/" + o.key + "?event=" + queryEscape(e.Name)}
	return b, s.fillRun(ctx, o, e, &b)
}

// quickly is the number of games below which the standings are waited for.
const quickly = 50_000

func (s *Server) fillRun(ctx context.Context, o *opened, e study.Event, b *runBody) error {
	n, err := o.versions.Now(ctx)
	if err != nil {
		return err
	}
	if run := s.mine(o, e); run != nil {
		b.Owned, b.CanGo = true, run.Go != nil
		b.Progress, b.Stopped = s.progress()
		b.Machines = s.machines()
		if b.Workers = run.Workers; !b.Stopped {
			b.Now = boardsOf(run.Feed.Boards().Look())
		}
		for _, m := range b.Machines {
			b.Queue += m.Holds
		}
	}
	wait := promptly
	if sizes, ok, err := s.sizes(ctx, o, promptly); err != nil {
		return err
	} else if !ok {
		wait = 0 // it is so large that counting it takes a while
	} else if sizes.Games < quickly {
		wait = 3 * time.Second // it takes a moment, and the page is whole
	}
	value, ok, err := s.jobs.get("standings "+o.key, n, wait, func() (any, error) {
		defer s.hub.bump("study:" + o.key)
		pools, err := standings.Study(s.base, o.db, standings.Both, ratings.Options{})
		if err != nil {
			return nil, err
		}
		standings.MarkMisfits(pools)
		slices.SortStableFunc(pools, func(a, b *standings.Pool) int { // all games together come first
			return cmp.Compare(min(len(a.Rules), 1), min(len(b.Rules), 1))
		})
		var out []poolView
		for _, p := range pools {
			v, err := viewOf(p)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	})
	switch {
	case err != nil:
		b.Problem = err.Error()
	case !ok:
		b.Problem = "The standings are being worked out."
	default:
		b.Pools = value.([]poolView)
	}
	b.Verdict = verdict(b.Pools)
	if b.Test, err = s.test(o, e, n); err != nil {
		return err
	}
	bound, err := o.db.Window(ctx, 0, window, true) // forfeits of long ago are in the list of games
	if err != nil {
		return err
	}
	for row, err := range o.db.Games(ctx, store.Filter{Event: e.Name, Faults: true, Limit: 10, Last: true, Until: bound}) {
		if err != nil {
			return err
		}
		b.Faults = append(b.Faults, row)
	}
	for row, err := range o.db.Games(ctx, store.Filter{Event: e.Name, Limit: 6, Last: true, Until: bound}) {
		if err != nil {
			return err
		}
		g, err := engines.Stored(row.RulesJSON)
		if err != nil {
			continue // the rules of another version: its games are not drawn
		}
		p := g.NewPosition()
		if p.PlayText(strings.Fields(row.Moves)) == nil {
			b.Wall = append(b.Wall, wallBoard{fmt.Sprintf("%s.%d", o.key, row.ID), fmt.Sprintf("%s – %s: %s", row.FirstName, row.SecondName, row.Result), picture(p)})
		}
	}
	for _, x := range []fact{
		{"Study", o.path},
		{"Purpose", e.Purpose},
		{"Seed", strconv.FormatInt(e.Seed, 10)},
		{"Begun", e.Started},
		{"Last run ended", e.Ended},
		{"Time of all runs", fmt.Sprintf("%.1f s, %.1f s of CPU", e.WallS, e.CPUS)},
		{"Program", strings.TrimSpace(e.Build.Version + " " + e.Build.Commit)},
	} {
		if strings.TrimSpace(x.Value) != "" {
			b.Facts = append(b.Facts, x)
		}
	}
	return nil
}

// progress is how far the run of this process is.
func (s *Server) progress() (p *progress, stopped bool) {
	s.live.Lock()
	defer s.live.Unlock()
	v := s.live.view
	if v.Total == 0 {
		return nil, v.ended
	}
	p = &progress{Done: v.Done, Total: v.Total, Exact: v.Exact}
	if since := v.at.Sub(v.began).Seconds(); v.Done > v.before && since > 0.5 {
		rate := float64(v.Done-v.before) / since
		p.Rate = fmt.Sprintf("%.0f games a second", rate)
		if left := float64(v.Total-v.Done) / rate; !v.ended && left >= 1 {
			p.Left = "about " + time.Duration(left*float64(time.Second)).Round(time.Second).String() + " left"
		}
	}
	return p, v.ended
}

// viewOf is a pool of standings as the page shows it.
func viewOf(p *standings.Pool) (poolView, error) {
	all, err := p.JSON(standings.Extras{Crosstable: true})
	if err != nil {
		return poolView{}, err
	}
	v := poolView{Title: p.Title, Games: all.Games, Errors: "intervals by " + errorsBy(all.Errors)}
	if len(p.Rules) == 0 {
		v.Title = sentenceCase(v.Title)
	}
	for _, w := range p.Warnings() {
		v.Warnings = append(v.Warnings, sentenceCase(strings.TrimSuffix(w, ".")))
	}
	ranks := map[string]standings.RankRange{}
	for _, r := range all.Ranks {
		ranks[r.Agent] = r
	}
	lo, hi := 0.0, 0.0
	for _, a := range all.Agents {
		lo, hi = min(lo, a.Elo, deref(a.Lo, a.Elo)), max(hi, a.Elo, deref(a.Hi, a.Elo))
	}
	place := func(x float64) int { return int(100 * (x - lo) / max(hi-lo, 1)) }
	wdl := func(c standings.Count) string { return fmt.Sprintf("%d–%d–%d", c.Wins, c.Draws, c.Losses) }
	for _, a := range all.Agents {
		row := standingRow{
			Agent: a.Agent, Elo: signed(a.Elo), Games: a.Games, Score: fmt.Sprintf("%.1f %%", 100*a.Score), First: wdl(a.AsFirst), Second: wdl(a.AsSecond), Faults: a.Faults,
			Open: a.Lo == nil || a.Hi == nil, Lo: place(deref(a.Lo, lo)), Mid: place(a.Elo), Hi: place(deref(a.Hi, hi)), Next: a.Next.Expected(),
		}
		if row.Interval = bound(a.Lo, "no bound") + " to " + bound(a.Hi, "no bound"); a.Lo == nil && a.Hi == nil {
			row.Interval = "no bounds"
		}
		if r, ok := ranks[a.Agent]; ok {
			row.Rank = strconv.Itoa(r.Lo)
			if r.Hi != r.Lo {
				row.Rank += "–" + strconv.Itoa(r.Hi)
			}
		}
		v.Rows, v.Names = append(v.Rows, row), append(v.Names, a.Agent)
	}
	counts := map[[2]string]ratings.Count{}
	names := p.Table.Players()
	for _, x := range p.Table.Pairings() {
		a, b := names[x.First], names[x.Second]
		one, two := counts[[2]string{a, b}], counts[[2]string{b, a}]
		counts[[2]string{a, b}] = ratings.Count{Wins: one.Wins + x.Wins, Draws: one.Draws + x.Draws, Losses: one.Losses + x.Losses}
		counts[[2]string{b, a}] = ratings.Count{Wins: two.Wins + x.Losses, Draws: two.Draws + x.Draws, Losses: two.Losses + x.Wins}
	}
	if len(v.Names) <= 40 { // beyond that nobody reads a matrix
		for _, a := range v.Names {
			var line []crossCell
			for _, b := range v.Names {
				c := counts[[2]string{a, b}]
				cell := crossCell{Self: a == b}
				if n := c.Games(); n > 0 && a != b {
					score := standings.Score(c)
					cell.Score, cell.WDL = fmt.Sprintf("%.0f %%", 100*score), fmt.Sprintf("%d–%d–%d", c.Wins, c.Draws, c.Losses)
					cell.Class = fmt.Sprintf("d%d", shade(score, chart.Steps))
				}
				line = append(line, cell)
			}
			v.Cross = append(v.Cross, line)
		}
	}
	for _, a := range all.Advantages {
		if a.Score != nil {
			v.First = strings.TrimLeft(v.First+fmt.Sprintf(", %.1f %% (%.1f to %.1f) in %s", 100*a.Score.Value, 100*a.Score.Lo, 100*a.Score.Hi, a.Rules), ", ")
		}
	}
	return v, nil
}

func deref(x *float64, or float64) float64 {
	if x == nil {
		return or
	}
	return *x
}

func bound(x *float64, open string) string {
	if x == nil {
		return open
	}
	return signed(*x)
}

func signed(x float64) string { return strings.Replace(fmt.Sprintf("%+.0f", x), "-", "−", 1) }

// errorsBy says in words where the errors of standings come from.
func errorsBy(kind string) string {
	words := map[string]string{"pair": "pairs of games", "game": "single games", "draw-aware": "single games and their draws", "naive": "single games as if none were drawn", "posterior": "the prior, where the games say too little"}
	return cmp.Or(words[kind], kind)
}

// verdict says who leads, and whether that is sure.
func verdict(pools []poolView) string {
	if len(pools) == 0 || len(pools[0].Rows) == 0 {
		return "No games yet that count."
	}
	rows := pools[0].Rows
	tied := 0
	for _, r := range rows {
		if strings.HasPrefix(r.Rank, "1–") || r.Rank == "1" {
			tied++
		}
	}
	if tied > 1 || len(rows) == 1 {
		return fmt.Sprintf("The first %d are not separated at 95 %%.", max(tied, 1))
	}
	return fmt.Sprintf("%s leads.", rows[0].Agent)
}

// testView is where the sequential test of a match stands: in words, and in percent of the way from its lower bound to the upper one.
type testView struct {
	Words, Lower, Upper string
	At                  int
	Begun               bool
}

// test is where the sequential test of a match stands; nil where there is none.
func (s *Server) test(o *opened, e study.Event, version any) (*testView, error) {
	test, agent, _, ok := trial.Planned(e)
	if !ok {
		return nil, nil // no match with a test
	}
	value, _, err := s.jobs.get(fmt.Sprintf("test %s.%d", o.key, e.ID), version, promptly, func() (any, error) {
		defer s.hub.bump("study:" + o.key)
		l := standings.NewLive(agent, &test)
		names, err := o.db.AgentNames(s.base)
		if err != nil {
			return nil, err
		}
		for g, err := range o.db.Briefs(s.base) {
			if err != nil {
				return nil, err
			}
			if g.Event == e.ID {
				l.Add(standings.LiveGame{First: names[int64(g.First)], Second: names[int64(g.Second)], Pair: g.Pair, Result: resultOf(g.Half), Marks: g.Marks})
			}
		}
		v := &testView{Words: sentenceCase(l.Test()) + ".", Lower: fmt.Sprintf("no more than %g Elo", test.Elo0), Upper: fmt.Sprintf("%g Elo", test.Elo1)}
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

// boardsOf draws the games that are being played, by player.
func boardsOf(shown map[int]live.Board) []wallBoard {
	var out []wallBoard
	for _, player := range slices.Sorted(maps.Keys(shown)) {
		x := shown[player]
		title := fmt.Sprintf("Game %d, ply %d: %s – %s", x.Number+1, x.Position.Ply(), x.First, x.Second)
		if x.Machine != "" {
			title += ", on " + x.Machine
		}
		out = append(out, wallBoard{Title: title, Grid: picture(x.Position)})
	}
	return out
}

// hear follows the run of this process. It is called for every game: pages are told by beat.
func (s *Server) hear(e live.Event) {
	s.live.Lock()
	defer s.live.Unlock()
	v := &s.live.view
	switch e.Kind {
	case live.Begin:
		v.Done, v.Total, v.Exact, v.before, v.began, v.ended = e.Done, e.Total, e.Exact, e.Done, e.At, false
	case live.GameEnd, live.Fault:
		v.Done++
	case live.Machines:
		v.machines = e.Machines
	case live.End:
		v.ended, v.Total, v.Done = true, e.Total, e.Done
	}
	v.at = e.At
	v.news = true
}

// beatEvery is how often pages hear of a run that plays.
const beatEvery = time.Second

// beat tells pages of the run of this process, until the server ends.
func (s *Server) beat() {
	keys, byKey := s.studies.paths()
	at := slices.IndexFunc(keys, func(key string) bool { return sameFile(byKey[key], s.o.Run.Study) })
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-s.base.Done():
			return
		}
		s.live.Lock()
		news, playing := s.live.view.news, !s.live.view.ended
		s.live.view.news = false
		s.live.Unlock()
		switch {
		case news && at >= 0:
			s.hub.bump("study:" + keys[at])
		case playing:
			s.hub.bump("wall") // moves, if no game has ended
		}
	}
}

// runs tells whether the run of this process goes on.
func (s *Server) runs() bool {
	s.live.Lock()
	defer s.live.Unlock()
	return s.o.Run != nil && s.live.view.Total > 0 && !s.live.view.ended
}

func (s *Server) machines() []live.Machine {
	s.live.Lock()
	defer s.live.Unlock()
	return s.live.view.machines
}

// liveView is how far the run of this process is.
type liveView struct {
	Done, Total, before int64
	Exact, ended        bool
	began, at           time.Time
	machines            []live.Machine
	news                bool // that pages have not been told of
}

// runDo stops the run of this process, or lets it go on.
func (s *Server) runDo(w http.ResponseWriter, r *http.Request) error {
	o, e, err := s.findEvent(r)
	if err != nil {
		return err
	}
	run := s.mine(o, e)
	if run == nil {
		return failf(http.StatusConflict, "This run is not of this process: it can be stopped where it was started.")
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
