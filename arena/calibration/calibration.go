// Package calibration measures how often the claims of balance studies are wrong. It solves rules from a list
// ([Variant]), plays blind studies of them ([Run]), and compares each claim with the exact value. A study is blind
// if it does not use the solution. [Summarise] counts right and wrong claims.
package calibration

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"spar/arena"
	"spar/arena/campaign"
	"spar/arena/store"
	"spar/engines/rules"
	"spar/engines/solve"
)

//go:embed variants.txt
var shipped string

// Variant is one set of rules in the list.
type Variant struct {
	Rules string `json:"rules"` // rules with overrides, like vanishing[pieces.cap=4]
	Held  bool   `json:"held"`  // held out: it must not be used to choose the thresholds of claims

	Value campaign.Claim `json:"-"` // exact value if the list states it; empty = to be solved
}

// Shipped returns the list that Spar ships.
func Shipped() []Variant {
	out, err := Read(strings.NewReader(shipped))
	if err != nil {
		return nil // a test reads it
	}
	return out
}

// settled is a line in the output of "spar solve --suite people --json".
type settled struct {
	Rules string `json:"rules"`
	Value string `json:"value"`
}

// Read reads a list of variants. Each line has one; # starts a comment. Variants after a line "held out" are held
// out.
func Read(r io.Reader) ([]Variant, error) {
	var out []Variant
	held := false
	seen := map[string]int{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		value := campaign.Claim("")
		if strings.HasPrefix(text, "{") {
			var game settled
			if err := json.Unmarshal([]byte(text), &game); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			values := map[string]campaign.Claim{"first": campaign.First, "second": campaign.Second, "draw": campaign.Even}
			if value = values[game.Value]; value == "" {
				continue
			}
			text = game.Rules
		}
		switch text = strings.TrimSpace(text); {
		case text == "":
		case text == "chosen on", text == "held out":
			held = text == "held out"
		case seen[text] > 0:
			return nil, fmt.Errorf("line %d: %s is a duplicate of line %d", n, text, seen[text])
		default:
			seen[text] = n
			name, set := rules.SplitLabel(text)
			if _, err := campaign.LoadRules(name, set); err != nil {
				return nil, fmt.Errorf("line %d: %s: %w", n, text, err)
			}
			out = append(out, Variant{text, held, value})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, errors.New("the list has no rules")
	}
	return out, nil
}

// Study is the claim of one blind study, with the true value.
type Study struct {
	Variant
	Effort string `json:"effort"`
	Seed   int64  `json:"seed"`
	// name of the agent whose evaluation the tiers use; empty = the hand-made evaluation
	Eval    string         `json:"eval,omitempty"`
	Truth   campaign.Claim `json:"truth"` // exact value: first, second or even
	Claim   campaign.Claim `json:"claim"`
	Against string         `json:"against,omitempty"`
	// Likeliest is the claim. If there is none, it is the most frequent result of the last stage's games from the
	// true start; unknown for a tie.
	Likeliest campaign.Claim `json:"likeliest,omitempty"`
	Stages    int            `json:"stages"`
	Games     int64          `json:"games"`
	// processor time in seconds, including the time for learning an evaluation
	Seconds float64 `json:"cpu_s"`
	// reason why the study makes no claim; empty if it makes one
	Left  string `json:"left_out,omitempty"`
	Plain Plain  `json:"plain"`
}

// Plain is the answer of the simpler method that is common in publications: ten games of one agent against itself,
// with the same number of positions searched. The side with more wins is favoured; there is no interval.
type Plain struct {
	Claim       campaign.Claim `json:"claim"`
	Tally       campaign.Tally `json:"games"`
	Simulations int64          `json:"simulations"`
	Seconds     float64        `json:"cpu_s"`
}

// Options are the conditions of a calibration.
type Options struct {
	Variants []Variant
	Effort   string
	Seeds    int     // number of seeds, from 1
	Seconds  float64 // maximum processor time of a study; 0 = no limit
	Workers  int
	Memory   int64 // maximum memory for solving, in bytes
	// Alone leaves out the ten games of Plain.
	Alone bool
	// Eval names the evaluation of the agents. The function Evaluation returns the agent that has it, for given
	// rules and a seed; it may have to learn it first. Empty and nil mean the hand-made evaluation. The ten games
	// of Plain always use the hand-made one.
	Eval       string
	Evaluation func(ctx context.Context, r campaign.Rules, seed int64) (agent string, err error)
	// Path is a file with a line of JSON for each study. Run skips the studies in it.
	Path string
	// Assets and Pool determine where games are played; nil = in this process. Only the processor time of this
	// process is counted.
	Assets   *arena.Assets
	Pool     arena.Pool
	Progress func(done, total int, s Study)
}

// Run plays the studies that the file does not have yet, and returns all studies. An interrupted study starts again.
func Run(ctx context.Context, o Options) ([]Study, error) {
	known, err := load(o.Path)
	if err != nil {
		return nil, err
	}
	type value struct {
		truth campaign.Claim
		left  string
	}
	values := map[string]value{}
	var out []Study
	total := len(o.Variants) * o.Seeds
	for seed := range int64(o.Seeds) { // every set of rules once, then again: what is there early stands for all of them
		for _, v := range o.Variants {
			s, ok := known[key{v.Rules, o.Effort, o.Eval, seed + 1}]
			if !ok {
				x, ok := values[v.Rules]
				if x.truth = cmp.Or(v.Value, x.truth); x.truth == "" && !ok {
					if x.truth, x.left, err = exact(ctx, v.Rules, o); err != nil {
						return out, err
					}
					values[v.Rules] = x
				}
				s = Study{
					Variant: v, Effort: o.Effort, Seed: seed + 1, Eval: o.Eval, Truth: x.truth, Left: x.left,
					Claim: campaign.Unknown,
				}
				if s.Left == "" {
					if err := play(ctx, &s, o); err != nil {
						return out, err
					}
				}
				if err := keep(o.Path, s); err != nil {
					return out, err
				}
			}
			s.Held = v.Held
			out = append(out, s)
			if o.Progress != nil {
				o.Progress(len(out), total, s)
			}
		}
	}
	return out, nil
}

type key struct {
	rules, effort, eval string
	seed                int64
}

func load(path string) (map[key]Study, error) {
	out := map[key]Study{}
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	for i, line := range strings.SplitAfter(string(data), "\n") {
		if !strings.HasSuffix(line, "\n") { // cut off while it was written: the next study begins a line of its own
			return out, os.Truncate(path, int64(len(data)-len(line)))
		}
		var s Study
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
		out[key{s.Rules, s.Effort, s.Eval, s.Seed}] = s
	}
	return out, nil
}

func keep(path string, s Study) (err error) {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	return errors.Join(err, f.Close())
}

// exact returns the value of the start position.
func exact(ctx context.Context, label string, o Options) (truth campaign.Claim, left string, err error) {
	name, set := rules.SplitLabel(label)
	r, err := campaign.LoadRules(name, set)
	if err != nil {
		return "", "", err
	}
	t, err := solve.Solve(ctx, r.Game, solve.Options{Memory: o.Memory, Workers: o.Workers})
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	if err != nil {
		return "", "not solved: " + err.Error(), nil
	}
	value := t.Stats().Root.Under(r.Game.Rules().Draw.MaxPlies, 0)
	truth = map[solve.Outcome]campaign.Claim{
		solve.Win: campaign.First, solve.Loss: campaign.Second,
		solve.Draw: campaign.Even,
	}[value.Outcome]
	return truth, "", t.Close()
}

// play plays the games of a blind study, with the seeds of an ordinary study. It then uses the plain method with
// equal work.
func play(ctx context.Context, s *Study, o Options) error {
	name, set := rules.SplitLabel(s.Rules)
	r, err := campaign.LoadRules(name, set)
	if err != nil {
		return err
	}
	began := arena.ProcessTime()
	limited, stop := o.limit(ctx, began)
	defer stop()
	request := campaign.Request{Effort: s.Effort, Seed: s.Seed}
	if o.Evaluation != nil {
		request.Eval, err = o.Evaluation(limited, r, s.Seed)
		if over, err := o.over(ctx, limited, s, err); over || err != nil {
			return err
		}
	}
	c, err := campaign.New(r, request)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "spar-calibrate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a leftover does no harm
	db, err := store.Open(ctx, filepath.Join(folder, "study.db"), store.Create)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = c.RunInquiry(limited, limited, db, campaign.Options{Workers: o.Workers, Assets: o.Assets, Pool: o.Pool})
	if over, err := o.over(ctx, limited, s, err); over || err != nil {
		return err
	}
	s.Seconds = (arena.ProcessTime() - began).Seconds()
	stages, _, err := campaign.Inquired(ctx, db, r.Label)
	if err != nil {
		return err
	}
	f := campaign.Judge(stages)
	s.Claim, s.Against, s.Stages = f.Claim, f.Against, len(stages)
	if s.Likeliest = f.Claim; f.Claim == campaign.Unknown && len(stages) > 0 {
		s.Likeliest = likeliest(stages[len(stages)-1].Free.All())
	}
	work := 0.0
	for _, x := range stages {
		work += x.Work
		s.Games += x.Games
	}
	if s.Plain.Claim = campaign.Unknown; o.Eval != "" || o.Alone {
		return nil
	}
	began = arena.ProcessTime()
	limited, stop = o.limit(ctx, began)
	defer stop()
	s.Plain.Tally, s.Plain.Simulations, err = c.Plainly(limited, db, work, stages[len(stages)-1].Plies,
		campaign.Options{Workers: o.Workers, Assets: o.Assets, Pool: o.Pool})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && limited.Err() == nil {
		return err
	}
	s.Plain.Seconds = (arena.ProcessTime() - began).Seconds()
	s.Plain.Claim = plainly(s.Plain.Tally)
	return nil
}

// over reports whether a study has used up its processor time, and notes this in the study. It returns an error if
// the study was interrupted or failed.
func (o Options) over(ctx, limited context.Context, s *Study, err error) (bool, error) {
	switch {
	case ctx.Err() != nil:
		return true, ctx.Err()
	case limited.Err() != nil:
		s.Left = fmt.Sprintf("took more than %g s", o.Seconds)
		return true, nil
	}
	return false, err
}

// limit returns a context that ends when the given processor time is used up.
func (o Options) limit(ctx context.Context, began time.Duration) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(ctx)
	if o.Seconds > 0 {
		go func() {
			t := time.NewTicker(100 * time.Millisecond)
			defer t.Stop()
			for {
				select {
				case <-out.Done():
					return
				case <-t.C:
					if (arena.ProcessTime() - began).Seconds() > o.Seconds {
						cancel()
					}
				}
			}
		}()
	}
	return out, cancel
}

// likeliest returns the most frequent result, or unknown for a tie.
func likeliest(t campaign.Tally) campaign.Claim {
	draws := t.Draws + t.Caps
	switch {
	case t.First > max(t.Second, draws):
		return campaign.First
	case t.Second > max(t.First, draws):
		return campaign.Second
	case draws > max(t.First, t.Second):
		return campaign.Even
	}
	return campaign.Unknown
}

// plainly returns the side with more wins.
func plainly(t campaign.Tally) campaign.Claim {
	switch {
	case t.Games() == 0:
		return campaign.Unknown
	case t.First > t.Second:
		return campaign.First
	case t.Second > t.First:
		return campaign.Second
	}
	return campaign.Even
}
