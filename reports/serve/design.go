package serve

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"spar/configs/plain"
	"spar/configs/reference"
	"spar/engines"
	"spar/engines/explain"
	"spar/engines/rules"
	"spar/engines/solve"
	"spar/ratings"
	"spar/reports/playing"
	"spar/reports/review"
	"spar/reports/screen"
	"spar/reports/serve/session"
)

// designBody is the data of the design page, on which users change rules: by knobs, as YAML, or on the board.
type designBody struct {
	Rules   []string
	Rule    string
	Groups  []knobGroup
	Errors  []string // of the knobs
	Wrong   []string // of the YAML
	YAML    string
	Now     *variant
	Hidden  url.Values // the rules of the page
	Own     string     // path of the rules file, if it is the user's
	Saved   bool
	Grid    playing.Grid // the start position, which can be edited on the board
	Brushes []brush
	Game    *engines.Game // has the colours of the sides
}

type knobGroup struct {
	Name, Help string
	Used, Rest []designKnob // the rules use it, or not
}

// designKnob is a knob with the text and limits from its schema.
type designKnob struct {
	Path, Name, Value, Help, Error string
	Choices                        []string
	Number                         bool
	Drawn                          bool // the knob is edited on the board, not as text
	Min, Max                       string
}

// variant is what Spar can say about some rules without playing games.
type variant struct {
	Name    string
	Words   []explain.Section
	Notes   []string
	Random  string
	Solved  string
	Fair    string
	Light   string // good, poor or undecided; empty if there is no judgement
	Studied bool
	Play    string
	File    string
}

// nothing is the text of an empty list in YAML. The form shows an empty field instead.
const nothing = "[]"

// designSet reads the overrides of a request: the ones in the address, and the fields of the form whose values
// differ from the file.
func designSet(q url.Values, base *engines.Game) (out []string) {
	values := map[string]string{}
	for _, text := range session.Overrides(q["set"]) {
		k, v, _ := strings.Cut(text, "=")
		values[k] = v
	}
	if base != nil {
		defaults := rules.KnobValues(rules.DefaultRules())
		for i, k := range rules.KnobValues(base.Rules()) {
			v := q.Get("k." + k.Path)
			if v == "" && defaults[i].Text != "" {
				v = nothing // a list; a text may be empty
			}
			if !q.Has("k." + k.Path) {
				continue
			} else if values[k.Path] = v; v == k.Text {
				delete(values, k.Path)
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(values)) {
		out = append(out, session.Override(k, values[k]))
	}
	return out
}

// designPage shows rules with their knobs.
func (s *Server) designPage(w http.ResponseWriter, r *http.Request) error {
	return s.designShow(w, r, r.URL.Query(), nil)
}

// designShow shows the rules of a form. The error is that of the YAML in it; nil if the form has none.
func (s *Server) designShow(w http.ResponseWriter, r *http.Request, q url.Values, wrong error) error {
	b := designBody{Rules: s.library.Rules(), Rule: cmp.Or(q.Get("rules"), "vanishing")}
	since := s.hub.now()
	base, err := s.library.Game(b.Rule, nil)
	if err != nil {
		return unfit(err)
	}
	set := designSet(q, base)
	b.Own, b.Saved = s.library.Path(b.Rule), q.Get("saved") != "" && len(set) == 0
	g, err := s.library.Game(b.Rule, set)
	if g != nil && q.Has("cell") {
		paint(g, q)
		set = designSet(q, base)
		g, err = s.library.Game(b.Rule, set)
	}
	if err != nil {
		b.Errors = strings.Split(err.Error(), "\n")
	}
	if b.Groups, err = knobGroups(base, set, err); err != nil {
		return err
	}
	status := http.StatusOK
	if b.YAML = q.Get("yaml"); wrong != nil {
		b.Wrong = strings.Split(wrong.Error(), "\n")
		status = http.StatusUnprocessableEntity
	} else if data, err := s.library.File(b.Rule, set); err == nil {
		b.YAML = string(data)
	}
	b.Hidden = url.Values{"rules": {b.Rule}, "set": set}
	if b.Own != "" {
		b.Hidden.Set("was", cmp.Or(q.Get("was"), session.Stamp(b.Own)))
	}
	f := frame{Title: "Design " + b.Rule, Here: "design", Since: since, Body: &b}
	if g != nil {
		b.Game, b.Grid, b.Brushes = g, setUp(g), brushes(g, q.Get("brush"))
		b.Now = s.variant(b.Rule, set, g)
		f.Topics = "design:" + g.RulesHash()
	} else {
		status = http.StatusUnprocessableEntity
	}
	return s.show(w, r, status, "design.tmpl", f)
}

// knobGroups makes the form with all knobs, with the errors that name them.
func knobGroups(base *engines.Game, set []string, wrong error) (out []knobGroup, err error) {
	kinds := reference.Kinds()
	all, err := kinds[slices.IndexFunc(kinds, func(k reference.Kind) bool {
		return k.Name == "rules"
	})].Keys()
	if err != nil {
		return nil, err
	}
	defaults := rules.KnobValues(rules.DefaultRules())
	keys := map[string]reference.Key{}
	for _, k := range all {
		keys[k.Path] = k
	}
	for i, k := range rules.KnobValues(base.Rules()) {
		group, name, nested := strings.Cut(k.Path, ".")
		if !nested {
			group, name = "game", k.Path
		}
		d := designKnob{
			Path:  k.Path,
			Name:  plain.Capital(strings.ReplaceAll(name, "_", " ")),
			Value: k.Text,
			Help:  keys[k.Path].Meaning,
			Drawn: k.Path == "setup" || k.Path == "board.missing",
		}
		for _, text := range set {
			if v, ok := strings.CutPrefix(text, k.Path+"="); ok {
				d.Value = v
			}
		}
		used := k.Path == "board.columns" || k.Path == "board.rows" ||
			d.Value != nothing && d.Value != defaults[i].Text
		if d.Value == nothing || d.Value == session.NoText {
			d.Value = ""
		}
		d.limit(keys[k.Path].Value)
		if wrong != nil {
			for line := range strings.SplitSeq(wrong.Error(), "\n") {
				if strings.Contains(line, k.Path) && d.Error == "" {
					d.Error = strings.TrimSpace(line)
				}
			}
		}
		at := slices.IndexFunc(out, func(g knobGroup) bool { return strings.EqualFold(g.Name, group) })
		if at < 0 {
			at, out = len(out), append(out, knobGroup{Name: plain.Capital(group), Help: keys[group].Meaning})
		}
		into := &out[at].Rest
		if used || d.Error != "" {
			into = &out[at].Used
		}
		*into = append(*into, d)
	}
	return out, nil
}

// limit sets what the form accepts, from the words of "spar help yaml rules" about the values of the knob.
func (d *designKnob) limit(words string) {
	allowed, _, _ := strings.Cut(words, "; ")
	if words, ok := strings.CutPrefix(allowed, "one of "); ok {
		d.Choices = strings.Split(words, ", ")
	} else if allowed == "true or false" {
		d.Choices = []string{"false", "true"}
	} else if words, ok := strings.CutPrefix(allowed, "whole number, "); ok {
		d.Number = true
		d.Min, d.Max, _ = strings.Cut(words, " to ")
	}
	if len(d.Choices) > 0 && !slices.Contains(d.Choices, d.Value) {
		d.Choices = append(d.Choices, d.Value)
	}
}

// variant collects what can be computed about rules within a second.
func (s *Server) variant(rule string, set []string, g *engines.Game) *variant {
	text := s.words(g)
	v := &variant{Name: session.Label(rule, set), Words: text.Sections}
	v.Notes = append(v.Notes, text.Ending.Text)
	for _, n := range text.Notes {
		v.Notes = append(v.Notes, n.Text)
	}
	sample, _, _ := made(s, "random "+g.RulesHash(), 0, answerTime/10, "",
		func() (session.Sample, error) { return session.Random(s.base, g), nil })
	if sample.Games > 0 {
		v.Random = g.NameSides(fmt.Sprintf("first player scores %s, draws %s, %.1f plies on average, %d games",
			sample.Score(0.95).Words(), ratings.Wilson(sample.Draws, sample.Games, 0.95).Words(), sample.Mean(), sample.Games))
		if sample.Unended > 0 {
			v.Random += "; " + screen.Plural(sample.Unended, "game") + " without an end"
		}
	}
	exact := math.NaN() // score of the first player with best play
	if (g.Cells() <= 16 || solve.Instant(g)) && !g.NewPosition().Over() {
		topic := "design:" + g.RulesHash()
		if rating := s.valuer.Rating(g, nil, func() { s.hub.bump(topic) }); rating == nil {
			v.Solved = "Spar is solving the game."
		} else if rating.Err == nil && rating.Scale.Source == review.Exact {
			exact, v.Solved = playing.Outlook(g.NewPosition(), rating.All, review.Exact)
			v.Solved += "."
		}
	}
	if f, ok := s.designs.Of(g); ok {
		v.Studied = true
		v.Light, v.Fair = fairness(g, &f, exact, v.Solved)
	}
	v.Play = s.link("/play", rule, set, g, nil)
	v.File = "/design/file?" + url.Values{"rules": {rule}, "set": set}.Encode()
	return v
}

// fairness says in words whether a game is fair: by its exact value if there is one, and by the games of the quick
// study, which is about its agent. The light is good, poor or undecided.
func fairness(g *engines.Game, f *session.Fairness, exact float64, solved string) (light, text string) {
	games := g.NameSides(fmt.Sprintf("When %s plays itself, the first player scores %s in %d games (a %.1f %% interval, because "+
		"Spar tests the result up to %d times).", f.Agent, f.Sample.Score(f.Level).Words(), f.Sample.Games, 100*f.Level, f.Analyses))
	if f.Err != nil {
		games = sentence(f.Err)
	}
	n := f.Sample.Aimless + f.Sample.Unended
	switch {
	case math.IsNaN(exact) && solved != "":
		return "undecided", solved + " " + games
	case exact == 0 || exact == 1:
		return "poor", "No: " + solved + " " + games
	case f.Verdict != "" && 2*n > f.Sample.Games:
		return "poor", strings.TrimRight(fmt.Sprintf("No: %d of %d games reach no goal. %s", n, f.Sample.Games, solved),
			" ") + " " + games
	case exact == 0.5 && f.Verdict == "unfair":
		return "undecided", solved + " But these agents do not score evenly: " + games
	case exact == 0.5:
		return "good", "Yes: " + solved + " " + games
	}
	a := map[string][2]string{
		"fair": {"good", "Yes for this agent. "}, "unfair": {"poor", "Not for this agent. "},
		"unclear": {"undecided", "Undecided. "}, "": {"undecided", "Undecided so far. "},
	}[f.Verdict]
	return a[0], a[1] + games
}

// designFile sends the rules file with the changed knobs. It keeps comments.
func (s *Server) designFile(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	set := designSet(q, nil)
	_, err := s.library.Game(q.Get("rules"), set)
	if err != nil {
		return unfit(err)
	}
	data, err := s.library.File(q.Get("rules"), set)
	if err != nil {
		return unfit(err)
	}
	attach(w, "application/yaml", "variant.yaml")
	_, err = w.Write(data)
	return err
}

// designDo starts the quick study of rules, or reads the YAML of the form: to show the rules, or to save them in the
// user's file.
func (s *Server) designDo(w http.ResponseWriter, r *http.Request) error {
	q := r.PostForm
	back := url.Values{"rules": q["rules"], "set": q["set"], "was": q["was"]}
	var err error
	switch what := r.PathValue("what"); what {
	case "study":
		var g *engines.Game
		if g, err = s.library.Game(q.Get("rules"), designSet(q, nil)); err == nil {
			err = s.designs.Begin(g)
		}
		if err != nil {
			return unfit(err)
		}
	case "yaml", "save":
		text := []byte(strings.ReplaceAll(q.Get("yaml"), "\r\n", "\n"))
		if what == "save" {
			back = url.Values{"rules": q["rules"], "saved": {"1"}} // the file has the rest
			err = s.library.Save(q.Get("rules"), q.Get("was"), text)
		} else {
			back["set"], err = s.library.Changes(q.Get("rules"), text)
		}
		if err != nil {
			return s.designShow(w, r, q, err)
		}
	default:
		return notFound("There is no command %q.", what)
	}
	http.Redirect(w, r, "/design?"+back.Encode(), http.StatusSeeOther)
	return nil
}
