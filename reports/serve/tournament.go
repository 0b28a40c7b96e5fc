package serve

import (
	"context"
	"errors"
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
	Progress        *progress
	Owned           bool // this process plays it
	Stopped         bool
	CanGo           bool
	*rated
	Problem  string
	Test     string // text of the sequential test
	Faults   []store.Row
	Now      []wallBoard // boards of the games in progress
	Wall     []wallBoard // boards of the latest games
	Workers  int         // number of games at the same time in this process; 0 if unknown
	Machines []live.Machine
	Said     []string // messages about agents and machines that have stopped
	Queue    int      // number of games leased to other machines
	Games    string
	Facts    facts
}

// Players returns the table of machines that play.
func (b *runBody) Players() table.Table {
	return table.Rows(b.Machines, func(m live.Machine) []any {
		state := "away"
		switch {
		case m.Barred != "":
			state = "barred: " + m.Barred
		case m.Here:
			state = "here"
		case m.Lost:
			state = "lost"
		}
		return []any{
			"machine", m.Worker, "state", state, "games at a time", m.Slots, "games per second",
			table.Num(m.Rate, chart.Number, 1),
			"submitted", m.Games, "leased", m.Holds, "forfeits", m.Faults,
		}
	}).Titled("Machines")
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
	// The page of a run is made at most once a second for all readers.
	version, err := o.versions.Now(r.Context())
	if err != nil {
		return err
	}
	page, _, err := made(s, "page "+r.PathValue("id"), [2]int64{s.hub.now(), version}, answerTime/2, "",
		func() (*rendered, error) {
			since := s.hub.now()
			b := runBody{
				ID:    r.PathValue("id"),
				Study: o.key,
				Name:  e.Name,
				Games: gamesOf(o.key, "event", e.Name),
				rated: &rated{},
			}
			if err := s.fillRun(s.base, o, e, &b); err != nil {
				return nil, err
			}
			f := frame{
				Title:  e.Name,
				Since:  since,
				Topics: "study:" + o.key,
				Body:   &b,
				Owner:  true,
			}
			if b.Owned && !b.Stopped {
				f.Topics += ",wall"
			}
			return s.render("run.tmpl", f)
		})
	if err != nil {
		return err
	}
	if page == nil {
		return failf(http.StatusServiceUnavailable, "Spar is still preparing this page: reload it in a few seconds.")
	}
	return page.write(w, r, http.StatusOK)
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
	standing, ok, err := made(s, "standings "+o.key, n, wait, "study:"+o.key,
		func() (*rated, error) { return s.rate(o) })
	switch {
	case err != nil:
		b.Problem = err.Error()
	case !ok:
		b.Problem = "Spar is computing the standings."
	default:
		b.rated = standing
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
	for row, err := range o.db.Games(ctx, store.Filter{
		Event: e.Name,
		Limit: 6,
		Last:  true,
		Until: bound,
	}) {
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
	add := b.Facts.add
	add("Study", o.path)
	add("Purpose", e.Purpose)
	add("Seed", strconv.FormatInt(e.Seed, 10))
	add("Started", day(e.Started))
	add("Last run ended", day(e.Ended))
	if e.WallS > 0 { // known when it has ended
		add("Time of all runs", fmt.Sprintf("%.1f s, %.1f s of CPU", e.WallS, e.CPUS))
	}
	add("Program", strings.TrimSpace(e.Build.Version+" "+e.Build.Commit))
	return nil
}

// facts are what a page says about a run or a game.
type facts []playing.Fact

// add adds a fact that is known.
func (f *facts) add(name, value string) {
	if value != "" {
		*f = append(*f, playing.Fact{Name: name, Value: value})
	}
}

// rated is the part of the page of a run that is about the standings of its study.
type rated struct {
	HTML template.HTML
	Runs int // number of runs whose games the standings use
}

// rate makes the standings of a study and their page.
func (s *Server) rate(o *opened) (*rated, error) {
	pools, err := standings.Study(s.base, o.db, standings.Both, ratings.Options{})
	if err != nil {
		return nil, err
	}
	var out rated
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
	kinds, err := o.db.Kinds(s.base)
	if err != nil {
		return nil, err
	}
	d, err := pages.Tournament(o.key, o.path, pools, kinds, func(rules string) string {
		return "/b/" + o.key + "." + rules
	})
	if err != nil {
		return nil, err
	}
	all, err := d.Fragment()
	_, rest, _ := strings.Cut(string(all), "</h1>") // the page has a title and a main part of its own
	out.HTML = template.HTML(strings.NewReplacer("</header>", "", "<main>", "", "</main>", "").Replace(rest))
	return &out, err
}

// gamesOf returns the address of the games of a study for which a filter has a value.
func gamesOf(key, filter, value string) string {
	return "/games/" + key + "?" + url.Values{filter: {value}}.Encode()
}

// test returns the text of the sequential test of a match; empty if it has none.
func (s *Server) test(o *opened, e study.Event, version any) (string, error) {
	test, agent, opponent, _ := trial.Planned(e)
	if test == nil {
		return "", nil
	}
	text, _, err := made(s, fmt.Sprintf("test %s.%d", o.key, e.ID), version, promptly, "study:"+o.key,
		func() (string, error) {
			all, err := trial.Contest(s.base, o.db, e.Name, agent, opponent)
			if errors.Is(err, trial.ErrNoPairs) {
				return "No pair of games has finished.", nil
			} else if err != nil {
				return "", err
			}
			v, err := trial.Pool(all).Judge(*test)
			if err != nil {
				return "", err
			}
			var text strings.Builder
			err = v.Text(&text)
			return text.String(), err
		})
	return text, err
}

// runDo stops or continues the run of this process.
func (s *Server) runDo(w http.ResponseWriter, r *http.Request) error {
	o, e, err := s.findEvent(r)
	if err != nil {
		return err
	}
	run := s.mine(o, e)
	if run == nil {
		return failf(http.StatusConflict, "Another process is playing this run; stop it there.")
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
