package review

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"spar/agents"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/bulk"
	"spar/engines/solve"
	"spar/reports/screen"
)

// Exact is the name of the source of exact values.
const Exact = "exact"

// Judge rates moves and reviews games. Its values are exact if the game is small or has a table; otherwise they are the
// scores of one agent. It keeps tables and agents between calls. It is not safe for concurrent use.
type Judge struct {
	spec   agents.Spec
	file   string                  // path of the table of a solved game; empty = solve small games when needed
	tables map[string]*solve.Table // tables by hash of the rules; nil for a game that is too large
	agents map[string]agents.Agent
}

// NewJudge returns a judge. It uses an agent of the given spec where there is no exact value. File is the path of a
// solved game's table, which the judge uses instead of solving small games; it may be empty.
func NewJudge(spec agents.Spec, file string) *Judge {
	return &Judge{
		spec:   spec,
		file:   file,
		tables: map[string]*solve.Table{},
		agents: map[string]agents.Agent{},
	}
}

// Close releases the agents.
func (j *Judge) Close() error {
	var all []error
	for _, a := range j.agents {
		if a, ok := a.(agents.Closer); ok {
			all = append(all, a.Close())
		}
	}
	return errors.Join(all...)
}

// table loads the table of a game, or solves the game if it is small; otherwise it returns nil.
func (j *Judge) table(ctx context.Context, g *engines.Game) (*solve.Table, error) {
	hash, err := solve.RulesHash(g)
	if err != nil {
		if j.file == "" { // rules that cannot be solved
			err = nil
		}
		return nil, err
	}
	if t, ok := j.tables[hash]; ok {
		return t, nil
	}
	var t *solve.Table
	if j.file == "" {
		t, err = solve.Small(ctx, g)
	} else {
		t, err = solve.Load(j.file, g)
	}
	if err == nil {
		j.tables[hash] = t
	}
	return t, err
}

// evaluator lets the agent search the position after every legal move.
func (j *Judge) evaluator(ctx context.Context, g *engines.Game) (Evaluator, error) {
	key := g.RulesHash()
	a, ok := j.agents[key]
	if !ok {
		var err error
		if a, err = agents.NewContext(ctx, j.spec, g); err != nil {
			return nil, err
		}
		j.agents[key] = a
	}
	return func(p *engines.Position) ([]float64, error) {
		var scores []float64
		for _, m := range p.AppendMoves(nil) {
			score, err := j.score(ctx, a, p, m)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", j.spec.Name, err)
			}
			scores = append(scores, score)
		}
		return scores, nil
	}, nil
}

// score returns the expected score of a move for its mover. Alpha-beta rates a position higher if the side to move
// also makes the last ply of the search, so scores of even and odd depths differ. If the agent has a fixed depth
// and the search finds no forced result, score returns the mean of two consecutive depths.
func (j *Judge) score(ctx context.Context, a agents.Agent, p *engines.Position, m engines.Move) (float64, error) {
	budget := j.spec.Budget
	score, err := agents.MoveScore(ctx, a, p, m, budget)
	if err != nil || !j.spec.SearchesToDepth() || budget.Depth < 2 || score <= 0 || score >= 1 {
		return score, err
	}
	budget.Depth--
	shallow, err := agents.MoveScore(ctx, a, p, m, budget)
	return (score + shallow) / 2, err
}

// Scale returns the scale for the moves of a game: exact values if there is a table or each can be proved, otherwise
// the scores of the judge's agent. Do not use the scale after the judge is closed or ctx has ended.
func (j *Judge) Scale(ctx context.Context, g *engines.Game) (*Scale, error) {
	t, err := j.table(ctx, g)
	if err != nil || t != nil {
		return &Scale{Exact, byTable(t), isClassic(g)}, err
	}
	if solve.Instant(g) {
		return &Scale{Exact, func(p *engines.Position) ([]Rated, error) { return proved(ctx, p) }, false}, nil
	}
	evaluator, err := j.evaluator(ctx, g)
	return &Scale{j.spec.Name, byEvaluator(evaluator), false}, err
}

// proved rates moves by a proof of each. It knows who wins, but not after how many plies.
func proved(ctx context.Context, p *engines.Position) ([]Rated, error) {
	legal := p.AppendMoves(nil)
	out := make([]Rated, len(legal))
	err := solve.ProveMoves(ctx, &p.State, solve.ProofOptions{Workers: 1}, func(m solve.MoveProof) {
		out[slices.Index(legal, m.Move)] = exactly(m.Move, solve.Value{Outcome: m.AtLeast})
	})
	return out, err
}

// Line is a game to review.
type Line struct {
	bulk.Line
	// side from whose view the bar and the arc are drawn: first or X, second or O
	Perspective string `json:"perspective"`
}

// ParseSide reads the name of a side: first or X, second or O.
func ParseSide(text string) (int, error) {
	switch text {
	case "first", "X":
		return engines.First, nil
	case "second", "O":
		return engines.Second, nil
	}
	return 0, strict.Badf("perspective %q: expected first or second", text)
}

// Game is a game with its review.
type Game struct {
	ID          json.RawMessage `json:"id,omitempty" help:"id of the input line, or number of the game in its study"`
	Line        int             `json:"line,omitempty" help:"number of the input line, with --file"`
	Rules       string          `json:"rules,omitempty" help:"name of the rules"`
	Perspective string          `json:"perspective,omitempty" help:"X or O: the side whose expected score the bar and the chart show"`
	Moves       []string        `json:"moves,omitempty" help:"all moves"`
	Result      string          `json:"result,omitempty" help:"first, second, draw or ongoing"`
	// Exact, or the name of the agent that gave the scores
	Source string `json:"source,omitempty" help:"exact, or the name of the agent that rated the moves"`
	*Review
	Error string `json:"error,omitempty" help:"why there is no review"`
}

// Review reviews a game, finished or not. Perspective is the side from whose view the bar and the arc are drawn.
func (j *Judge) Review(ctx context.Context, g *engines.Game, moves []string, perspective int) (Game, error) {
	p := g.NewPosition()
	if err := p.PlayText(moves); err != nil {
		return Game{}, err
	}
	scale, err := j.Scale(ctx, g)
	if err != nil {
		return Game{}, err
	}
	r := Game{
		Rules:       g.Name(),
		Perspective: "XO"[perspective : perspective+1],
		Moves:       moves,
		Result:      p.Result().String(),
		Source:      scale.Source,
	}
	r.Review, err = scale.review(g, moves, perspective)
	return r, err
}

// Hint holds the best moves of a position and their value for the side to move.
type Hint struct {
	Rules  string   `json:"rules" help:"name of the rules"`
	Side   string   `json:"side" help:"X or O: the side to move"`
	Best   []string `json:"best" help:"every best move"`
	Score  float64  `json:"score" help:"expected score, 0 to 1"`
	Rating int      `json:"rating" help:"rating, as in a review"`
	// win, draw or loss if the value is exact; otherwise empty
	Value  string `json:"value,omitempty" help:"win, draw or loss, if it is exact"`
	Plies  int    `json:"plies,omitempty" help:"plies to the end, including the move; omitted for a draw"`
	Source string `json:"source" help:"exact, or the name of the agent that rated the moves"`
}

// Hint returns every best move of a position that is not over: the fastest wins, otherwise all moves that draw,
// otherwise the slowest losses; if there are only an agent's scores, the moves with the highest score.
func (j *Judge) Hint(ctx context.Context, p *engines.Position) (Hint, error) {
	g := p.Game()
	scale, err := j.Scale(ctx, g)
	if err != nil {
		return Hint{}, err
	}
	all, err := scale.Rate(p)
	if err != nil {
		return Hint{}, err
	}
	h := Hint{Rules: g.Name(), Side: "XO"[p.Side() : p.Side()+1], Source: scale.Source}
	for _, r := range BestMoves(all) {
		h.Best = append(h.Best, g.MoveText(r.Move))
		h.Score, h.Rating = r.Score, r.Rating
		if r.Exact {
			h.Value, h.Plies = r.Value.Outcome.String(), r.Value.DTW
		}
	}
	return h, nil
}

// Worth returns the value of the best moves in words.
func (h *Hint) Worth() string {
	if h.Value == "" {
		return fmt.Sprintf("expected score %.3f by %s", h.Score, h.Source)
	}
	if h.Plies > 0 {
		return fmt.Sprintf("%s in %s, exact", h.Value, screen.Plural(h.Plies, "ply"))
	}
	return h.Value + ", exact"
}
