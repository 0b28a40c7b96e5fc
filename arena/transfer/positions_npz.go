package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"spar/agents/eval"
	"spar/arena/store"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/env"
)

// npzNumber returns a value of a row as a number: 1 for the second player and for games for testing.
func npzNumber(v any) float64 {
	switch x := v.(type) {
	case int:
		return float64(x)
	case int64:
		return float64(x)
	case float64:
		return x
	}
	if v == true || v == "test" || v == "O" {
		return 1
	}
	return 0
}

// ErrForm is returned for a form of position that this kind of file cannot contain.
var ErrForm = strict.Mistake("unknown position format")

// PositionsNPZ writes arrays for numpy.load. All have one row for each position. There is an array for each column
// of the CSV file. Others are planes (position, plane, row, column), cells (position, row, column: 1 the first
// player's, -1 the second's, 0 neither) and features. Unknown numbers are NaN, or 0 in integer arrays. The array
// actions has the texts of the numbered moves, and action_code the version of the numbering. All rules must have
// the same board and the same moves. Texts and principal variations are only in JSONL and CSV.
func PositionsNPZ(ctx context.Context, db *store.DB, o PositionOptions, w io.Writer) (err error) {
	var z npz
	defer func() { err = errors.Join(err, z.close()) }()
	plain := map[int]*array{}
	for i, c := range strings.Fields(positionColumns) {
		if name, dtype, has := strings.Cut(c, ":"); has {
			if plain[i], err = z.array(strings.Replace(name, "split", "test", 1), dtype); err != nil {
				return err
			}
		}
	}
	var board *engines.Game
	var coder env.Coder
	var forms []func(*PositionRow)
	take := func(r *PositionRow) error {
		if g := r.At.Game(); board == nil {
			board, coder = g, r.coder
			if err := z.actions(board); err != nil {
				return err
			}
			if forms, err = z.forms(board, r.with); err != nil {
				return err
			}
		} else if err := sameBoard(board, g, map[string]bool{"planes": r.with["planes"] || r.with["cells"]}); err != nil {
			return err
		} else if board != g && !coder.Same(r.coder) {
			return fmt.Errorf("%w: %s and %s number moves differently; choose one of them with --rules", ErrBoards, board.Name(),
				g.Name())
		}
		for i, v := range r.values() {
			if a := plain[i]; a != nil {
				a.add(npzNumber(v))
			}
		}
		for _, add := range forms {
			add(r)
		}
		return nil
	}
	if err := Positions(ctx, db, o, take); err != nil {
		return err
	}
	return z.write(w)
}

// actions adds the arrays that explain the numbers of moves.
func (z *npz) actions(g *engines.Game) error {
	var texts []string
	for _, a := range env.Actions(g) {
		texts = append(texts, a.Move)
	}
	code, err := z.array("action_code", "<i4")
	if err != nil {
		return err
	}
	code.add(env.ActionCode)
	return z.names("actions", texts)
}

// forms adds the arrays for the forms of a position, and returns a function that fills them.
func (z *npz) forms(g *engines.Game, with map[string]bool) (fill []func(*PositionRow), err error) {
	add := func(name, dtype string, of func(*PositionRow, []float64) []float64, tail ...int) {
		a, failed := z.array(name, dtype, tail...)
		if err = errors.Join(err, failed); failed != nil {
			return
		}
		var row []float64
		fill = append(fill, func(r *PositionRow) {
			row = of(r, row[:0])
			a.add(row...)
		})
	}
	wide := func(dst []float64, numbers []float32) []float64 {
		for _, x := range numbers {
			dst = append(dst, float64(x))
		}
		return dst
	}
	if with["text"] {
		return nil, fmt.Errorf("%w in NPZ files: text (expected cells, planes or features)", ErrForm)
	}
	if with["cells"] {
		add("cells", "|i1", func(r *PositionRow, dst []float64) []float64 {
			first, second := r.At.Pieces(0), r.At.Pieces(1)
			for c := range g.Cells() {
				x := 0.0
				if first.Has(engines.Cell(c)) {
					x++
				}
				if second.Has(engines.Cell(c)) {
					x--
				}
				dst = append(dst, x)
			}
			return dst
		}, g.Rows(), g.Columns())
	}
	if with["planes"] {
		planes, extras := env.Planes(g), env.Extras(g)
		dtype := "|u1"
		if g.Rules().Pieces.Cap > 0 {
			dtype = "<f4" // shares of ages
		}
		add("planes", dtype, func(r *PositionRow, dst []float64) []float64 {
			return wide(dst, r.planes)
		}, len(planes),
			g.Rows(), g.Columns())
		add("extras", "<f4", func(r *PositionRow, dst []float64) []float64 {
			return wide(dst, r.extras)
		}, len(extras))
		err = errors.Join(err, z.names("plane_names", planes), z.names("extra_names", extras))
	}
	if with["features"] {
		names := eval.Names()
		add("features", "<f4", func(r *PositionRow, dst []float64) []float64 {
			return append(dst, r.features[:]...)
		},
			len(names))
		err = errors.Join(err, z.names("feature_names", names))
	}
	return fill, err
}
