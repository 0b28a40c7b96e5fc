package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"spar/arena"
	"spar/arena/live"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
	"spar/ratings"
	"spar/reports/standings"
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
	Test            string
	Faults          []store.Row
	Wall            []wallBoard
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
	since := s.hub.now()
	b := runBody{ID: r.PathValue("id"), Study: o.key, Name: e.Name, Event: e, Games: "/games/" + o.key + "?event=" + queryEscape(e.Name)}
	f := frame{Title: e.Name, Since: since, Topics: "study:" + o.key, Body: &b, Wide: true}
	if err := s.fillRun(r.Context(), o, e, &b); err != nil {
		return err
	}
	if wantsJSON(r) {
		return showJSON(w, http.StatusOK, map[string]any{"run": e.Name, "progress": b.Progress, "pools": b.Pools, "test": b.Test})
	}
	return s.show(w, r, http.StatusOK, "run.tmpl", f)
}

func (s *Server) fillRun(ctx context.Context, o *opened, e study.Event, b *runBody) error {
	n, err := o.db.Sizes(ctx)
	if err != nil {
		return err
	}
	if run := s.mine(o, e); run != nil {
		b.Owned, b.CanGo = true, run.Go != nil
		b.Progress, b.Stopped = s.progress()
	}
	value, ok, err := s.jobs.get("standings "+o.key, n, 3*time.Second, func() (any, error) {
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
	for row, err := range o.db.Games(ctx, store.Filter{Event: e.Name, Faults: true, Limit: 10, Last: true}) {
		if err != nil {
			return err
		}
		b.Faults = append(b.Faults, row)
	}
	for row, err := range o.db.Games(ctx, store.Filter{Event: e.Name, Limit: 6, Last: true}) {
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
	v := poolView{Title: p.Title, Warnings: p.Warnings(), Games: all.Games, Errors: all.Errors}
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
			Agent: a.Agent, Elo: fmt.Sprintf("%+.0f", a.Elo), Games: a.Games, Score: fmt.Sprintf("%.1f %%", 100*a.Score), First: wdl(a.AsFirst), Second: wdl(a.AsSecond), Faults: a.Faults,
			Open: a.Lo == nil || a.Hi == nil, Lo: place(deref(a.Lo, lo)), Mid: place(a.Elo), Hi: place(deref(a.Hi, hi)),
		}
		row.Interval = bound(a.Lo, "no bound") + " to " + bound(a.Hi, "no bound")
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
					cell.Class = fmt.Sprintf("d%d", min(8, int(9*score)))
				}
				line = append(line, cell)
			}
			v.Cross = append(v.Cross, line)
		}
	}
	for _, a := range all.Advantages {
		if a.Score != nil {
			v.First = strings.TrimLeft(v.First+fmt.Sprintf("; first player %s scores %.1f %% (%.1f to %.1f)", a.Rules, 100*a.Score.Value, 100*a.Score.Lo, 100*a.Score.Hi), "; ")
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
	return fmt.Sprintf("%+.0f", *x)
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

// test is where the sequential test of a match stands.
func (s *Server) test(o *opened, e study.Event, version any) (string, error) {
	var plan struct {
		Stop   arena.Stop
		Agents []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(e.Plan), &plan); err != nil || plan.Stop.SPRT == nil {
		return "", nil // no match with a test
	}
	test, err := plan.Stop.SPRT.Test()
	if err != nil || len(plan.Agents) == 0 {
		return "", nil
	}
	value, _, err := s.jobs.get(fmt.Sprintf("test %s.%d", o.key, e.ID), version, time.Second, func() (any, error) {
		l := standings.NewLive(plan.Agents[0].Name, &test)
		names, err := o.db.AgentNames(s.base)
		if err != nil {
			return "", err
		}
		for g, err := range o.db.Briefs(s.base) {
			if err != nil {
				return "", err
			}
			if g.Event == e.ID {
				l.Add(standings.LiveGame{First: names[int64(g.First)], Second: names[int64(g.Second)], Pair: g.Pair, Result: resultOf(g.Half), Marks: g.Marks})
			}
		}
		return l.Test(), nil
	})
	text, _ := value.(string)
	return text, err
}

func resultOf(half uint8) engines.Result {
	return [3]engines.Result{engines.SecondWins, engines.Drawn, engines.FirstWins}[min(half, 2)]
}

// hear follows the run of this process.
func (s *Server) hear(e live.Event) {
	s.live.Lock()
	v := &s.live.view
	switch e.Kind {
	case live.Begin:
		v.Done, v.Total, v.Exact, v.before, v.began, v.ended = e.Done, e.Total, e.Exact, e.Done, e.At, false
	case live.GameEnd, live.Fault:
		v.Done++
	case live.End:
		v.ended, v.Total, v.Done = true, e.Total, e.Done
	}
	v.at = e.At
	s.live.Unlock()
	keys, byKey := s.studies.paths()
	for _, key := range keys {
		if sameFile(byKey[key], s.o.Run.Study) {
			s.hub.bump("study:" + key)
		}
	}
}

// liveView is how far the run of this process is.
type liveView struct {
	Done, Total, before int64
	Exact, ended        bool
	began, at           time.Time
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
	http.Redirect(w, r, "/t/"+r.PathValue("id"), http.StatusSeeOther)
	return nil
}
