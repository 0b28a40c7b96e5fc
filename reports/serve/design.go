package serve

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"spar/configs"
	"spar/engines"
	"spar/engines/explain"
	"spar/engines/rules"
	"spar/reports/board"
	"spar/reports/playing"
	"spar/reports/review"
	"spar/reports/screen"
	"spar/reports/serve/session"
)

// designBody is the data of the design page, on which users change the knobs of rules.
type designBody struct {
	Rules    []string
	Rule     string
	Groups   []knobGroup
	Errors   []string
	Now, Pin *variant
	Picture  template.HTML
	Moves    string
	Cut      string // path of the rules file without its extension, if the user owns the file
	Hidden   url.Values
	Set      []string
	Own      string // the rules file, if the user owns it
	Saved    bool
	PinSet   string
	Grid     playing.Grid // the start position, which can be edited on the board
	Brushes  []brush
	Game     *engines.Game // the game; it has the colours of the sides
	Unpin    string
}

type knobGroup struct {
	Name  string
	Knobs []designKnob
	Open  bool // the group is expanded, because the rules use it or all games have it
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
	Set     string
	Words   []explain.Section
	Notes   []string
	Random  string
	Solved  string
	Fair    string
	Light   string // good, poor or undecided; empty if there is no judgement
	Busy    bool
	Studied bool
	Play    string
	File    string
}

// schemaNode is the part of a JSON Schema that the form uses.
type schemaNode struct {
	Type        string                 `json:"type"`
	Description string                 `json:"description"`
	Enum        []any                  `json:"enum"`
	Minimum     *float64               `json:"minimum"`
	Maximum     *float64               `json:"maximum"`
	Properties  map[string]*schemaNode `json:"properties"`
}

func (n *schemaNode) at(path string) *schemaNode {
	for key := range strings.SplitSeq(path, ".") {
		if n == nil {
			return nil
		}
		n = n.Properties[key]
	}
	return n
}

// nothing is the text of an empty list in YAML. The form shows an empty field instead.
const nothing = "null"

// designSet reads the overrides of a request: the ones in the address, and the fields of the form whose values
// differ from the file.
func designSet(q url.Values, base *engines.Game) []string {
	values := map[string]string{}
	var order []string
	put := func(k, v string) {
		if _, ok := values[k]; !ok {
			order = append(order, k)
		}
		values[k] = v
	}
	for _, text := range session.Overrides(q["set"]) {
		k, v, _ := strings.Cut(text, "=")
		put(k, v)
	}
	if base != nil {
		for _, k := range rules.KnobValues(base.Rules()) {
			if v := q.Get("k." + k.Path); q.Has("k." + k.Path) {
				if v == "" {
					v = nothing
				}
				if delete(values, k.Path); v != k.Text {
					put(k.Path, v)
				}
			}
		}
	}
	var out []string
	for _, k := range order {
		if v, ok := values[k]; ok {
			out = append(out, k+"="+v)
		}
	}
	return out
}

// designPage shows rules with their knobs.
func (s *Server) designPage(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	b := designBody{Rules: s.library.Rules(), Rule: q.Get("rules"), Hidden: url.Values{}}
	if b.Rule == "" {
		b.Rule = "vanishing"
	}
	since := s.hub.now()
	base, err := s.library.Game(b.Rule, nil)
	if err != nil {
		return unfit(err)
	}
	b.Set = designSet(q, base)
	b.Own, b.Saved = s.library.Path(b.Rule), q.Get("saved") != "" && len(b.Set) == 0
	g, err := s.library.Game(b.Rule, b.Set)
	if g != nil && q.Has("cell") {
		paint(g, q)
		b.Set = designSet(q, base)
		g, err = s.library.Game(b.Rule, b.Set)
	}
	if b.Groups, err = s.knobGroups(base, b.Set, err); err != nil {
		b.Errors = strings.Split(err.Error(), "\n")
	}
	f := frame{Title: "Design " + b.Rule, Here: "design", Since: since, Wide: true, Body: &b}
	var topics []string
	if g != nil {
		b.Game, b.Grid, b.Brushes = g, setUp(g), brushes(g, q.Get("brush"))
		for _, group := range b.Groups {
			for i, k := range group.Knobs {
				group.Knobs[i].Drawn = k.Path == "setup" || k.Path == "board.missing"
			}
		}
		b.Now = s.variant(b.Rule, b.Set, g)
		topics = append(topics, "design:"+g.RulesHash())
		moves, cut := session.Keep(g, strings.Fields(q.Get("moves")))
		if b.Moves = strings.Join(moves, " "); cut != nil {
			b.Cut = fmt.Sprintf("These rules do not allow all moves (%v): the board shows the position after ply %d.",
				cut,
				len(moves))
		}
		p := g.NewPosition()
		if err := p.PlayText(moves); err != nil {
			return err
		}
		if len(moves) > 0 {
			b.Picture = board.Picture(&p.State)
		}
	}
	if q.Has("pin") {
		set := session.Overrides(q["pin"])
		if pinned, err := s.library.Game(b.Rule, set); err == nil {
			b.Pin = s.variant(b.Rule, set, pinned)
			topics = append(topics, "design:"+pinned.RulesHash())
			b.Hidden["pin"] = q["pin"]
			b.PinSet = strings.Join(set, " ")
			b.Unpin = "/design?" + url.Values{"rules": {b.Rule}, "set": b.Set}.Encode()
		}
	}
	f.Topics = strings.Join(topics, ",")
	status := http.StatusOK
	if g == nil {
		status = http.StatusUnprocessableEntity
	}
	return s.show(w, r, status, "design.tmpl", f)
}

// knobGroups makes the form with all knobs. It returns the errors that belong to no knob.
func (s *Server) knobGroups(base *engines.Game, set []string, wrong error) ([]knobGroup, error) {
	data, err := configs.Schema("rules")
	if err != nil {
		return nil, err
	}
	var schema schemaNode
	if err := json.Unmarshal(data, &schema); err != nil {
		return nil, err
	}
	var out []knobGroup
	plain := map[string]string{}
	for _, k := range rules.KnobValues(rules.DefaultRules()) {
		plain[k.Path] = k.Text
	}
	for _, k := range rules.KnobValues(base.Rules()) {
		d := designKnob{Path: k.Path, Name: k.Path, Value: k.Text}
		for _, text := range set {
			if key, v, _ := strings.Cut(text, "="); key == k.Path {
				d.Value = v
			}
		}
		if d.Value == nothing {
			d.Value = ""
		}
		group, name, nested := strings.Cut(k.Path, ".")
		if !nested {
			group = "game"
		} else {
			d.Name = name
		}
		if n := schema.at(k.Path); n != nil {
			d.Help = n.Description
			for _, c := range n.Enum {
				d.Choices = append(d.Choices, fmt.Sprint(c))
			}
			switch n.Type {
			case "boolean":
				d.Choices = []string{"false", "true"}
			case "integer":
				d.Number = len(d.Choices) == 0
				if n.Minimum != nil && n.Maximum != nil {
					d.Min, d.Max = fmt.Sprint(*n.Minimum), fmt.Sprint(*n.Maximum)
				}
			}
		}
		if len(d.Choices) > 0 && !slices.Contains(d.Choices, d.Value) {
			d.Choices = append(d.Choices, d.Value)
		}
		if wrong != nil {
			for line := range strings.SplitSeq(wrong.Error(), "\n") {
				if strings.Contains(line, k.Path) && d.Error == "" {
					d.Error = strings.TrimSpace(line)
				}
			}
		}
		at := slices.IndexFunc(out, func(g knobGroup) bool { return g.Name == group })
		if at < 0 {
			at, out = len(out), append(out, knobGroup{
				Name: group,
				Open: slices.Contains([]string{"board", "pieces", "win"}, group),
			})
		}
		out[at].Knobs = append(out[at].Knobs, d)
		out[at].Open = out[at].Open || d.Error != "" || d.Value != plain[k.Path] && d.Value != ""
	}
	return out, wrong
}

// variant collects what can be computed about rules within a second.
func (s *Server) variant(rule string, set []string, g *engines.Game) *variant {
	text := s.words(g)
	v := &variant{Name: session.Label(rule, set), Set: strings.Join(set, " "), Words: text.Sections}
	v.Notes = append(v.Notes, text.Ending.Text)
	for _, n := range text.Notes {
		v.Notes = append(v.Notes, n.Text)
	}
	value, ok, _ := s.jobs.get("random "+g.RulesHash(), 0, answerTime/10,
		func() (any, error) { return session.Random(s.base, g), nil })
	if sample, is := value.(session.Sample); ok && is && sample.Games > 0 {
		score := sample.Score(0.95)
		v.Random = g.NameSides(fmt.Sprintf("first player scores %.1f %% (%.1f to %.1f), draws %.1f %%, %.1f plies, n = %d",
			100*score.Value, 100*score.Interval.Lo, 100*score.Interval.Hi,
			100*float64(sample.Draws)/float64(sample.Games), sample.Mean(), sample.Games))
		if sample.Unended > 0 {
			v.Random += "; " + screen.Plural(int64(sample.Unended), "game") + " without an end"
		}
	}
	if g.Cells() <= 16 && !g.NewPosition().Over() {
		topic := "design:" + g.RulesHash()
		if rating := s.valuer.Rating(g, nil, func() { s.hub.bump(topic) }); rating == nil {
			v.Solved = "being solved"
		} else if rating.Err == nil && len(rating.All) > 0 && rating.Scale.Source == review.Exact {
			best := review.BestMoves(rating.All)[0]
			v.Solved = g.NameSides(map[float64]string{
				0: "the second player wins", 0.5: "a draw",
				1: "the first player wins",
			}[math.Round(2*best.Score)/2])
			if best.Exact && best.Value.DTW > 0 {
				v.Solved += " in " + screen.Plural(int64(best.Value.DTW), "ply")
			}
		}
	}
	if f, ok := s.designs.Of(g); ok {
		v.Studied, v.Busy = true, f.Verdict == ""
		score := f.Sample.Score(f.Level)
		v.Light = map[string]string{
			"fair": "good", "unfair": "poor", "unclear": "undecided",
			"": "undecided",
		}[f.Verdict]
		word := f.Verdict
		if v.Busy {
			word = "undecided so far"
		}
		v.Fair = g.NameSides(fmt.Sprintf("%s: first player scores %.1f %% (%.1f to %.1f at %.0f %%, for %d interim "+
			"analyses), n "+
			"= %d, %s against itself", word, 100*score.Value, 100*score.Interval.Lo, 100*score.Interval.Hi,
			100*f.Level, f.Analyses, f.Sample.Games, f.Agent))
		if f.Err != nil {
			v.Fair = f.Err.Error()
		}
	}
	v.Play = s.link("/play", rule, set, g, nil)
	v.File = "/design/file?" + url.Values{"rules": {rule}, "set": set}.Encode()
	return v
}

// designFile sends the rules file with the changed knobs. It keeps comments.
func (s *Server) designFile(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	data, err := s.library.File(q.Get("rules"), designSet(q, nil))
	if err != nil {
		return unfit(err)
	}
	attach(w, "application/yaml", "variant.yaml")
	_, err = w.Write(data)
	return err
}

// designDo starts the quick study of rules, or saves the user's file with the changed knobs.
func (s *Server) designDo(w http.ResponseWriter, r *http.Request) error {
	q := r.PostForm
	back := url.Values{"rules": q["rules"]}
	for _, k := range []string{"set", "pin", "moves"} {
		if q.Has(k) {
			back[k] = q[k]
		}
	}
	var err error
	switch what := r.PathValue("what"); what {
	case "study":
		set := designSet(q, nil)
		if q.Has("of") { // the pinned rules
			set = session.Overrides(q["of"])
		}
		var g *engines.Game
		if g, err = s.library.Game(q.Get("rules"), set); err == nil {
			err = s.designs.Begin(g)
		}
	case "save":
		if err = s.library.Save(q.Get("rules"), designSet(q, nil)); err == nil {
			back.Del("set") // the file has them now
			back.Set("saved", "1")
		}
	default:
		return notFound("There is no command %q.", what)
	}
	if err != nil {
		return unfit(err)
	}
	http.Redirect(w, r, "/design?"+back.Encode(), http.StatusSeeOther)
	return nil
}
