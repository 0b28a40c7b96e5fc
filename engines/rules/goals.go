package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"spar/engines/grid"
)

// Goal is a way in which a player wins or loses by what is on the board. Code that must know all goals reads them
// from Goals.
//
// In its functions, the argument r is the rules of one side (see Rules.Of).
type Goal struct {
	Path     string                // the knob that sets it
	Reason   string                // how a game ends by it, in records
	Mechanic Mechanic              // what the knob switches on
	Ends     string                // the end in words, as a singular noun: "a line"
	Made     bool                  // the side makes it with its pieces: win.misere turns the win into a loss
	Owned    bool                  // pieces must belong to the players
	Order    string                // what ends the game directly after a move, in words; Made goals have "a line wins"
	Did      string                // what the side has done: "completed the pattern"; %s is its number in words
	Number   func(r *Rules) int    // the number in Did; nil if there is none
	With     func(r *Rules) string // what the side wins with, in words; nil if package explain says more

	causes string // other knobs that can cause a problem together with this one, separated by spaces: see Problem.causes
	// states the number of own pieces that the goal takes; nil if it takes none
	pieces func(r *Rules, t *grid.Grid, side int, need needs)
	// refuses what is impossible with the goal, if it is set
	check func(r *Rules, t *grid.Grid, enemies []int, refuse refuser)
}

// needs receives a number of pieces that a goal takes, its knob and its name.
type needs = func(pieces int, knob, what string)

// goals are the Goals, in the order in which a move tests them; those of a full board come last.
var goals = sync.OnceValue(func() []Goal {
	placed := "board setup pieces"
	return slices.Concat([]Goal{
		{
			Path: "win.line", Reason: "line", Mechanic: Lines, Ends: "a line", Made: true,
			Did: "made %s in a row", Number: func(r *Rules) int { return r.Win.Line },
			causes: "board territory win.region setup pieces",
			pieces: func(r *Rules, _ *grid.Grid, _ int, need needs) {
				need(r.Win.Line, "line", "a line")
			},
		},
		{
			Path: "win.pattern", Reason: "pattern", Mechanic: Patterns, Ends: "a shape", Made: true,
			Did:    "completed the pattern",
			causes: placed, check: checkPattern,
			pieces: func(r *Rules, _ *grid.Grid, _ int, need needs) {
				for i, text := range r.Win.Pattern {
					if shape, err := grid.ReadShape(text); err == nil {
						need(len(shape), fmt.Sprintf("pattern[%d]", i), "the pattern")
					}
				}
			},
		},
		{
			Path: "win.connect", Reason: "connection", Mechanic: Connections, Ends: "a connection", Made: true, Owned: true,
			Did:    "connected both edges",
			causes: placed, check: checkConnect,
			pieces: func(r *Rules, t *grid.Grid, side int, need needs) {
				edges := t.Edges((r.Win.Connect == "top_bottom") == (side == grid.First))
				need(t.Shortest(&edges), "connect", "the shortest chain")
			},
		},
		{
			Path: "win.reach", Reason: "reach", Mechanic: Reaches, Ends: "an arrival", Made: true, Owned: true,
			Did:    "reached the goal",
			causes: "board setup movement", check: checkReach,
			pieces: func(r *Rules, _ *grid.Grid, _ int, need needs) {
				need(r.Win.ReachCount, "reach_count", "arriving")
			},
		},
		{
			Path: "win.gather", Reason: "gather", Mechanic: Gathers, Ends: "a connected group", Made: true, Owned: true,
			Did: "connected all pieces",
			With: func(*Rules) string {
				return "all of their pieces in one connected group, no matter who moved last; if both players " +
					"reach this goal at once, the game is a draw"
			},
			causes: "movement setup",
			check: func(r *Rules, _ *grid.Grid, _ []int, refuse refuser) {
				refuse(!r.Moves(), "win.gather", "this goal needs pieces that move; set movement")
			},
		},
		{
			Path: "win.shut_in", Reason: "shut_in", Mechanic: ShutIns, Ends: "a piece shut in", Made: true, Owned: true,
			Did: "had a piece that was shut in",
			With: func(r *Rules) string {
				return "a piece on " + strings.Join(r.Win.ShutIn, " or ") +
					" that has opposing pieces on all of its neighbouring cells, no matter who moved last"
			},
			causes: "board movement setup",
			check: func(r *Rules, t *grid.Grid, enemies []int, refuse refuser) {
				refuse(!r.Moves(), "win.shut_in", "this goal needs pieces that move; set movement")
				for i := range r.Win.ShutIn {
					for _, enemy := range enemies {
						refuse(t.Region(r.Win.ShutIn[i:i+1], 1-enemy).Empty(), fmt.Sprintf("win.shut_in[%d]", i),
							"%q names no cell of this board: expected far, near, left, right or a cell from a1 to %s",
							r.Win.ShutIn[i], t.LastName())
					}
				}
			},
		},
		{
			Path: "win.none_left", Reason: "none_left", Mechanic: NoneLefts, Ends: "getting rid of all pieces", Made: true, Owned: true,
			Did:    "had no piece left",
			With:   func(*Rules) string { return "no pieces left" },
			causes: "movement setup",
			check: func(r *Rules, _ *grid.Grid, _ []int, refuse refuser) {
				exits := r.AnyKind(func(m *Movement) bool { return len(m.Exits) > 0 })
				refuse(!exits && !r.takes(), "win.none_left",
					"pieces never leave the board: set movement.exits, or enable a capture rule")
				refuse(!r.Moves(), "win.none_left", "this goal needs pieces that move; set movement")
			},
		},
		{
			Path: "win.captures", Reason: "captures", Mechanic: CaptureWins, Ends: "captures", Owned: true,
			Order: "enough captures win", Did: "made enough captures",
			check: func(r *Rules, _ *grid.Grid, _ []int, refuse refuser) {
				refuse(!r.takes(), "win.captures", "no rule captures pieces: enable a capture rule")
			},
		},
		{
			Path: "win.eliminate", Reason: "elimination", Mechanic: Eliminations, Ends: "too few pieces", Owned: true,
			Order:  "a player with too few pieces loses (the opponent's pieces are counted first)",
			causes: "setup pieces movement surround", check: checkEliminate,
		},
	}, kindGoals(), []Goal{
		{
			Path: "lose.line", Reason: "losing_line", Mechanic: LosingLines, Ends: "a losing line",
			Order: "a line that loses", Did: "made %s in a row", Number: func(r *Rules) int { return r.Lose.Line },
			causes: "board win", check: checkLosingLine,
		},
		{
			Path: "win.majority", Reason: "majority", Mechanic: Majorities, Ends: "more pieces", Owned: true,
			causes: "no_moves",
		},
		{
			Path: "win.full", Reason: "full_board", Mechanic: FullWins, Ends: "a full board", causes: placed,
		},
	})
})

// Goals lists the goals in the order in which a move tests them; goals of a full board come last. The slice is a copy.
func Goals() []Goal { return slices.Clone(goals()) }

// GoalBy returns the goal that ends games for the given reason. The second result is false if there is none.
func GoalBy(reason string) (Goal, bool) {
	for _, g := range goals() {
		if g.Reason == reason {
			return g, true
		}
	}
	return Goal{}, false
}

// HasGoal reports whether r, the rules of one side (see Of), have any goal.
func (r *Rules) HasGoal() bool {
	return slices.ContainsFunc(goals(), func(g Goal) bool { return g.Set(r) })
}

// Set reports whether the goal is set in r, the rules of one side.
func (g Goal) Set(r *Rules) bool { return r.set(g.Path) }

// validateGoals returns an error for goals that the opponents' rules make impossible, and for goals by which a
// side has lost at the start.
func validateGoals(r *Rules, enemies []int, refuse refuser) {
	t := grid.New(r.Board)
	made, paths := false, []string{}
	for _, g := range goals() {
		if g.check != nil && g.Set(r) {
			g.check(r, &t, enemies, refuse)
		}
		if g.Made {
			made = made || g.Set(r)
			paths = append(paths, g.Path)
		}
	}
	refuse(r.Win.ReachCount > 0 && len(r.Win.Reach) == 0, "win.reach_count", "this key needs win.reach")
	refuse(r.Win.OnBoard && r.Win.Eliminate == 0, "win.on_board", "this key needs win.eliminate")
	last := len(paths) - 1
	refuse(r.Win.Misere && !made, "win.misere", "this key needs a goal: set %s or %s", strings.Join(paths[:last], ", "),
		paths[last])
}

// validateOwned returns an error for goals that need owners if no piece has one.
func validateOwned(r *Rules, refuse refuser) {
	shared := func(on bool, what string) {
		refuse(on, "pieces.owner", "shared pieces do not allow %s; remove it, or set pieces.owner: own", what)
	}
	second := r.Of(grid.Second)
	others := slices.DeleteFunc(Goals(), func(g Goal) bool { return !g.Owned })
	slices.SortFunc(others, func(a, b Goal) int { return cmp.Compare(a.Path, b.Path) })
	for _, g := range others {
		shared(g.Set(r), g.Path)
		shared(!g.Set(r) && g.Set(&second), "second."+g.Path)
	}
}
