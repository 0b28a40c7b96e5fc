package campaign

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/agents"
	"spar/agents/mcts"
	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/openings"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
	"spar/engines/playout"
)

// An inquiry asks who wins under perfect play, not how strong some agents are. Two kinds of search that share nothing
// but the rules (alpha-beta with the evaluation of the study; tree search with playouts, which has no evaluation) play
// themselves and each other. Their budgets grow fourfold from stage to stage. They play from the start and from forced
// openings: every first move, then every reply to the best first move. A deterministic game without hidden information
// has one of three values, so the scores of ever stronger players approach 1, 1/2 or 0. Where nothing is solved, a
// claim about the rules rests on the agreement of both kinds, stage after stage. In a study with a learned evaluation
// both searches use it: they are then stronger, but less independent.
//
// What is played next depends on the games stored, so that an interrupted inquiry continues with the same games.

// The kinds of play in an inquiry: which kinds of search play each other.
const (
	AlphaBeta  = "alpha-beta"
	TreeSearch = "tree search"
	Across     = "one against the other"
)

// Tally counts games by result. Caps counts the draws caused by a cap, such as the ply cap; Draws counts the others.
type Tally struct {
	First  int64 `json:"first"`
	Draws  int64 `json:"draws"`
	Caps   int64 `json:"caps,omitempty"`
	Second int64 `json:"second"`
}

// Games returns the number of games.
func (t Tally) Games() int64 { return t.First + t.Draws + t.Caps + t.Second }

// Score returns the first player's mean score; NaN if there are no games.
func (t Tally) Score() float64 {
	return (float64(t.First) + float64(t.Draws+t.Caps)/2) / float64(t.Games())
}

// Plus returns the sum of two tallies.
func (t Tally) Plus(o Tally) Tally {
	return Tally{t.First + o.First, t.Draws + o.Draws, t.Caps + o.Caps, t.Second + o.Second}
}

// Probe holds the results of games from one opening, for each kind of play: AlphaBeta, TreeSearch, Across.
type Probe struct {
	Moves    string           `json:"moves,omitempty"` // moves of the opening; empty = the true start
	By       map[string]Tally `json:"by"`
	Distinct int64            `json:"distinct"` // number of distinct games
	// number of games from the true start that began with this opening, up to symmetry
	Chosen int64 `json:"chosen,omitempty"`
}

// All returns the sum over the kinds of play.
func (p Probe) All() Tally {
	var out Tally
	for _, t := range p.By {
		out = out.Plus(t)
	}
	return out
}

// Independent returns how many of n games of the probe are independent observations. If the searches repeat the
// same few games, it multiplies n by the fraction of distinct games.
func (p Probe) Independent(n int64) int64 {
	games := p.All().Games()
	if !evidence.Same(games, p.Distinct) {
		return n
	}
	return (n*p.Distinct + games - 1) / games
}

// Stage holds the games of an inquiry that have the same budget.
type Stage struct {
	Nodes       int64   `json:"nodes"`             // budget of alpha-beta in positions per move
	Simulations int64   `json:"simulations"`       // budget of the tree search in simulations per move
	Learned     bool    `json:"learned,omitempty"` // both searches use the learned evaluation of the study
	Free        Probe   `json:"free"`
	FirstMoves  []Probe `json:"first_moves"`
	// replies to the first player's best first move; if several moves are best, to the one chosen most often
	Replies []Probe `json:"replies"`
	Side    string  `json:"side"` // who makes the second ply: first or second
	// number of positions searched; simulations are converted to positions
	Work  float64 `json:"work"`
	Plies float64 `json:"plies"` // mean length of the games from the true start and from first moves, in plies
	Games int64   `json:"games"`
}

// Probes returns all probes of the stage.
func (s Stage) Probes() []Probe { return slices.Concat([]Probe{s.Free}, s.FirstMoves, s.Replies) }

// Inquiry holds the settings and limits of an inquiry: how much each stage searches and plays, and when it stops.
type Inquiry struct {
	Nodes  int64 `json:"nodes"`  // positions per move in the first stage
	Stages int   `json:"stages"` // maximum number of stages
	Free   int   `json:"free"`   // pairs from the true start, for each kind of play
	Forced int   `json:"forced"` // pairs from each forced opening, for each kind of play
	// limit of the total number of positions; a stage that is expected to exceed it does not start
	Work float64 `json:"work"`
	// maximum number of forced first moves, and of replies, spread evenly over all of them; 0 = 60, in studies by older
	// versions
	Openings int `json:"openings,omitempty"`
	// Tactics means that playouts complete and block lines, under rules for which that is fast, and that games end when
	// a draw is proved. Studies by older versions have neither.
	Tactics bool `json:"tactics,omitempty"`
}

const (
	growth     = 4 // factor of the budget from one stage to the next
	perPlayout = 5 // number of alpha-beta positions that take about as long as a simulation with a playout
	// maximum plies of a playout, after which the evaluation decides; under some rules random play hardly ever
	// ends
	longestPlayout = 80
)

// searchers returns the two players of a stage. Both choose at random among equal moves. If the study's evaluation
// is learned, the tree search uses it in place of playouts, which are its weakness.
func (c *Campaign) searchers(nodes int64, learned bool) []agents.Spec {
	ab := agents.DefaultSpec()
	ab.Name = fmt.Sprintf("alpha-beta-%d", nodes)
	ab.Type = "minimax"
	ab.Description = fmt.Sprintf("Alpha-beta, %d positions a move.", nodes)
	ab.Budget = agents.Budget{Nodes: nodes}
	ab.Params = agents.DefaultEval()
	simulations := nodes / perPlayout
	ts := agents.DefaultSpec()
	ts.Name = fmt.Sprintf("playouts-%d", simulations)
	ts.Type = "mcts"
	ts.Description = fmt.Sprintf("Tree search without an evaluation, %d random playouts a move.", simulations)
	ts.Budget = agents.Budget{Iterations: simulations}
	ts.MCTS = mcts.DefaultOptions()
	if learned {
		ts.Name, ts.Description = fmt.Sprintf("tree-search-%d", simulations),
			fmt.Sprintf("Tree search with the study's evaluation, %d simulations a move.", simulations)
		ts.Params = agents.DefaultEval()
		return []agents.Spec{ab, ts}
	}
	ts.MCTS.Selection, ts.MCTS.Exploration, ts.MCTS.FPU, ts.MCTS.Rollout, ts.MCTS.Plies = "uct", 1, 10, "random",
		longestPlayout
	if c.Record.Inquiry.Tactics && playout.Races(c.Rules.Game) {
		ts.MCTS.Rollout, ts.MCTS.Plies, ts.MCTS.RAVE, ts.MCTS.Exploration = "tactical", 0, 300, 0.3
		ts.Name = fmt.Sprintf("line-playouts-%d", simulations)
		ts.Description = fmt.Sprintf("Tree search without an evaluation, %d playouts that see lines a move.", simulations)
	}
	return []agents.Spec{ab, ts}
}

// inquirer plays an inquiry, or reads it from a study.
type inquirer struct {
	c      *Campaign
	ask    Inquiry
	events map[string]study.Event
	db     *store.DB
	// plays a part and reports whether it is finished; nil = use only stored games
	play func(*arena.Tournament) (bool, error)
}

// stages runs the stages of the inquiry. The result finished reports whether all games have been played.
func (q *inquirer) stages(ctx context.Context) (out []Stage, finished bool, err error) {
	nodes := q.ask.Nodes
	for k := range q.ask.Stages {
		if k > 0 && growth*out[k-1].Work > q.ask.Work {
			return out, true, nil // not worth beginning: it would cost too much
		}
		s, ok, err := q.stage(ctx, k, nodes)
		if err != nil || !ok {
			return out, false, err
		}
		out = append(out, s)
		nodes *= growth
		if Settled(out) && (q.ask.Openings > 0 || k >= leastStages) { // older versions played one stage more
			break
		}
	}
	return out, true, nil
}

func (q *inquirer) stage(ctx context.Context, k int, nodes int64) (Stage, bool, error) {
	s := Stage{
		Nodes:       nodes,
		Simulations: nodes / perPlayout,
		Learned:     q.c.valued.learned(),
		FirstMoves:  []Probe{},
		Replies:     []Probe{},
	}
	lines := q.ask.thin(FirstMoves(q.c.Rules.Game))
	probes, ok, err := q.probe(ctx, &s, k, "start", append(slices.Repeat([]string{""}, max(1, q.ask.Free/q.ask.Forced)),
		lines...))
	if err != nil || !ok {
		return s, ok, err
	}
	for _, p := range probes {
		if p.Moves == "" {
			s.Free = p
		} else {
			s.FirstMoves = append(s.FirstMoves, p)
		}
	}
	chosen := s.best().Moves
	if chosen == "" {
		return s, true, nil
	}
	replies, side := repliesTo(q.c.Rules.Game, chosen)
	if s.Side = side; len(replies) == 0 {
		return s, true, nil
	}
	s.Replies, ok, err = q.probe(ctx, &s, k, "replies", q.ask.thin(replies))
	return s, ok, err
}

// thin keeps at most a given number of entries, spread evenly.
func (a Inquiry) thin(lines []string) []string {
	most := cmp.Or(a.Openings, 60)
	step := (len(lines) + most - 1) / most
	if step < 2 {
		return lines
	}
	var out []string
	for i := 0; i < len(lines); i += step {
		out = append(out, lines[i])
	}
	return out
}

// repliesTo returns the lines of a first move and a reply, one for each class of symmetric positions, without
// those that end the game. Another result is who makes the second ply.
func repliesTo(g *engines.Game, first string) (lines []string, side string) {
	p := g.NewPosition()
	if p.PlayText([]string{first}) != nil {
		return nil, ""
	}
	side = "second"
	if p.Side() == engines.First {
		side = "first"
	}
	seen := map[uint64]bool{}
	for _, m := range p.AppendMoves(nil) {
		next := g.NewPosition()
		next.CopyFrom(p)
		next.Play(m)
		if h := next.CanonicalHash(); !seen[h] && !next.Over() {
			seen[h] = true
			lines = append(lines, first+" "+g.MoveText(m))
		}
	}
	return lines, side
}

// probe plays the games of a stage that start with the given lines, or reads them from the study.
func (q *inquirer) probe(ctx context.Context, s *Stage, k int, name string, lines []string) ([]Probe, bool, error) {
	var out []Probe
	index := map[string]int{}
	for _, l := range lines {
		if _, ok := index[l]; !ok {
			index[l] = len(out)
			out = append(out, Probe{Moves: l, By: map[string]Tally{}})
		}
	}
	seen := map[int64]bool{}
	var plies, games float64
	for i, format := range []string{"mirror", "match"} {
		t := q.c.part(fmt.Sprintf("inquiry/%d/%s/%s", k+1, name, format), PurposeInquiry, format, q.ask.Forced*len(lines),
			openings.Options{Lines: lines}, q.c.searchers(s.Nodes, s.Learned))
		t.Seed = PartSeed(q.c.Record.Request.Seed, 1000+10*k+2*len(name)+i)
		t.Adjudge.ForcedDraw = q.ask.Tactics
		all, err := q.games(ctx, t, func(g study.Game, j arena.Job) {
			unit := [2]float64{1, perPlayout}
			s.Work += float64(g.FirstNodes)*unit[j.First] + float64(g.SecondNodes)*unit[j.Second]
			if !g.Marks.Counts(evidence.Balance) {
				return
			}
			kind := Across
			if j.First == j.Second {
				kind = []string{AlphaBeta, TreeSearch}[j.First]
			}
			p := &out[index[lines[j.Opening%int64(len(lines))]]]
			p.By[kind] = p.By[kind].Plus(tallyOf(g))
			if at, ok := q.begun(g.Moves, index); ok && p.Moves == "" {
				out[at].Chosen++
			}
			if !seen[g.Hash] {
				seen[g.Hash] = true
				p.Distinct++
			}
			plies, games = plies+float64(g.Plies), games+1
			s.Games++
		})
		if err != nil || !all {
			return nil, false, err
		}
	}
	if name == "start" {
		s.Plies = plies / math.Max(games, 1)
	}
	return out, true, nil
}

// games plays a tournament unless it only reads, and calls do for each game in the study. It returns whether these are
// all games.
func (q *inquirer) games(ctx context.Context, t *arena.Tournament, do func(study.Game, arena.Job)) (bool, error) {
	if q.play != nil {
		if ok, err := q.play(t); err != nil || !ok {
			return ok, err
		}
	}
	event, ok, err := q.event(ctx, t.Name)
	if err != nil || !ok {
		return false, err
	}
	jobs, read := slices.Collect(arena.NewSchedule(t).Jobs), 0
	for g, err := range q.db.Finished(ctx, event) {
		if err != nil {
			return false, err
		}
		if g.Number >= int64(len(jobs)) {
			return false, fmt.Errorf("%s: game %d of %s is not in its plan", q.db.Path(), g.Number, t.Name)
		}
		do(g, jobs[g.Number])
		read++
	}
	return read >= len(jobs), nil
}

// begun returns the one-ply opening that a game began with, up to symmetry.
func (q *inquirer) begun(moves string, lines map[string]int) (int, bool) {
	first, _, _ := strings.Cut(moves, " ")
	g := q.c.Rules.Game
	start := g.NewPosition()
	m, err := start.ParseMove(first)
	if err != nil {
		return 0, false
	}
	for _, p := range g.Symmetries() {
		if image := start.Transform(p); image.Hash() != start.Hash() {
			continue
		}
		if at, ok := lines[g.MoveText(engines.TransformMove(m, p))]; ok {
			return at, true
		}
	}
	return 0, false
}

func tallyOf(g study.Game) Tally {
	switch {
	case g.Result == "first":
		return Tally{First: 1}
	case g.Result == "second":
		return Tally{Second: 1}
	case evidence.Capped(g.Reason):
		return Tally{Caps: 1}
	}
	return Tally{Draws: 1}
}

// event returns an event of the study by name.
func (q *inquirer) event(ctx context.Context, name string) (int64, bool, error) {
	if e, ok := q.events[name]; ok {
		return e.ID, true, nil
	}
	events, err := q.db.Events(ctx)
	if err != nil {
		return 0, false, err
	}
	q.events = map[string]study.Event{}
	for _, e := range events {
		q.events[e.Name] = e
	}
	e, ok := q.events[name]
	return e.ID, ok, nil
}

// OfInquiry reports whether an event is part of an inquiry.
func OfInquiry(e study.Event) bool {
	return e.Purpose == PurposeInquiry || e.Purpose == "imported" && strings.Contains(e.Name, "/inquiry/")
}

// inquire plays or continues the inquiry of a study. It adds to the number of games and reports progress to the
// meter.
func (c *Campaign) inquire(ctx, hard context.Context, db *store.DB, o Options, sum *Summary, m *meter) error {
	q := inquirer{c: c, ask: c.Record.Inquiry, db: db}
	q.play = func(t *arena.Tournament) (bool, error) {
		m.total += PartGames(t)
		s, _, err := m.play(ctx, hard, t, db, o, sum)
		sum.Games += s.Total
		q.events = nil
		return s.Finished, err
	}
	var err error
	_, sum.Finished, err = q.stages(hard)
	sum.Finished = sum.Finished || sum.Cut && ctx.Err() == nil
	return err
}

// Inquired reads from a study the inquiry of the rules with the given label: its complete stages, and whether it has
// finished. Without a study of these rules it returns no stages. The game is that of the study: its file may be gone.
func Inquired(ctx context.Context, db *store.DB, label string, g *engines.Game) (stages []Stage, finished bool, err error) {
	r, ok, err := Stored(ctx, db, label)
	if err != nil || !ok || r.Inquiry.Stages == 0 {
		return nil, true, err
	}
	valued, err := evaluation(r.Request.Eval, g)
	if err != nil {
		return nil, true, nil //nolint:nilerr // an agent's file that is gone: the games stay, the plan cannot be made again
	}
	q := inquirer{c: &Campaign{Rules: Rules{r.Rules, g, label}, Record: r, valued: valued}, ask: r.Inquiry, db: db}
	return q.stages(ctx)
}
