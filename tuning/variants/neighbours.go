package variants

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"spar/engines"
	"spar/engines/grid"
	"spar/engines/rules"
)

// Problem is a fault of rules that a change of one knob can fix.
type Problem string

// The problems that a change of the rules may fix.
const (
	Unfair  Problem = "unfair"
	Endless Problem = "endless" // too many games end without a goal, by a cap or because they repeat
	Drawish Problem = "drawish" // too many games are drawn
	Idle    Problem = "idle"    // a mechanic of the rules is never used
)

// candidates returns changes of one knob by one step that may fix a problem, the most promising first: one piece more
// or less, another goal, one row nearer, the other edge of the board. Many change nothing or make invalid rules.
func candidates(r engines.Rules, p Problem) []Change {
	var out []Change
	one := func(path string, values ...any) {
		for _, v := range values {
			if _, list := v.([]string); !list { // texts, as in studies of earlier versions
				v = rules.KnobText(v)
			}
			out = append(out, Change{path, v})
		}
	}
	// try steps knobs of the first player, then those of the second: to other words, to the other of true and false, or
	// to one more or less of a number, which 0 would switch off
	try := func(steps ...string) {
		for _, prefix := range []string{"", "second."} {
			for _, s := range steps {
				path, words, _ := strings.Cut(prefix+s, "=")
				now, ok := rules.KnobAt(r, path)
				n, _ := strconv.Atoi(now)
				switch {
				case !ok || strings.HasSuffix(path, "movement.steps") && now == "none":
				case strings.HasSuffix(path, "win.reach"):
					var cells []string
					_ = json.Unmarshal([]byte(now), &cells) // the text of a list
					one(path, goals(cells)...)
				case words != "":
					for w := range strings.SplitSeq(words, ",") {
						one(path, w)
					}
				case now == "true" || now == "false":
					one(path, now == "false")
				case n > 1:
					one(path, n-1, n+1)
				case n > 0:
					one(path, n+1)
				}
			}
		}
	}
	aims := []string{"win.reach_count", "win.reach"}
	for _, g := range stepped() {
		if now, _ := rules.KnobAt(r, g.Path); now != "true" && now != "false" {
			aims = append(aims, g.Path)
		}
	}
	aims = append(aims, "win.overlines", "win.region=anywhere,enemy")
	moves := []string{"movement.steps=king,rook,bishop"}
	var captures []string
	if second := r.Of(grid.Second); r.Movement.Capture || second.Movement.Capture {
		captures = []string{"movement.forced_capture", "movement.multi_jump", "movement.captured=return,remove"}
	}
	caps := []string{"pieces.cap", "pieces.removal=before_win,after_win"}
	supply := []string{"pieces.supply", "supply"}
	size := []string{"board.rows", "board.columns", "board.wrap=none,torus"}
	if len(r.Setup) > 0 || len(r.Board.Missing) > 0 || len(r.Board.Lines) > 0 {
		size = size[2:] // a board with pieces or drawn lines keeps its size
	}
	switch p {
	case Unfair: // what designers use, and no other edge of the board: that is another game
		for _, form := range []rules.Choice{rules.PieStones, rules.PieSeats, rules.NoPie} {
			if form.On() != r.Turn.Pie.On() {
				one("turn.pie", form)
			}
		}
		if n := r.Turn.Placements; n > 1 {
			one("turn.first_turn", r.Turn.FirstTurn-1, r.Turn.FirstTurn+1)
		} else {
			out = append(out, Change{"second.first_turn", 2})
		}
		try("first_turn")
		for _, region := range regions(r) {
			one("placement.opening", region)
		}
		if r.Win.Majority {
			for _, n := range []int{1, -1, 2, -2, 4, -4} {
				one("win.komi", r.Win.Komi+n)
			}
		}
		try(aims...)
		if r.Win.Line > 0 && len(r.Board.Lines) == 0 {
			one("win.directions", []string{"rows", "columns"}, []string{"diagonals"})
			if len(r.Win.Directions) > 0 {
				one("win.directions", []string{"rows", "columns", "diagonals"})
			}
		}
		try(slices.Concat([]string{"win.misere", "lose.line"}, caps[:1], supply)...)
		if r.Moves() {
			try("no_moves=loss,draw,pass,win")
		}
		one("setup", handicaps(r)...)
	case Endless:
		try(captures...)
		try(caps...)
		try(aims...)
		try("lose.line", "draw.repetition=3,0")
		try(moves...)
		try(supply...)
	case Drawish:
		try(aims...)
		try("lose.line")
		try(captures...)
		try(caps...)
		try(moves...)
		try(slices.Concat(size, []string{"no_moves=loss"})...)
	}
	return out
}

// stepped returns the goals of each player: those that few games have first, lines last.
func stepped() []rules.Goal {
	rank := map[string]int{"win.eliminate": -1, "win.line": 1}
	out := slices.DeleteFunc(rules.Goals(), func(g rules.Goal) bool {
		return !strings.HasPrefix(g.Path, "win.")
	})
	slices.SortStableFunc(out, func(a, b rules.Goal) int { return rank[a.Path] - rank[b.Path] })
	return out
}

// goals returns sets of goals with every cell one row further up or down, alone or added to the given ones. For
// goals with words like far it returns none.
func goals(reach []string) []any {
	var out []any
	for _, by := range []int{-1, 1} {
		var moved []string
		for _, cell := range reach {
			row, err := strconv.Atoi(strings.TrimLeft(cell, "abcdefghijklmnopqrstuvwxyz"))
			if err != nil {
				return nil
			}
			moved = append(moved, strings.TrimRight(cell, "0123456789")+strconv.Itoa(row+by))
		}
		if len(moved) > 0 {
			out = append(out, moved, slices.Concat(reach, moved))
		}
	}
	return out
}

// regions returns regions for the first ply of a game that begins with placements and has none.
func regions(r engines.Rules) (out []any) {
	if len(r.Placement.Opening) > 0 || r.Placement.Gravity || len(r.Setup) > 0 {
		return nil
	}
	stage := func(region string, cells ...string) []any {
		s := map[string]any{"plies": 1, "region": region}
		if len(cells) > 0 {
			s["cells"] = cells
		}
		return []any{s}
	}
	if r.Territory == "halves" {
		out = append(out, stage("first_home"), stage("second_home"))
	}
	var edge []string
	t := grid.New(r.Board)
	for c := range t.Cells {
		x, y := c%r.Board.Columns, c/r.Board.Columns
		if x == 0 || y == 0 || x == r.Board.Columns-1 || y == r.Board.Rows-1 {
			edge = append(edge, t.NameOf(grid.Cell(c)))
		}
	}
	return append(out, stage("cells", edge...))
}

// handicaps returns start positions that help one side: its men one row nearer to the other, a man less of the other
// side, or, on a board that starts empty, a stone of its own.
func handicaps(r engines.Rules) (out []any) {
	with := func(rows []string, x, y int, c rune) []string {
		line, rows := []rune(rows[y]), slices.Clone(rows)
		line[x] = c
		rows[y] = string(line)
		return rows
	}
	const most = 5 // of each kind
	if len(r.Setup) == 0 {
		empty := slices.Repeat([]string{strings.Repeat(".", r.Board.Columns)}, r.Board.Rows)
		var cells [][2]int
		for y := range (r.Board.Rows + 1) / 2 {
			for x := range (r.Board.Columns + 1) / 2 {
				cells = append(cells, [2]int{x, y})
			}
		}
		for _, c := range "OX" {
			for _, at := range spread(cells, most) {
				out = append(out, with(empty, at[0], at[1], c))
			}
		}
		return out
	}
	var men [2][][2]int
	for y, row := range r.Owners() {
		for x, c := range row {
			if side := strings.IndexRune(grid.Letters, c); side >= 0 {
				men[side] = append(men[side], [2]int{x, y})
			}
		}
	}
	letter := func(rows []string, x, y int) rune { return []rune(rows[y])[x] }
	for side, by := range []int{-1, 1} { // all men of a side a row further
		rows, free := r.Setup, true
		for _, at := range men[side] {
			rows = with(rows, at[0], at[1], '.')
		}
		for _, at := range men[side] {
			x, to := at[0], at[1]+by
			if free = free && to >= 0 && to < len(rows) && letter(rows, x, to) == '.'; free {
				rows = with(rows, x, to, letter(r.Setup, x, at[1]))
			}
		}
		if free {
			out = append(out, rows)
		}
	}
	mirrored := map[string]bool{}
	for side, by := range []int{-1, 1} {
		var less, ahead []any // a man less, or one man a row further
		for _, at := range men[side] {
			x, y := at[0], at[1]
			rows := with(r.Setup, x, y, '.')
			if len(men[side]) < 2 || seen(mirrored, rows) {
				continue
			}
			less = append(less, rows)
			if to := y + by; to > 0 && to < len(r.Setup)-1 && letter(r.Setup, x, to) == '.' {
				ahead = append(ahead, with(rows, x, to, letter(r.Setup, x, y)))
			}
		}
		out = append(out, append(spread(less, most), spread(ahead, most)...)...)
	}
	return out
}

// seen reports whether a setup or its mirror image is in a set, and adds it.
func seen(set map[string]bool, rows []string) bool {
	image := make([]string, len(rows))
	for i, row := range rows {
		line := []rune(row)
		slices.Reverse(line)
		image[i] = string(line)
	}
	key := strings.Join(rows, "/")
	was := set[key] || set[strings.Join(image, "/")]
	set[key] = true
	return was
}

// spread returns at most n elements, evenly spread over a list.
func spread[T any](xs []T, n int) (out []T) {
	for i := range min(n, len(xs)) {
		out = append(out, xs[i*len(xs)/min(n, len(xs))])
	}
	return out
}

// Words states a change in words, or as an override.
func (c Change) Words(base rules.Rules) string {
	at := func(x, y int) string { return fmt.Sprintf("%c%d", 'a'+x, y+1) }
	switch now := c.Value.(type) {
	case []string:
		if c.Path != "setup" {
			break
		}
		var added, gone []string
		for y, row := range now {
			for x, is := range []rune(row) {
				was := '.'
				if y < len(base.Setup) {
					was = []rune(base.Setup[y])[x]
				}
				if was == is {
					continue
				}
				if was != '.' {
					gone = append(gone, fmt.Sprintf("%c %s", was, at(x, y)))
				}
				if is != '.' {
					added = append(added, fmt.Sprintf("%c %s", is, at(x, y)))
				}
			}
		}
		switch a, g := strings.Join(added, ", "), strings.Join(gone, ", "); {
		case g == "":
			return "the game starts with " + a
		case a == "":
			return "the game starts without " + g
		default:
			return "the game starts with " + a + " instead of " + g
		}
	}
	const secondTurn = "the second player's first turn has two moves"
	var stages []struct {
		Region string   `json:"region"`
		Cells  []string `json:"cells"`
	}
	text := map[string]string{
		"turn.pie=true":  "a pie rule: the second player may take over the first piece",
		"turn.pie=seats": "a pie rule: the second player may swap seats",
		"turn.pie=false": "no pie rule", "second.first_turn=2": secondTurn, `second={"first_turn":2}`: secondTurn,
	}[c.Path+"="+c.Text()]
	if text != "" {
		return text
	}
	if c.Path == "placement.opening" && json.Unmarshal([]byte(c.Text()), &stages) == nil && len(stages) == 1 {
		cells := stages[0].Cells
		if n := len(cells); n > 8 {
			return fmt.Sprintf("the first piece goes to one of %d cells (%s ... %s)", n, strings.Join(cells[:6], ", "), cells[n-1])
		}
		return "the first piece goes to " + cmp.Or(strings.Join(cells, ", "), stages[0].Region)
	}
	return c.Path + "=" + c.Text()
}
