package arena

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"spar/agents"
	"spar/engines"
	"spar/ratings"
)

// Recommending holds the options for Recommend, which finds the best default agent for some rules. A zero field
// means the default.
type Recommending struct {
	Budget     agents.Budget            // budget of every decision of all candidates; it replaces their own budgets
	Candidates []agents.Spec            // at least two, with different names; empty = the families of searches
	Evaluation agents.EvaluationOptions // of the families' minimax and mcts; zero = the default of the rules
	// maximum pairs of games between two candidates, also limited by the number of openings; 0 = 96
	Pairs   int
	Seed    int64
	Workers int                  // number of games at the same time; 0 = one for each core
	Interim func(Recommendation) // called after each interim analysis; may be nil
}

// Recommendation is the result of Recommend.
type Recommendation struct {
	Rules  string `json:"rules" help:"name of the rules"`
	Budget string `json:"budget" help:"budget of each decision"`
	// the candidate that is significantly better than all others; empty if undecided
	Best string `json:"best" help:"the best candidate; empty if none is significantly better than all others"`
	// false if the context ended before there was a result
	Finished bool `json:"finished" help:"false if it was interrupted"`
	// joint confidence level of all intervals at all interim analyses
	Confidence float64 `json:"confidence" help:"joint level of all intervals"`
	// description of how games started
	Openings   string      `json:"openings" help:"how games began"`
	Games      int         `json:"games" help:"games played"`
	Candidates []Candidate `json:"candidates"`
	Duels      []Duel      `json:"duels"`
}

// Candidate is an agent that can be recommended.
type Candidate struct {
	Name string `json:"name" help:"name"`
	// a candidate that is significantly better; empty if there is none
	Beaten   string  `json:"beaten_by,omitempty" help:"a candidate that is significantly better"`
	Games    int     `json:"games" help:"games played"`
	Decision float64 `json:"decision_ms" help:"mean thinking time of a decision"` // mean wall time for a decision

	spent time.Duration
	moves int
}

// Duel is the result of two candidates against each other.
type Duel struct {
	Agent    string  `json:"agent" help:"a candidate"`
	Opponent string  `json:"opponent" help:"the other candidate"`
	Pairs    int     `json:"pairs" help:"pairs of games between them"`
	Score    float64 `json:"score" help:"score of the agent, 0 to 1"` // score of Agent, 0 to 1
	// end of the interval, which is valid for all interim analyses of all duels together
	Lo float64 `json:"lo" help:"lower end of its interval"`
	Hi float64 `json:"hi" help:"upper end"`

	Estimate ratings.Estimate `json:"estimate" help:"the score with its interval"`

	counts [5]float64 // number of pairs in which Agent had 0 to 4 half points
	a, b   int
}

// Families returns the candidates for the default agent of rules: alpha-beta and Monte-Carlo tree search, each with the
// given evaluation (zero = the default one) and, if that is a net, also with the weights; and tree search with random
// games. The specs have no budget; the caller sets it.
func Families(g *engines.Game, evaluation agents.EvaluationOptions) []agents.Spec {
	var out []agents.Spec
	for _, family := range []struct{ name, shipped string }{
		{"minimax", "minimax-4"},
		{"mcts", "mcts-1k"},
		{"minimax-weights", "minimax-4"},
		{"mcts-weights", "mcts-1k"},
		{"uct", "uct-1k"},
	} {
		s, err := agents.LoadSpec(family.shipped)
		if err != nil {
			continue // shipped files are read by tests
		}
		if s.Evaluates() {
			s.Evaluation = evaluation
		}
		if strings.HasSuffix(family.name, "-weights") {
			if s.For(g).Weights != nil {
				continue // the search above plays by weights
			}
			s.Evaluation = agents.EvaluationOptions{Kind: agents.Linear}
		}
		s.Name, s.Budget = family.name, agents.Budget{}
		out = append(out, s)
	}
	return out
}

// ParseBudget reads the budget of a decision: a time like 50ms, or a count like 2500 or 1k (simulations for mcts,
// positions for minimax).
func ParseBudget(text string) (agents.Budget, error) {
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return agents.Budget{Seconds: d.Seconds()}, nil
	}
	digits, thousands := strings.CutSuffix(text, "k")
	n, err := strconv.ParseInt(digits, 10, 64)
	if thousands {
		n *= 1000
	}
	if err != nil || n < 1 || n > 1e12 {
		return agents.Budget{}, fmt.Errorf("budget %q: expected a time like 50ms or a count like 2500 or 1k", text)
	}
	return agents.Budget{Nodes: n, Iterations: n}, nil
}

// interimAnalyses are the numbers of pairs after which duels are judged, as fractions of the maximum number.
var interimAnalyses = [...]int{8, 4, 2, 1}

// Recommend plays the candidates against each other in pairs, with the same openings for all. When one is
// significantly better than another, it drops the latter, until one is left or the pairs are used up. There are
// few interim analyses. The joint confidence of the intervals at all of them is 95 % (Bonferroni). If the budget
// is a count, the games depend only on the seed. When the context ends, Recommend returns the results so far, with
// Finished false.
func Recommend(ctx context.Context, g *engines.Game, o Recommending) (Recommendation, error) {
	if len(o.Candidates) == 0 {
		o.Candidates = Families(g, o.Evaluation)
	}
	if o.Pairs <= 0 {
		o.Pairs = 96
	}
	runner := NewRunner(nil, nil, o.Workers)
	defer runner.Close()
	runner.Assets.AddRules(g)
	c := &contest{g: g, o: o, runner: runner}
	c.r = Recommendation{Rules: g.Name(), Budget: o.Budget.String(), Confidence: 0.95}
	if b := o.Budget; b.Nodes > 0 && b.Nodes == b.Iterations {
		c.r.Budget = fmt.Sprintf("%d simulations (mcts) or positions (minimax)", b.Nodes)
	}
	for _, s := range o.Candidates {
		s.Budget = o.Budget
		c.entrants = append(c.entrants, runner.Assets.Entrant(s, g, o.Budget))
		c.r.Candidates = append(c.r.Candidates, Candidate{Name: s.Name})
	}
	for a := range o.Candidates {
		for b := a + 1; b < len(o.Candidates); b++ {
			c.r.Duels = append(c.r.Duels, Duel{
				Agent: o.Candidates[a].Name, Opponent: o.Candidates[b].Name, a: a, b: b,
				Score: 0.5, Hi: 1,
			})
		}
	}
	c.level = 1 - (1-c.r.Confidence)/float64(len(interimAnalyses)*len(c.r.Duels))
	c.open()
	from := 0
	for _, share := range interimAnalyses {
		to := max(1, c.o.Pairs/share)
		if err := c.play(ctx, from, to); err != nil {
			return c.r, err
		}
		from = to
		c.judge()
		if o.Interim != nil {
			o.Interim(c.r)
		}
		if c.r.Finished {
			return c.r, nil
		}
	}
	c.r.Finished = true
	return c.r, nil
}

// contest is the tournament of a recommendation.
type contest struct {
	g        *engines.Game
	o        Recommending
	runner   *Runner
	book     *Book
	entrants []Entrant
	level    float64
	r        Recommendation
}

// open chooses the openings: balanced ones if there are enough, otherwise random ones of the same length. There
// are at most as many pairs as distinct openings, since repeated games are no evidence.
func (c *contest) open() {
	openings := Openings{Draw: "balanced"}
	plies := openings.random(c.g)
	c.r.Openings = fmt.Sprintf("balanced, %d random plies", plies)
	c.book = NewBook(c.g, openings, c.o.Seed)
	if c.book.Distinct(int64(c.o.Pairs)) < int64(min(c.o.Pairs, 12)) {
		c.r.Openings = fmt.Sprintf("any, %d random plies", plies)
		c.book = NewBook(c.g, Openings{Plies: plies}, c.o.Seed)
	}
	c.o.Pairs = int(c.book.Distinct(int64(c.o.Pairs)))
}

// play plays the pairs with the given numbers and counts their results.
func (c *contest) play(ctx context.Context, from, to int) error {
	tasks, duels := c.pairs(from, to)
	results := make([]*Result, len(tasks)) // nil: the context ended before
	err := c.runner.Play(ctx, tasks, func(r *Result) { results[r.Number] = r })
	c.count(duels, results)
	return err
}

// pairs lists the games of the pairs with the given numbers, between all remaining candidates, and the duel of
// each game. The two games of a pair follow each other and have the same opening and exchanged seats.
func (c *contest) pairs(from, to int) (tasks []Task, duels []int) {
	for pair := from; pair < to; pair++ {
		for i, d := range c.r.Duels {
			if c.r.Candidates[d.a].Beaten != "" || c.r.Candidates[d.b].Beaten != "" {
				continue
			}
			a, b := c.entrants[d.a], c.entrants[d.b]
			for seat, seats := range [...][2]Entrant{{a, b}, {b, a}} {
				n := int64(len(tasks))
				stream := uint64((pair*len(c.r.Duels)+i)*2 + seat)
				tasks = append(tasks, NewTask(c.g, Slot{Number: n}, seats, c.book.Opening(int64(pair)), c.o.Seed, stream))
				duels = append(duels, i)
			}
		}
	}
	return tasks, duels
}

// count adds finished pairs. It ignores pairs that the end of the context interrupted.
func (c *contest) count(duels []int, results []*Result) {
	for n := 0; n < len(results); n += 2 {
		d, halves := &c.r.Duels[duels[n]], 0.0
		if results[n] == nil || results[n+1] == nil {
			continue
		}
		for seat, r := range results[n : n+2] {
			halves += 2 * r.Outcome.Score(seat)
			for side, who := range [2]int{d.a, d.b} {
				k := &c.r.Candidates[who]
				k.Games++
				k.spent += r.Spent[side^seat]
				k.moves += (r.Plies - r.OpeningPlies + 1) / 2
				k.Decision = k.spent.Seconds() * 1000 / float64(max(1, k.moves))
			}
			c.r.Games++
		}
		d.counts[int(halves)]++
		d.Pairs++
	}
}

// judge computes the intervals of the duels and marks beaten candidates. It reports whether only one candidate is
// left.
func (c *contest) judge() {
	for i := range c.r.Duels {
		d := &c.r.Duels[i]
		m, err := ratings.AnalyzeMatch(d.counts[:], c.level)
		if err != nil || d.Pairs == 0 {
			continue
		}
		d.Estimate = m.Score
		d.Estimate.Anytime = true
		d.Score, d.Lo, d.Hi = m.Score.Value, 0, 1
		if !m.Elo.Interval.LoOpen {
			d.Lo = ratings.ExpectedScore(m.Elo.Interval.Lo)
		}
		if !m.Elo.Interval.HiOpen {
			d.Hi = ratings.ExpectedScore(m.Elo.Interval.Hi)
		}
		a, b := &c.r.Candidates[d.a], &c.r.Candidates[d.b]
		switch {
		case d.Lo > 0.5 && b.Beaten == "":
			b.Beaten = a.Name
		case d.Hi < 0.5 && a.Beaten == "":
			a.Beaten = b.Name
		}
	}
	if left := c.r.Left(); len(left) == 1 {
		c.r.Best, c.r.Finished = left[0], true
	}
}

// Left returns the candidates that are not beaten: no other candidate is significantly better.
func (r *Recommendation) Left() []string {
	var out []string
	for _, k := range r.Candidates {
		if k.Beaten == "" {
			out = append(out, k.Name)
		}
	}
	return out
}

// Displaces reports whether no search with the evaluation of the families is left: others are better.
func (r Recommendation) Displaces() bool {
	return !slices.ContainsFunc(r.Left(), func(name string) bool { return name == "minimax" || name == "mcts" })
}

// String returns the recommendation and its confidence as a sentence.
func (r Recommendation) String() string {
	switch left := r.Left(); {
	case r.Best != "":
		return fmt.Sprintf("%s: %s is the best default at %s", r.Rules, r.Best, r.Budget)
	case !r.Finished:
		return fmt.Sprintf("%s: stopped before a decision", r.Rules)
	case len(left) == 0: // each beats another
		return fmt.Sprintf("%s: undecided at %s: each candidate loses to another", r.Rules, r.Budget)
	default:
		last := len(left) - 1
		names := strings.TrimPrefix(strings.Join(left[:last], ", ")+" and "+left[last], " and ")
		return fmt.Sprintf("%s: no significant difference between %s at %s", r.Rules, names, r.Budget)
	}
}
