package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"spar/arena/study"
	"spar/engines/rules"
	"spar/reports/balance"
	"spar/reports/page"
	"spar/reports/pages"
	"spar/reports/playing"
	"spar/reports/table"
	"spar/tuning"
	"spar/tuning/target"
	"spar/tuning/variants"
)

// sweepBody is the data for the page of a sweep, or of a study whose rules differ in a few knobs.
type sweepBody struct {
	ID, Study, Title string
	Measures         []string
	Measure, X, Y    string
	Knobs            []string
	Fixed            []fixedKnob // the other knobs, each fixed at one value
	Heat             *table.Table
	Problem          string
	HTML             template.HTML
	Stored           bool // the page shows the results of a sweep, for its strongest agent
}

type fixedKnob struct {
	Path, Value string
	Values      []string
}

// cellValue is a number with its interval. Even means that the interval of a score includes one half.
type cellValue struct {
	Text  string
	N     int64
	Value float64
	Even  bool
}

// spot is one combination of knob values, with its results.
type spot struct {
	label  string
	values map[string]string
	known  map[string]cellValue // results, by name of the measure
}

// field holds the results of a set of rules that differ in some knobs.
type field struct {
	knobs    []string // paths of the knobs, those with most values first
	values   map[string][]string
	spots    []spot
	measures []string
}

// sweepPage shows a sweep, a tuning, or the map of the rules of a study.
func (s *Server) sweepPage(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if !strings.Contains(id, ".") {
		o, err := s.studies.study(r.Context(), id)
		if err != nil {
			return err
		}
		return s.rulesMap(w, r, o)
	}
	o, e, err := s.findEvent(r)
	if err != nil {
		return err
	}
	n, err := o.versions.Now(r.Context())
	if err != nil {
		return err
	}
	switch {
	case e.Purpose == variants.PurposePlan:
		return s.storedSweep(w, r, o, e, n)
	case tuning.Training(e):
		return s.storedTuning(w, r, o, e, n)
	}
	return notFound("%s is a run, not a sweep or a tuning: see /t/%s.", e.Name, id)
}

// madeSweep is the result of a sweep, with its page.
type madeSweep struct {
	result *variants.Result
	field  field
	made
}

func (s *Server) storedSweep(w http.ResponseWriter, r *http.Request, o *opened, e study.Event, version int64) error {
	topic := "sweep:" + r.PathValue("id")
	since := s.hub.now()
	value, ok, err := s.jobs.get(topic+o.key, fmt.Sprint(version, s.library.Version()), promptly, func() (any, error) {
		defer s.hub.bump(topic)
		result, err := variants.Recall(s.base, o.db, e, balance.OfVariant, s.library.Files()...)
		if err != nil {
			return nil, err
		}
		m := madeSweep{result: result, field: fieldOf(result)}
		front, all, err := pages.Sweep(result, []page.Command{{
			Text: "spar sweep " + result.Name,
			Note: "plays the games, or continues",
		}}).Fragments(whole)
		m.front, m.whole = within(front), within(all)
		return &m, err
	})
	name, _, _ := strings.Cut(e.Name, "/plan ")
	b := sweepBody{ID: r.PathValue("id"), Study: o.key, Title: "Sweep " + name, Stored: true}
	f := frame{Title: b.Title, Steps: true, Since: since, Body: &b}
	switch {
	case errors.Is(err, variants.ErrMissing):
		b.Problem = sentence(err)
		return s.show(w, r, http.StatusOK, "sweep.tmpl", f)
	case err != nil:
		return err
	case !ok:
		b.Problem, f.Topics = "Spar is measuring the sweep.", topic
		return s.show(w, r, http.StatusOK, "sweep.tmpl", f)
	}
	made := value.(*madeSweep)
	switch r.URL.Query().Get("format") {
	case "json":
		return showJSON(w, http.StatusOK, made.result)
	case "csv":
		attach(w, "text/csv", "sweep.csv")
		return pages.SweepCSV(w, made.result)
	}
	made.field.fill(&b, r.URL.Query())
	b.HTML = made.shown(r)
	return s.show(w, r, http.StatusOK, "sweep.tmpl", f)
}

// within returns the main part of a complete HTML page.
func within(whole template.HTML) template.HTML {
	_, rest, _ := strings.Cut(string(whole), "<main>")
	inner, after, _ := strings.Cut(rest, "</main>")
	return template.HTML(inner + after)
}

// rulesMap shows the rules of a study by the knobs in which they differ.
func (s *Server) rulesMap(w http.ResponseWriter, r *http.Request, o *opened) error {
	since := s.hub.now()
	rows, ok, err := s.rulesOf(r.Context(), o)
	if err != nil {
		return err
	}
	b := sweepBody{ID: o.key, Study: o.key, Title: "Rules of " + o.key}
	f := fieldOfRows(rows)
	if !ok {
		b.Problem = counting
	} else if len(f.knobs) == 0 {
		b.Problem = "No map: the rules of this study do not differ only in knobs."
	} else {
		f.fill(&b, r.URL.Query())
	}
	return s.show(w, r, http.StatusOK, "sweep.tmpl",
		frame{Title: b.Title, Topics: "study:" + o.key, Since: since, Body: &b})
}

// rulesOf counts the results under each set of rules in a study. The result ok is false while counting is in
// progress; pages that listen to the study are then told when it has finished.
func (s *Server) rulesOf(ctx context.Context, o *opened) (rows []rulesRow, ok bool, err error) {
	version, err := o.versions.Now(ctx)
	if err != nil {
		return nil, false, err
	}
	value, ok, err := s.jobs.get("rules "+o.key, version, promptly, func() (any, error) {
		defer s.hub.bump("study:" + o.key)
		return s.rulesRows(o)
	})
	rows, _ = value.([]rulesRow)
	return rows, ok, err
}

// counting is the text for a page that is not complete yet.
const counting = "Spar is counting the games."

// fieldOf arranges the results of a sweep by its knobs.
func fieldOf(r *variants.Result) field {
	f := field{values: map[string][]string{}, measures: []string{"score", "draws", "completion", "length", "depth"}}
	for _, k := range r.Knobs {
		f.knobs, f.values[k.Path] = append(f.knobs, k.Path), slices.Clone(k.Values)
	}
	for _, c := range r.Variants {
		at := spot{label: c.Rules, values: map[string]string{}, known: map[string]cellValue{}}
		for i, k := range r.Knobs {
			at.values[k.Path] = c.Values[i]
			if !slices.Contains(f.values[k.Path], c.Values[i]) {
				f.values[k.Path] = append(f.values[k.Path], c.Values[i]) // of the unchanged rules
			}
		}
		for _, m := range f.measures {
			if x := c.Numbers[m]; x.Known() {
				at.known[m] = cellValue{target.Short(m, x), x.N, x.Value, m == "score" && x.Lo <= 0.5 && x.Hi >= 0.5}
			}
		}
		f.spots = append(f.spots, at)
	}
	f.sort()
	return f
}

// fieldOfRows arranges the rules of a study by the knobs in which they differ. It is empty if the study has
// several games.
func fieldOfRows(rows []rulesRow) field {
	f := field{values: map[string][]string{}, measures: []string{"score", "draws", "length"}}
	base := ""
	for _, r := range rows {
		name, set := rules.SplitLabel(r.Name)
		if base == "" {
			base = name
		}
		if name != base {
			return field{}
		}
		at := spot{label: r.Name, values: map[string]string{}, known: map[string]cellValue{
			"draws": {Text: percent(r.Draws), N: r.Score.N}, "length": {Text: fmt.Sprintf("%.1f", r.Length), N: r.Score.N},
			"score": {
				fmt.Sprintf("%s (%.1f to %.1f)", percent(r.Score.Value), 100*r.Score.Interval.Lo, 100*r.Score.Interval.Hi),
				r.Score.N, r.Score.Value, r.Score.Interval.Lo <= 0.5 && 0.5 <= r.Score.Interval.Hi,
			},
		}}
		for _, o := range rules.Overrides(set) {
			k, v, _ := strings.Cut(o, "=")
			at.values[k] = v
		}
		f.spots = append(f.spots, at)
	}
	for _, at := range f.spots {
		for k := range at.values {
			if !slices.Contains(f.knobs, k) {
				f.knobs = append(f.knobs, k)
			}
		}
	}
	slices.Sort(f.knobs)
	for i := range f.spots {
		for _, k := range f.knobs {
			v, ok := f.spots[i].values[k]
			if !ok {
				v = "unchanged rules"
				f.spots[i].values[k] = v
			}
			if !slices.Contains(f.values[k], v) {
				f.values[k] = append(f.values[k], v)
			}
		}
	}
	f.knobs = slices.DeleteFunc(f.knobs, func(k string) bool { return len(f.values[k]) < 2 })
	f.sort()
	return f
}

// sort puts the knobs with most values first, and sorts the values of each knob, numbers by size.
func (f *field) sort() {
	for _, values := range f.values {
		slices.SortFunc(values, func(a, b string) int {
			x, errX := strconv.ParseFloat(a, 64)
			y, errY := strconv.ParseFloat(b, 64)
			if errX == nil && errY == nil {
				return cmp.Compare(x, y)
			}
			return strings.Compare(a, b)
		})
	}
	slices.SortStableFunc(f.knobs, func(a, b string) int { return len(f.values[b]) - len(f.values[a]) })
}

// fill selects the part of the map that the query of an address names.
func (f *field) fill(b *sweepBody, q url.Values) {
	b.Measures, b.Knobs = f.measures, f.knobs
	b.Measure, b.X, b.Y = f.measures[0], f.knobs[0], ""
	if slices.Contains(f.measures, q.Get("measure")) {
		b.Measure = q.Get("measure")
	}
	if slices.Contains(f.knobs, q.Get("x")) {
		b.X = q.Get("x")
	}
	for _, k := range append([]string{q.Get("y")}, f.knobs...) {
		if b.Y == "" && k != b.X && slices.Contains(f.knobs, k) {
			b.Y = k
		}
	}
	fixed := map[string]string{}
	for _, k := range f.knobs {
		if k == b.X || k == b.Y {
			continue
		}
		v := f.values[k][0]
		if want := q.Get("f." + k); slices.Contains(f.values[k], want) {
			v = want
		}
		fixed[k] = v
		b.Fixed = append(b.Fixed, fixedKnob{k, v, f.values[k]})
	}
	b.Heat = &table.Table{
		Caption: b.X + " across; a frame means that the interval contains 50 %",
		Columns: []table.Column{{Name: b.Y, Text: true, Bare: b.Y == ""}},
	}
	down := []string{""}
	if b.Y != "" {
		down, b.Heat.Caption = f.values[b.Y], b.Y+" down, "+b.Heat.Caption
	}
	for _, x := range f.values[b.X] {
		b.Heat.Columns = append(b.Heat.Columns, table.Column{Name: x, Title: x})
	}
	for _, y := range down {
		row := []table.Cell{table.Words(y)}
		for _, x := range f.values[b.X] {
			row = append(row, f.cell(b, x, y, fixed))
		}
		b.Heat.Rows = append(b.Heat.Rows, row)
	}
}

// percent writes a share in percent.
func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// cell returns the result for two values, with the other knobs fixed.
func (f *field) cell(b *sweepBody, x, y string, fixed map[string]string) table.Cell {
	for _, at := range f.spots {
		fits := at.values[b.X] == x && (b.Y == "" || at.values[b.Y] == y)
		for k, v := range fixed {
			fits = fits && at.values[k] == v
		}
		v, ok := at.known[b.Measure]
		if !fits || !ok {
			continue
		}
		class, few := "", ""
		if b.Measure == "score" {
			class = fmt.Sprintf("d%d", playing.Shade(v.Value))
		}
		if v.Even {
			class += " even"
		}
		if v.N < fewGames {
			few = ", few"
		}
		return table.Words(v.Text).Link("/b/"+b.Study+"."+at.label).Shade(class).And(
			table.Words(fmt.Sprintf("n = %d%s", v.N, few)),
			table.Words("games").Link(gamesOf(b.Study, "rules", at.label)), table.Words("play this").Link(playRules(at.label)))
	}
	return table.None("not played")
}

// fewGames is the number of games below which a cell is marked as having few.
const fewGames = 200

// playRules returns the address for a new game under rules with a label.
func playRules(label string) string {
	base, set := rules.SplitLabel(label)
	return "/play?" + url.Values{"rules": {base}, "set": rules.Overrides(set)}.Encode()
}

func (s *Server) storedTuning(w http.ResponseWriter, r *http.Request, o *opened, e study.Event, version int64) error {
	topic := "tuning:" + r.PathValue("id")
	b := documentBody{Title: "Tuning " + e.Name}
	since := s.hub.now()
	m, ok, err := s.document(topic, fmt.Sprint(version, s.library.Version()), topic, whole,
		func() (*page.Document, error) {
			t, result, exam, err := tuning.Stored(s.base, o.db, e,
				tuning.Files{Rules: s.library.Files(), Agents: s.library.AgentFiles()})
			if err != nil {
				return nil, err
			}
			return pages.Tuning(pages.Tuned{
				Tuning: t, Result: result, Examination: exam,
				Commands: []page.Command{
					{Text: "spar tune " + t.Name, Note: "makes the tuning"},
					{Text: "spar tune validate " + t.Name, Note: "validates it"},
				},
			}), nil
		})
	return s.showDocument(w, r, b, m, ok, err, topic, since)
}

// showDocument shows a document that is made in the background: its first part, or the whole document if the
// request asks for it.
func (s *Server) showDocument(w http.ResponseWriter, r *http.Request, b documentBody, m made, ok bool, err error,
	topic string, since int64,
) error {
	f := frame{Title: b.Title, Steps: true, Since: since}
	switch {
	case err != nil:
		b.Problem = sentence(err)
	case !ok:
		far, _ := s.reading.Load(topic)
		b.Problem, f.Topics = fmt.Sprint("Spar is making the report", cmp.Or(far, any("")), "."), topic
	}
	b.HTML, f.Body, b.Busy = m.shown(r), &b, err == nil && !ok
	return s.show(w, r, http.StatusOK, "document.tmpl", f)
}
