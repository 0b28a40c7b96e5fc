package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v4"

	"spar/agents"
	"spar/arena"
	"spar/configs"
	"spar/configs/files"
	"spar/engines"
	"spar/ratings"
)

// Sample is what some games under some rules came to.
type Sample struct {
	Games, First, Draws int64
	Plies               int64
	Unended             int64 // given up: the rules set no end
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

// Score is the first player's mean score with its interval at a level; draws and games without an end count half.
func (s *Sample) Score(level float64) ratings.Estimate {
	return ratings.WilsonPoints(float64(s.First)+float64(s.Draws+s.Unended)/2, s.Games, level)
}

// Mean is the mean number of plies.
func (s *Sample) Mean() float64 { return float64(s.Plies) / float64(max(s.Games, 1)) }

// Limits of a sample of random games.
const (
	randomGames = 2000
	randomTime  = 300 * time.Millisecond
)

// Random plays random games for a moment. The games are the same every time; how many there are depends on the machine.
func Random(ctx context.Context, g *engines.Game) Sample {
	var out Sample
	src := rand.NewPCG(1, 2)
	playouts := g.NewPlayouts(src, true)
	start := g.NewState()
	for began := time.Now(); out.Games < randomGames && time.Since(began) < randomTime && ctx.Err() == nil; {
		out.add(playouts.Run(&start))
	}
	return out
}

// Keep replays moves under other rules as far as they are legal there. The error says why the rest is not.
func Keep(g *engines.Game, moves []string) ([]string, error) {
	p := g.NewPosition()
	for i, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			return moves[:i], engines.PlyError{Ply: i + 1, Err: err}
		}
		p.Play(m)
	}
	return moves, nil
}

// Fairness is a quick study of some rules: one agent against itself until it is clear whether the first player's score
// lies between 45 and 55 percent, or outside.
type Fairness struct {
	Agent    string
	Sample   Sample
	Level    float64 // of the interval: as many looks are taken as there are, none of them is for free
	Analyses int     // that may be taken
	Verdict  string  // fair, unfair or unclear; empty while it plays
	Err      error
}

// fairAgent plays the quick study.
const fairAgent = "mcts-100"

// looks are the numbers of games at which the study may end. Each look has its share of the error of 5 percent; the
// last is so late that a score of half the points is shown to lie between 45 and 55 percent.
func interimAnalyses() []int64 { return []int64{20, 40, 80, 160, 320, 640, 1280} }

// Studies plays quick studies in the background, one at a time for each of the rules.
type Studies struct {
	Searches chan struct{}
	Changed  func(rules string) // told of progress

	base context.Context
	quit context.CancelFunc
	work sync.WaitGroup
	mu   sync.Mutex
	of   map[string]*Fairness
}

// Open makes it ready; Close ends it.
func (s *Studies) Open(ctx context.Context) {
	s.base, s.quit = context.WithCancel(ctx)
	s.of = map[string]*Fairness{}
}

// Close ends what is being played.
func (s *Studies) Close() {
	s.quit()
	s.work.Wait()
}

// mostStudies is how many are kept.
const mostStudies = 200

// Of is the study of some rules so far; ok is false where none was begun.
func (s *Studies) Of(g *engines.Game) (f Fairness, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if have := s.of[g.RulesHash()]; have != nil {
		return *have, true
	}
	return f, false
}

// Begin begins a study of some rules, unless there is one.
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
		return errors.New("too many quick studies: restart the server")
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
		sample.add(r.Outcome, r.Plies)
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

// judge says what a look at the sample shows; empty for nothing yet.
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

// File is the file of rules with other knobs, its comments kept.
func (l *Library) File(name string, set []string) ([]byte, error) {
	if _, err := l.Game(name, set); err != nil {
		return nil, err
	}
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

// Save writes an own rules file with other knobs over the old one, its comments kept.
func (l *Library) Save(name string, set []string) error {
	path := l.rules[name]
	if path == "" {
		return fmt.Errorf("%s is a shipped file: download it as YAML and serve your copy with --rules", name)
	}
	data, err := l.File(name, set)
	if err != nil {
		return err
	}
	return files.Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// edit sets a value at a path of a mapping, and keeps the comments that stand beside the old one.
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
		value.HeadComment, value.LineComment, value.FootComment = old.HeadComment, old.LineComment, old.FootComment
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
