package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"spar/agents/eval"
	"spar/arena/store"
	"spar/configs/plain"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/env"
	"spar/engines/rules"
)

// KindPosition is the kind of the lines that PositionsJSONL writes.
const KindPosition = "position"

// PositionsJSONL calls print with each position as a line.
func PositionsJSONL(ctx context.Context, db *store.DB, o PositionOptions,
	print func(kind string, line any) error,
) error {
	return Positions(ctx, db, o, func(r *PositionRow) error { return print(KindPosition, r) })
}

// positionLine is the JSON form of a row without the arrays, which have a faster encoder.
type positionLine struct {
	Game    int64          `json:"game" help:"number of the game in the study"`
	Event   string         `json:"event" help:"event that it belongs to"`
	Rules   string         `json:"rules" help:"name of the rules"`
	Set     map[string]any `json:"set,omitempty" help:"overrides of the rules, by key path"`
	Pair    int64          `json:"pair" help:"number of the game's pair, from 1"`
	Opening int64          `json:"opening" help:"number of its opening, from 1, which pairs share; 0 = from the start"`
	Split   string         `json:"split" help:"train or test; the same for all games with one opening"`
	Key     float64        `json:"key" help:"uniform number from 0 to 1, the same for games with one opening and for identical games; below --test the split is test"`
	Ply     int            `json:"ply" help:"number of the ply, from 1"`
	Side    string         `json:"side" help:"side to move: X or O; all scores are for this side"`
	Move    string         `json:"move" help:"move that was played"`
	Action  int            `json:"action" help:"number of the move: \"spar env RULES --actions\" lists them, \"spar env --help\" gives their order"`
	Code    int            `json:"action_code" help:"version of the numbering"`
	Chosen  bool           `json:"chosen" help:"false for a move of the opening"`
	Legal   int            `json:"legal" help:"legal moves"`
	Left    int            `json:"plies_left" help:"plies to the end of the game, including this one"`
	Outcome float64        `json:"outcome" help:"score of the game: 1, 0.5 or 0"`

	Agent string   `json:"agent,omitempty" help:"agent that chose the move"`
	Score *float64 `json:"score,omitempty" help:"expected score that the agent reported; this field and the next ones are omitted if not recorded"`
	Depth int      `json:"depth,omitempty" help:"plies that it searched"`
	Nodes int64    `json:"nodes,omitempty" help:"positions searched, or simulations (visits)"`
	PV    string   `json:"pv,omitempty" help:"continuation it expected"`

	Exact      *float64 `json:"exact,omitempty" help:"exact value: 1, 0.5 or 0, with --exact, if the game can be solved"`
	ExactPlies *int     `json:"exact_plies,omitempty" help:"plies to the end with best play; 0 for a draw"`

	Text  string `json:"position,omitempty" help:"--with text: the position; hint, eval and solve --query take such lines"`
	Cells string `json:"cells,omitempty" help:"--with cells: rows of the board from the top, with / between"`
}

// positionArrays holds the fields that MarshalJSON encodes itself.
type positionArrays struct {
	Planes   []float64          `json:"planes,omitempty" help:"--with planes: row by row from the top left, row 1 first for both sides: the side's own pieces, enemy pieces, ages, chain"`
	Extras   []float64          `json:"extras,omitempty" help:"--with planes: second_to_move, placements_left, ply, hands and phase; \"spar env --help\" says which rules have which"`
	Features map[string]float64 `json:"features,omitempty" help:"--with features: features of the side to move, by name; zeros are omitted"`
}

// MarshalJSON writes the row as an object. It omits features that are 0.
func (r *PositionRow) MarshalJSON() ([]byte, error) {
	g := r.Game
	name, set := rules.SplitLabel(g.RulesName)
	l := positionLine{
		Game:    g.ID,
		Event:   g.EventName,
		Rules:   name,
		Set:     set,
		Pair:    r.Pair,
		Opening: r.Opening,
		Split:   r.split(),
		Key:     r.Key,
		Ply:     r.Ply,
		Side:    r.side(),
		Move:    r.moveText(),
		Action:  r.Action,
		Code:    env.ActionCode,
		Chosen:  r.Chosen,
		Legal:   r.Legal,
		Left:    r.pliesLeft(),
		Outcome: r.Outcome,
		Agent:   r.agent(),
	}
	if t := r.Thought; t != nil {
		l.Score = known(t.Score)
		l.Depth = t.Depth
		l.Nodes = t.Nodes
		l.PV = t.PV
	}
	if !math.IsNaN(r.Exact) {
		if l.Exact = &r.Exact; r.ExactPlies >= 0 {
			l.ExactPlies = &r.ExactPlies
		}
	}
	if r.with["text"] {
		l.Text = r.At.Text()
	}
	if r.with["cells"] {
		l.Cells = strings.Join(r.At.Rows(), "/")
	}
	out, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	out = out[:len(out)-1]
	if r.with["planes"] {
		out = env.AppendNumbers(append(out, `,"planes":`...), r.planes)
		out = env.AppendNumbers(append(out, `,"extras":`...), r.extras)
	}
	if r.with["features"] {
		out = append(out, `,"features":{`...)
		first := true
		for i, name := range r.names {
			if r.features[i] == 0 {
				continue
			}
			if !first {
				out = append(out, ',')
			}
			first = false
			out = append(append(append(out, '"'), name...), '"', ':')
			out = strconv.AppendFloat(out, r.features[i], 'g', -1, 64)
		}
		out = append(out, '}')
	}
	return append(out, '}'), nil
}

func (r *PositionRow) side() string     { return "XO"[r.At.Side() : r.At.Side()+1] }
func (r *PositionRow) moveText() string { return r.At.Game().MoveText(r.Move) }
func (r *PositionRow) pliesLeft() int   { return r.Game.Plies - r.Ply + 1 }

// agent returns the name of the agent that chose the move; empty in the opening.
func (r *PositionRow) agent() string {
	if !r.Chosen {
		return ""
	}
	return [2]string{r.Game.FirstName, r.Game.SecondName}[r.At.Side()]
}

// positionColumns are the columns of tables of positions, with the types of the arrays in NPZ files, which have the
// numbers.
const positionColumns = "game:<i8 event rules pair:<i8 opening:<i8 split:|b1 key:<f8 ply:<i4 side:|u1 move action:<i4 " +
	"action_code chosen:|b1 legal:<i4 plies_left:<i4 outcome:<f4 agent score:<f4 depth:<i4 nodes:<i8 pv " +
	"exact:<f4 exact_plies:<i4"

// values returns the values of the columns; those that are unknown are nil, NaN or -1.
func (r *PositionRow) values() []any {
	score := math.NaN()
	depth := any(nil)
	nodes := any(nil)
	pv := ""
	if t := r.Thought; t != nil {
		if depth, nodes, pv = t.Depth, t.Nodes, t.PV; t.Score.Valid {
			score = t.Score.Float64
		}
	}
	return []any{
		r.Game.ID, r.Game.EventName, r.Game.RulesName, r.Pair, r.Opening, r.split(), r.Key, r.Ply, r.side(), r.moveText(),
		r.Action, env.ActionCode, r.Chosen, r.Legal, r.pliesLeft(), r.Outcome, r.agent(), score, depth, nodes, pv, r.Exact,
		r.ExactPlies,
	}
}

// PositionsCSV writes one line for each position, after a header. Planes have a column for each cell; all rules
// must then have the same board.
func PositionsCSV(ctx context.Context, db *store.DB, o PositionOptions, w io.Writer) error {
	out := plain.NewCSV(w)
	var header []string
	for c := range strings.FieldsSeq(positionColumns) {
		name, _, _ := strings.Cut(c, ":")
		header = append(header, name)
	}
	var board *engines.Game
	var fields []string
	float := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	err := Positions(ctx, db, o, func(r *PositionRow) error {
		g := r.At.Game()
		if board == nil {
			board = g
			if err := out.Write(append(header, formColumns(g, r.with)...)); err != nil {
				return err
			}
		} else if err := sameBoard(board, g, r.with); err != nil {
			return err
		}
		fields = fields[:0]
		for _, v := range r.values() {
			if x, ok := v.(float64); v == nil || v == -1 || ok && math.IsNaN(x) { // unknown
				v = ""
			}
			fields = append(fields, fmt.Sprint(v))
		}
		if r.with["text"] {
			fields = append(fields, r.At.Text())
		}
		if r.with["cells"] {
			fields = append(fields, strings.Join(r.At.Rows(), "/"))
		}
		if r.with["planes"] {
			for _, x := range r.planes {
				fields = append(fields, strconv.FormatFloat(float64(x), 'g', 4, 32))
			}
			for _, x := range r.extras {
				fields = append(fields, strconv.FormatFloat(float64(x), 'g', -1, 32))
			}
		}
		if r.with["features"] {
			for _, x := range r.features {
				fields = append(fields, float(x))
			}
		}
		return out.Write(fields)
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// formColumns returns the names of the columns for the forms of a position.
func formColumns(g *engines.Game, with map[string]bool) []string {
	var names []string
	for _, form := range []string{"text", "cells"} {
		if with[form] {
			names = append(names, form)
		}
	}
	if with["planes"] {
		for _, plane := range env.Planes(g) {
			for c := range g.Cells() {
				names = append(names, plane+"_"+g.CellName(engines.Cell(c)))
			}
		}
		for _, extra := range env.Extras(g) {
			names = append(names, "extra_"+extra)
		}
	}
	if with["features"] {
		names = append(names, eval.Names()...)
	}
	return names
}

// ErrBoards is returned if positions of different boards do not fit in one table.
var ErrBoards = strict.Mistake("the study's games have different boards and do not fit in one table")

// sameBoard returns an error for planes whose shape differs from that of earlier ones.
func sameBoard(a, b *engines.Game, with map[string]bool) error {
	if !with["planes"] || a == b {
		return nil
	}
	if a.Columns() == b.Columns() && a.Rows() == b.Rows() && slices.Equal(env.Planes(a), env.Planes(b)) &&
		slices.Equal(env.Extras(a), env.Extras(b)) {
		return nil
	}
	return fmt.Errorf("%w: %s and %s have different boards or planes; choose one of them with --rules", ErrBoards, a.Name(),
		b.Name())
}
