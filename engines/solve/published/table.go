package published

import (
	"fmt"
	"strings"
)

// Sources of the published values.
const (
	literature = "published"
	enumerated = "an independent enumerator"
	both       = "published, and an independent enumerator"
	tabled     = "a published table of values"
)

// Table lists the games with known values. Games of one rules file follow each other.
func Table() []Entry {
	const first, second, draw = "first", "second", "draw"
	entries := []Entry{
		shipped("classic", Value{draw, 0, ""}, both),
		sized("classic", 3, 2, Value{first, 3, ""}, both, "win.line=2"),
		sized("classic", 3, 3, Value{first, 3, ""}, both, "win.line=2"),
		sized("classic", 4, 3, Value{first, 7, ""}, both, "win.line=3"),
		sized("classic", 4, 3, Value{draw, 0, ""}, both, "win.line=4"),
		long(sized("classic", 4, 4, Value{first, 5, ""}, both, "win.line=3")),
		long(sized("classic", 4, 4, Value{draw, 0, ""}, both, "win.line=4")),
		shipped("misere-tictactoe", Value{draw, 0, "0/1/8"}, both),
		sized("misere-tictactoe", 3, 2, Value{second, 5, ""}, both, "win.line=2"),
		sized("misere-tictactoe", 3, 3, Value{second, 7, ""}, both, "win.line=2"),
		sized("misere-tictactoe", 4, 3, Value{draw, 0, ""}, both, "win.line=4"),
		long(sized("misere-tictactoe", 4, 4, Value{draw, 0, ""}, both, "win.line=4")),
		shipped("notakto", Value{first, 6, "1/0/8"}, enumerated),
		shipped("tapatan", Value{first, 9, "1/4/4"}, both),
		shipped("pong-hau-ki", Value{draw, 0, ""}, enumerated),
		long(shipped("teeko", Value{draw, 0, ""}, literature)),
		shipped("hare-and-hounds", Value{first, 23, ""}, enumerated),
		shipped("hexapawn", Value{second, 6, ""}, enumerated),
		pawns("hexapawn", 3, 4, 1, Value{second, 8, ""}),
		pawns("hexapawn", 4, 3, 1, Value{first, 5, ""}),
		pawns("hexapawn", 4, 4, 1, Value{first, 11, ""}),
		long(pawns("hexapawn", 5, 5, 1, Value{first, 19, ""})),
		pawns("breakthrough", 2, 4, 2, Value{second, 8, ""}),
		pawns("breakthrough", 2, 5, 2, Value{second, 10, ""}),
		pawns("breakthrough", 3, 4, 2, Value{second, 12, ""}),
		pawns("breakthrough", 3, 3, 1, Value{first, 5, ""}),
		pawns("breakthrough", 3, 4, 1, Value{first, 9, ""}),
		checkered("clobber", 2, 2, Value{first, 0, ""}),
		checkered("clobber", 2, 3, Value{second, 0, ""}),
		checkered("clobber", 2, 4, Value{first, 0, ""}),
		checkered("clobber", 3, 3, Value{first, 0, ""}),
		checkered("clobber", 3, 4, Value{second, 0, ""}),
		sized("hex5", 2, 2, Value{first, 0, "2/0/2"}, enumerated),
		sized("hex5", 3, 3, Value{first, 5, "5/0/4"}, enumerated),
		sized("hex5", 2, 2, Value{first, 0, ""}, enumerated, "win.misere=true"),
		sized("reversi6", 4, 4, Value{second, 0, ""}, literature, "setup=['....','.OX.','.XO.','....']"),
	}
	for _, known := range []struct {
		rows    int
		winners string // for each number of columns, from 4
	}{{4, "DDSDSSSS"}, {5, "DDDDFFF"}, {6, "DDSFSS"}, {7, "DDFDF"}} {
		for i, letter := range known.winners {
			e := sized(
				"connect4",
				4+i,
				known.rows,
				map[rune]Value{'F': {Winner: first}, 'S': {Winner: second}, 'D': {Winner: draw}}[letter],
				tabled,
			)
			e.Proof, e.Long = true, (4+i)*known.rows > 20
			entries = append(entries, e)
		}
	}
	return entries
}

// shipped returns a game with its default rules.
func shipped(rules string, v Value, source string) Entry {
	return Entry{Name: rules, Rules: rules, Value: v, Source: source}
}

// sized returns a game on another board. Other overrides are part of the name, apart from the start position,
// which follows from the size.
func sized(rules string, columns, rows int, v Value, source string, more ...string) Entry {
	e := Entry{Name: fmt.Sprintf("%s %dx%d", rules, columns, rows), Rules: rules, Value: v, Source: source}
	e.Set = append([]string{fmt.Sprint("board.columns=", columns), fmt.Sprint("board.rows=", rows)}, more...)
	for _, o := range more {
		if !strings.HasPrefix(o, "setup=") {
			e.Name += " " + o
		}
	}
	return e
}

// pawns returns a game in which each side starts with a number of full rows.
func pawns(rules string, columns, rows, deep int, v Value) Entry {
	e := sized(rules, columns, rows, v, enumerated, setup(rows, func(y int) string {
		switch {
		case y < deep:
			return strings.Repeat("O", columns)
		case y >= rows-deep:
			return strings.Repeat("X", columns)
		}
		return strings.Repeat(".", columns)
	}))
	if deep == 2 {
		e.Name += " two rows"
	}
	return e
}

// checkered returns a game that starts with a full board of alternating pieces.
func checkered(rules string, columns, rows int, v Value) Entry {
	return sized(
		rules,
		columns,
		rows,
		v,
		both,
		setup(rows, func(y int) string { return strings.Repeat("XO", columns)[y%2:][:columns] }),
	)
}

func long(e Entry) Entry {
	e.Long = true
	return e
}

func setup(rows int, row func(y int) string) string {
	var all []string
	for y := range rows {
		all = append(all, "'"+row(y)+"'")
	}
	return "setup=[" + strings.Join(all, ",") + "]"
}
