package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/transfer"
	"spar/engines/rules"
	"spar/ratings"
	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/standings"
	"spar/reports/table"
)

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// studyBody is the data for the page of a study.
type studyBody struct {
	Key, Path string
	Runs      []listedRun
	Sizes     store.Sizes
	Rules     []rulesRow
	Counting  string // progress of counting; empty when everything is counted
}

// rulesRow holds the results under one set of rules.
type rulesRow struct {
	Name          string
	Score         ratings.Estimate // score of the first player
	Draws, Length float64          // share of draws; mean number of plies
}

// Listed returns the table of the study's rules.
func (b *studyBody) Listed() table.Table {
	return table.Rows(b.Rules, func(r rulesRow) []any {
		base, set := rules.SplitLabel(r.Name)
		return []any{
			"rules", r.Name, "first player scores",
			table.As{Cell: table.Estimate(r.Score, chart.Percent, 0)},
			"draws", table.Num(r.Draws, chart.Percent, 0), "mean plies", table.Num(r.Length, chart.Number, 1),
			"balance", table.Link("balance", "/b/"+b.Key+"."+r.Name), "games", table.Link("games",
				gamesOf(b.Key, "rules", r.Name)),
			"play", table.Link("play", "/play?"+url.Values{"rules": {base}, "set": rules.Overrides(set)}.Encode()),
		}
	}).Titled("Results under each set of rules")
}

// studyPage shows the contents of a study.
func (s *Server) studyPage(w http.ResponseWriter, r *http.Request) error {
	o, err := s.studies.study(r.Context(), r.PathValue("key"))
	if err != nil {
		return err
	}
	b := studyBody{Key: o.key, Path: o.path}
	since, counted := s.hub.now(), false
	if b.Sizes, counted, err = s.sizes(r.Context(), o, promptly); err != nil {
		return err
	}
	events, err := o.db.Events(r.Context())
	if err != nil {
		return err
	}
	ok := false
	if b.Rules, ok, err = s.rulesOf(r.Context(), o); err != nil {
		return err
	}
	if !ok || !counted {
		b.Counting = counting
	}
	b.Runs = runs(o.key, events)
	return s.show(w, r, http.StatusOK, "study.tmpl",
		frame{
			Title:  o.key,
			Topics: "study:" + o.key + ",sizes:" + o.key,
			Since:  since,
			Body:   &b,
		})
}

// rulesRows counts the results under each set of rules, like the view first_player of the study.
func (s *Server) rulesRows(o *opened) ([]rulesRow, error) {
	totals, err := o.db.RulesTotals(s.base)
	if err != nil {
		return nil, err
	}
	scores, err := standings.FirstPlayer(s.base, o.db, 0.95)
	var out []rulesRow
	for _, t := range totals {
		out = append(out, rulesRow{t.Rules, scores[t.Rules], float64(t.Draws) / float64(max(t.Games, 1)), t.Plies})
	}
	return out, err
}

// gamesBody is the data for a list of games.
type gamesBody struct {
	Key                   string
	Games                 []store.Row
	Table                 table.Table
	Filter                store.Filter
	Rules, Agents, Events []string
	Reasons               []string
	Next, CSV, First      string
	Looked                string // how many games were searched, if the search stopped early
}

// gameTable lists games of the study that key names.
func gameTable(key string, rows []store.Row) table.Table {
	return table.Rows(rows, func(r store.Row) []any {
		return []any{
			"game", table.Words(strconv.FormatInt(r.ID, 10)).Link(fmt.Sprintf("/g/%s.%d", key, r.ID)), "rules", r.RulesName,
			"first", r.FirstName, "second", r.SecondName, "result", r.Result, "reason", r.Reason, "plies", r.Plies,
			"marks", r.Marks,
		}
	})
}

// someGames finds the next games that match a filter. If few match, it stops after some time, and the result upto
// is the last game that it searched. Otherwise upto is 0.
func someGames(ctx context.Context, db *store.DB, f store.Filter) (rows []store.Row, upto int64, err error) {
	for began := time.Now(); ; {
		bound, err := db.Window(ctx, f.After, window, f.Last)
		if err != nil || bound == 0 {
			return rows, 0, err
		}
		f.Until = bound
		f.Limit = gamesPerPage - len(rows)
		for row, err := range db.Games(ctx, f) {
			if err != nil {
				return rows, 0, err
			}
			rows = append(rows, row)
		}
		if len(rows) == gamesPerPage {
			return rows, 0, nil
		}
		if f.After = bound; time.Since(began) > promptly {
			return rows, bound, nil
		}
	}
}

// Number of games on a page, and number of games examined at a time.
const (
	gamesPerPage = 50
	window       = 50_000
)

// gamesPage lists games. Each page starts after the last game of the previous page.
func (s *Server) gamesPage(w http.ResponseWriter, r *http.Request) error {
	o, err := s.studies.study(r.Context(), r.PathValue("key"))
	if err != nil {
		return err
	}
	q := r.URL.Query()
	number := func(name string) int64 {
		n, _ := strconv.ParseInt(q.Get(name), 10, 64) // anything else counts as 0
		return max(n, 0)
	}
	f := store.Filter{
		Agent:   q.Get("agent"),
		Rules:   q.Get("rules"),
		Result:  q.Get("result"),
		Reason:  q.Get("reason"),
		Event:   q.Get("event"),
		Min:     int(number("min")),
		Max:     int(number("max")),
		Faults:  q.Get("faults") != "",
		Limit:   gamesPerPage,
		Opening: strings.TrimSpace(q.Get("opening")),
		After:   number("after"),
		Last:    q.Get("last") != "",
	}
	b := gamesBody{Key: o.key, Filter: f, Reasons: arena.Reasons()}
	ctx := r.Context()
	var upto int64 // the last game that was searched
	if b.Games, upto, err = someGames(ctx, o.db, f); err != nil {
		return err
	}
	for _, list := range []struct {
		table string
		into  *[]string
	}{{"rules", &b.Rules}, {"agents", &b.Agents}, {"events", &b.Events}} {
		if *list.into, err = o.db.Names(ctx, list.table); err != nil {
			return err
		}
	}
	if wantsJSON(r) {
		rows := []any{}
		for i := range b.Games {
			rows = append(rows, transfer.GameOf(b.Games[i]))
		}
		return showJSON(w, http.StatusOK, rows)
	}
	b.Table = gameTable(o.key, b.Games).Titled("Games of " + o.key)
	at := func(change url.Values) string {
		next := maps.Clone(q)
		maps.Copy(next, change)
		return "/games/" + o.key + "?" + next.Encode()
	}
	if len(b.Games) == gamesPerPage {
		b.Next = at(url.Values{"after": {strconv.FormatInt(b.Games[len(b.Games)-1].ID, 10)}})
	}
	if upto > 0 {
		b.Next = at(url.Values{"after": {strconv.FormatInt(upto, 10)}})
		b.Looked = fmt.Sprintf("To save time, Spar stopped its search at game %d.", upto)
	}
	b.First = at(url.Values{"after": nil})
	b.CSV = at(url.Values{"format": {"json"}})
	return s.show(w, r, http.StatusOK, "games.tmpl", frame{Title: "Games of " + o.key, Body: b})
}

// documentBody is the data for a page that a job makes.
type documentBody struct {
	Title   string
	HTML    template.HTML
	Problem string
	Busy    bool
}

// balancePage shows the balance report of some rules of a study.
func (s *Server) balancePage(w http.ResponseWriter, r *http.Request) error {
	o, label, err := s.studies.split(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if _, ok, err := o.db.RulesNamed(r.Context(), label); err != nil || !ok {
		return errors.Join(err, notFound("%s has no rules %q.", o.key, label))
	}
	version, err := o.versions.Now(r.Context())
	if err != nil {
		return err
	}
	topic := "balance:" + o.key + "." + label
	b := documentBody{Title: "Balance of " + label}
	since := s.hub.now()
	d, ok, err := made(s, "balance "+o.key+" "+label, version, promptly, topic, func() (template.HTML, error) {
		defer s.reading.Delete(topic)
		report, err := balance.Study(s.base, o.db, label,
			balance.StudyOptions{PeopleGames: 100, Options: balance.Options{Progress: func(stage string, done, total int64) {
				if stage == balance.ReadingGames && total > 0 {
					s.reading.Store(topic, fmt.Sprintf(": %d %% of %d games read", 100*done/total, total))
					s.hub.bumpLater(topic, beatEvery)
				}
			}}})
		if err != nil {
			return "", err
		}
		d, err := report.Page(balance.PageOptions{Study: o.path})
		if err != nil {
			return "", err
		}
		return d.Fragment()
	})
	f := frame{Title: b.Title, Steps: true, Since: since, Body: &b}
	b.HTML, b.Busy = d, err == nil && !ok
	if err != nil {
		b.Problem = sentence(err)
	} else if !ok {
		far, _ := s.reading.Load(topic)
		b.Problem = fmt.Sprint("Spar is still preparing the report", cmp.Or(far, any("")), ".")
		f.Topics = topic
	}
	return s.show(w, r, http.StatusOK, "document.tmpl", f)
}

// rulesOf counts the results under each set of rules in a study. The result ok is false while counting is in
// progress; pages that listen to the study are then told when it has finished.
func (s *Server) rulesOf(ctx context.Context, o *opened) (rows []rulesRow, ok bool, err error) {
	version, err := o.versions.Now(ctx)
	if err != nil {
		return nil, false, err
	}
	return made(s, "rules "+o.key, version, promptly, "study:"+o.key,
		func() ([]rulesRow, error) { return s.rulesRows(o) })
}

// counting is the text for a page that is not complete yet.
const counting = "Spar is counting the games."
