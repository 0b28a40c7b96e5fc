package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v4"

	"spar/agents"
	"spar/arena"
	"spar/arena/evidence"
	"spar/configs"
	"spar/configs/files"
	"spar/engines"
	"spar/engines/playout"
	"spar/engines/rules"
	"spar/ratings"
)

// Sample counts the results of some games.
type Sample struct {
	Games, First, Draws int64
	Plies               int64
	Unended             int64 // games that were stopped, because the rules do not end them
	Aimless             int64 // of the draws, those by repetition, quiet play or a ply limit
}

func (s *Sample) add(r engines.Result, plies int) {
	s.Games++
	s.Plies += int64(plies)
	switch r {
	case engines.FirstWins:
		s.First++
	case engines.Drawn:
		s.Draws++
	case engines.Ongoing:
		s.Unended++
	}
}

// Score returns the mean score of the first player. Draws and unfinished games count half.
func (s *Sample) Score(level float64) ratings.Estimate {
	return ratings.WilsonPoints(float64(s.First)+float64(s.Draws+s.Unended)/2, s.Games, level)
}

// Mean returns the mean number of plies.
func (s *Sample) Mean() float64 { return float64(s.Plies) / float64(max(s.Games, 1)) }

// Limits of a sample of random games.
const (
	randomGames = 2000
	randomTime  = 300 * time.Millisecond
)

// Random plays random games for a short time. The games are reproducible; their number depends on the machine.
func Random(ctx context.Context, g *engines.Game) Sample {
	var out Sample
	src := rand.NewPCG(1, 2)
	playouts := playout.New(g, src, true)
	start := g.NewState()
	for began := time.Now(); out.Games < randomGames && time.Since(began) < randomTime && ctx.Err() == nil; {
		out.add(playouts.Run(&start))
	}
	return out
}

// Fairness is a quick study of a game: one agent plays itself until the score of the first player is significantly
// inside or outside 45 to 55 percent.
type Fairness struct {
	Agent    string
	Sample   Sample
	Level    float64 // confidence level of the interval, corrected for interim analyses
	Analyses int     // maximum number of interim analyses
	Verdict  string  // fair, unfair or unclear; empty while games are played
	Err      error
}

// fairAgent is the agent that plays quick studies.
const fairAgent = "mcts-100"

// interimAnalyses returns the numbers of games at which the study may stop. They share the error of 5 percent equally.
// The last number is so large that a score of one half is then significantly between 45 and 55 percent.
func interimAnalyses() []int64 { return []int64{20, 40, 80, 160, 320, 640, 1280} }

// Studies plays quick studies in the background, at most one for each set of rules.
type Studies struct {
	Searches chan struct{}
	Changed  func(rules string) // called after each game

	base context.Context
	quit context.CancelFunc
	work sync.WaitGroup
	mu   sync.Mutex
	of   map[string]*Fairness
}

// Open makes Studies ready to use; Close ends them.
func (s *Studies) Open(ctx context.Context) {
	s.base, s.quit = context.WithCancel(ctx)
	s.of = map[string]*Fairness{}
}

// Close ends all games.
func (s *Studies) Close() {
	s.quit()
	s.work.Wait()
}

// mostStudies is the maximum number of studies in memory.
const mostStudies = 200

// Of returns the study of a game. Its result ok is false if there is no study.
func (s *Studies) Of(g *engines.Game) (f Fairness, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if have := s.of[g.RulesHash()]; have != nil {
		return *have, true
	}
	return f, false
}

// Begin starts a study of a game, unless there already is one.
func (s *Studies) Begin(g *engines.Game) error {
	spec, err := agents.LoadSpec(fairAgent)
	if err != nil {
		return err
	}
	key := g.RulesHash()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of[key] != nil {
		return nil
	}
	if len(s.of) >= mostStudies {
		return errors.New("too many quick studies; restart the server")
	}
	all := interimAnalyses()
	s.of[key] = &Fairness{Agent: spec.Name, Level: 1 - 0.05/float64(len(all)), Analyses: len(all)}
	s.work.Go(func() { s.play(g, spec, key) })
	return nil
}

func (s *Studies) play(g *engines.Game, spec agents.Spec, key string) {
	note := func(do func(*Fairness)) {
		s.mu.Lock()
		do(s.of[key])
		s.mu.Unlock()
		s.Changed(key)
	}
	var seats [2]arena.Seat
	for i := range seats {
		a, err := agents.NewContext(s.base, spec, g)
		if err != nil {
			note(func(f *Fairness) { f.Err, f.Verdict = err, "unclear" })
			return
		}
		seats[i] = arena.Seat{Name: spec.Name, Agent: a, Budget: spec.Budget}
		defer closeAgent(a)
	}
	var sample Sample
	all := interimAnalyses()
	for game := uint64(0); sample.Games < all[len(all)-1]; game++ {
		select {
		case s.Searches <- struct{}{}:
		case <-s.base.Done():
			return
		}
		r, err := arena.Play(s.base, g, arena.Conditions{Seed: 1, Stream: game}, seats)
		<-s.Searches
		if err != nil {
			note(func(f *Fairness) { f.Err, f.Verdict = err, "unclear" })
			return
		}
		if sample.add(r.Outcome, r.Plies); evidence.Endless(r.Reason) || evidence.Capped(r.Reason) {
			sample.Aimless++
		}
		verdict := ""
		for _, look := range all {
			if sample.Games == look {
				verdict = judge(&sample, look == all[len(all)-1])
			}
		}
		note(func(f *Fairness) { f.Sample, f.Verdict = sample, verdict })
		if verdict != "" {
			return
		}
	}
}

// judge returns the verdict of an interim analysis; empty if undecided.
func judge(s *Sample, last bool) string {
	v := s.Score(1 - 0.05/float64(len(interimAnalyses()))).Interval
	switch {
	case v.Lo >= 0.45 && v.Hi <= 0.55:
		return "fair"
	case v.Lo > 0.55 || v.Hi < 0.45:
		return "unfair"
	case last:
		return "unclear"
	}
	return ""
}

// File returns the text of a rules file with changed knobs. It keeps comments, and does not check whether the knobs fit
// together.
func (l *Library) File(name string, set []string) ([]byte, error) {
	path := l.rules[name]
	if path == "" {
		path = name
	}
	_, data, err := configs.Read(configs.Games, path)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	for _, text := range set {
		key, value, _ := strings.Cut(text, "=")
		var v yaml.Node
		if err := yaml.Unmarshal([]byte(value), &v); err != nil || len(v.Content) != 1 {
			return nil, fmt.Errorf("%s: invalid value", text)
		}
		edit(doc.Content[0], strings.Split(key, "."), v.Content[0])
	}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(&doc), e.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Changes reads rules as YAML and returns the overrides that turn the rules with the given name into them.
func (l *Library) Changes(name string, text []byte) (set []string, err error) {
	base, err := l.Game(name, nil)
	if err != nil {
		return nil, err
	}
	g, err := engines.Load(name+".yaml", text)
	if err != nil {
		return nil, err
	}
	r := g.Rules()
	changed := func(from rules.Rules, idle bool) (set []string) { // what differs; idle: also defaults that have no effect
		was := rules.KnobValues(from)
		for i, k := range rules.KnobValues(r) {
			if k.Text != was[i].Text && (idle && r.AtDefault(k.Path) || r.IdleAt(k.Path) == "") {
				set = append(set, Override(k.Path, k.Text))
			}
		}
		for _, name := range []struct{ path, was, is string }{
			{"title", from.Title, r.Title},
			{"sides.first.name", from.Sides.First.Name, r.Sides.First.Name},
			{"sides.second.name", from.Sides.Second.Name, r.Sides.Second.Name},
		} {
			if name.is != name.was && name.is != "" {
				set = append(set, Override(name.path, strconv.Quote(name.is)))
			}
		}
		return set
	}
	set = changed(base.Rules(), false)
	same, err := l.Game(name, set)
	if err != nil { // a value of the old rules that has no effect in the new ones may not fit them
		set = changed(base.Rules(), true)
		same, err = l.Game(name, set)
	}
	if err != nil || len(changed(same.Rules(), false)) > 0 {
		err = fmt.Errorf("this page cannot show these rules: save them as FILE and start \"spar serve --rules FILE\"")
	}
	return set, err
}

// Save overwrites a rules file of the user, if the text is valid and the file still has the stamp; an empty one is not
// compared.
func (l *Library) Save(name, stamp string, text []byte) error {
	path := l.rules[name]
	if path == "" {
		return fmt.Errorf("%s is a shipped file: download it as YAML and start \"spar serve\" with --rules and your copy", name)
	}
	if stamp != "" && stamp != Stamp(path) {
		return fmt.Errorf("%s has changed since you opened this page: copy your text, and open the page again", path)
	}
	if _, err := engines.Load(path, text); err != nil {
		return err
	}
	return files.WriteBytes(path, text)
}

// edit sets the value at a path of a YAML mapping. It keeps comments next to the old value.
func edit(at *yaml.Node, path []string, value *yaml.Node) {
	for i := 0; i+1 < len(at.Content); i += 2 {
		if at.Content[i].Value != path[0] {
			continue
		}
		if len(path) > 1 {
			edit(at.Content[i+1], path[1:], value)
			return
		}
		old := at.Content[i+1]
		value.HeadComment = old.HeadComment
		value.LineComment = old.LineComment
		value.FootComment = old.FootComment
		at.Content[i+1] = value
		return
	}
	key := &yaml.Node{Kind: yaml.ScalarNode, Value: path[0]}
	if len(path) > 1 {
		inner := &yaml.Node{Kind: yaml.MappingNode}
		edit(inner, path[1:], value)
		value = inner
	}
	at.Content = append(at.Content, key, value)
}
