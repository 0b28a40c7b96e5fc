package transfer

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/bulk"
	"spar/engines/enginetest"
)

// played is a study of few games with what agents thought.
func played(t testing.TB, plans ...string) *store.DB {
	t.Helper()
	ctx, db := context.Background(), storetest.New(t)
	for _, plan := range plans {
		p := must.Get(arena.LoadPlan("p.yaml", []byte(plan)))(t)
		must.Get(arena.Run(ctx, ctx, p, db, arena.Options{}))(t)
	}
	return db
}

// Every row says of its position what replaying the game says: side, moves, outcome for the mover, the thought of that
// ply; the exact values are those of tic-tac-toe, a draw at the start; and a game is on one side of the split, whole.
func TestPositionRows(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := played(t, "{name: x, games: [classic], agents: [minimax-2, greedy, random], pairs: 3, record_plies: true, "+
		"openings: {plies: 1}}")
	g := enginetest.Load(t, "classic")
	games := map[int64]store.Row{}
	plies := 0
	for _, row := range storetest.Games(t, db, store.Filter{}) {
		games[row.ID] = row
		plies += row.Plies
	}
	rows, thoughts, parts := 0, 0, map[int64]string{}
	err := PositionsJSONL(ctx, db, PositionOptions{With: Forms(), Test: 0.5, Exact: 1 << 24},
		func(kind string, line any) error {
			text, err := json.Marshal(line)
			if err != nil {
				return err
			}
			var l struct {
				positionLine
				Planes   []float64
				Features map[string]float64
			}
			if err := json.Unmarshal(text, &l); err != nil {
				return err
			}
			rows++
			game := games[l.Game]
			moves := strings.Fields(game.Moves)
			p, err := bulk.Position(g, "", moves[:l.Ply-1])
			if err != nil {
				return err
			}
			points := map[string][2]float64{"first": {1, 0}, "second": {0, 1}, "draw": {0.5, 0.5}}[game.Result]
			if l.Text != p.Text() || l.Move != moves[l.Ply-1] || l.Outcome != points[p.Side()] ||
				l.Side != "XO"[p.Side():p.Side()+1] || l.Legal != 10-l.Ply || l.Left != len(moves)-l.Ply+1 {
				t.Errorf("%s: the game is %s, %s", text, game.Moves, game.Result)
			}
			if strings.ReplaceAll(l.Cells, "/", "") != strings.ReplaceAll(strings.Join(p.Board(), ""), "/", "") {
				t.Errorf("cells %s of %s", l.Cells, p.Text())
			}
			own, enemy := 0.0, 0.0
			for c := range 9 {
				own, enemy = own+l.Planes[c], enemy+l.Planes[9+c]
			}
			if int(own) != (l.Ply-1)/2 || int(enemy) != l.Ply/2 || l.Features["own_material"] != own ||
				l.Features["enemy_material"] != enemy || l.Features["tempo"] != 1 {
				t.Errorf("%s: %v own and %v enemy pieces", text, own, enemy)
			}
			if l.Chosen != (l.Ply > 1) || (l.Score != nil || l.Nodes > 0) && !l.Chosen {
				t.Errorf("%s: nobody chose the first move", text)
			}
			if l.Score != nil {
				thoughts++
			}
			if l.Exact == nil || l.Ply == 1 && *l.Exact != 0.5 || l.Left == 1 && game.Result != "draw" &&
				(*l.Exact != 1 || *l.ExactPlies != 1) {
				t.Errorf("%s: exact value", text)
			}
			if was := parts[l.Game]; was != "" && was != l.Split || l.Split != "test" && l.Split != "train" ||
				(l.Split == "test") != (l.Key < 0.5) {
				t.Errorf("game %d is split", l.Game)
			}
			parts[l.Game] = l.Split
			return nil
		})
	if err != nil || rows != plies || thoughts == 0 {
		t.Errorf("%d rows of %d plies, %d with a score, %v", rows, plies, thoughts, err)
	}
}

// Where the rules do not fit the memory, exact values are those that the study holds: for the side to move, without
// plies to the end.
func TestExactValuesOfTheStudy(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := played(t, "{name: x, games: [classic], agents: [greedy, random], pairs: 1}")
	for i, exact := range []bool{true, false} {
		o := store.Oracle{Name: "o", Rules: "classic", Spec: fmt.Sprint(i), Exact: exact}
		must.Do(t, db.AddValues(ctx, o, map[int64][]store.PositionValue{1: {
			{Ply: 0, Value: 1 - float64(i), Best: "b2"},
			{Ply: 1, Side: 1, Value: 1, Best: "a1"},
			{Ply: 2, Value: 0.5, Best: "a2"},
		}}))
	}
	var got []string
	must.Do(t, Positions(ctx, db, PositionOptions{
		Exact:    1,
		Unsolved: func(rules string, why error) { t.Error(rules, why) },
	}, func(r *PositionRow) error {
		if !math.IsNaN(r.Exact) {
			got = append(got, fmt.Sprintf("game %d ply %d: %g, %d", r.Game.ID, r.Ply, r.Exact, r.ExactPlies))
		}
		return nil
	}))
	if want := "game 1 ply 1: 1, -1; game 1 ply 2: 0, -1; game 1 ply 3: 0.5, -1"; strings.Join(got, "; ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, "; "), want)
	}
}

// The arrays of an archive hold what the lines of CSV hold, and have the form that NumPy documents.
func TestPositionsNPZ(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := played(t, "{name: x, games: [vanishing], agents: [minimax-2, random], pairs: 2, record_plies: true, openings: "+
		"{plies: 1}}")
	o := PositionOptions{With: []string{"planes", "features"}, Test: 0.6, Exact: 1 << 26}
	var file, table bytes.Buffer
	must.Do(t, errors.Join(PositionsNPZ(ctx, db, o, &file), PositionsCSV(ctx, db, o, &table)))
	lines := must.Get(csv.NewReader(&table).ReadAll())(t)
	arrays := readNPZ(t, file.Bytes())
	columns := map[string]int{}
	for i, name := range lines[0] {
		columns[name] = i
	}
	for _, name := range []string{
		"game", "key", "ply", "action", "legal", "plies_left", "outcome", "score", "depth",
		"nodes", "exact", "exact_plies",
	} {
		for i, line := range lines[1:] {
			want := math.NaN()
			if text := line[columns[name]]; text != "" {
				fmt.Sscan(text, &want)
			} else if name == "depth" || name == "nodes" {
				want = 0
			}
			if got := arrays[name].numbers[i]; math.Abs(got-want) > 1e-6 || math.IsNaN(got) != math.IsNaN(want) {
				t.Fatalf("%s of row %d: %v, in CSV %v", name, i, got, want)
			}
		}
	}
	// Words are 0 or 1: each occurs.
	for name, word := range map[string][2]string{
		"test": {"split", "test"}, "chosen": {"chosen", "true"},
		"side": {"side", "O"},
	} {
		counts := [2]int{}
		for i, line := range lines[1:] {
			want := 0
			if line[columns[word[0]]] == word[1] {
				want = 1
			}
			if counts[want]++; arrays[name].numbers[i] != float64(want) {
				t.Fatalf("%s of row %d: %v, in CSV %s", name, i, arrays[name].numbers[i], line[columns[word[0]]])
			}
		}
		if counts[0] == 0 || counts[1] == 0 {
			t.Errorf("%s: %v rows of 0 and 1", name, counts)
		}
	}
	for i, line := range lines[1:] { // moves of the opening are nobody's
		if agent := line[columns["agent"]]; (agent != "") != (line[columns["chosen"]] == "true") {
			t.Errorf("row %d: chosen %s by %q", i, line[columns["chosen"]], agent)
		}
	}
	planes, features := arrays["planes"], arrays["features"]
	if n := len(lines) - 1; fmt.Sprint(planes.shape, features.shape,
		arrays["extras"].shape) != fmt.Sprintf("[%d 4 3 3] [%d 43] [%d 3]", n, n, n) {
		t.Errorf("shapes %v %v %v of %d rows", planes.shape, features.shape, arrays["extras"].shape, n)
	}
	for i, line := range lines[1:] {
		for k := range 36 {
			var want float64
			fmt.Sscan(line[columns["own_a1"]+k], &want)
			if got := planes.numbers[i*36+k]; math.Abs(got-want) > 1e-3 {
				t.Fatalf("plane number %d of row %d: %v, in CSV %v", k, i, got, want)
			}
		}
	}
	if got := fmt.Sprint(arrays["action_code"].numbers,
		arrays["actions"].texts); got != "[2] [a1 b1 c1 a2 b2 c2 a3 b3 c3]" {
		t.Error(got)
	}
	names := arrays["feature_names"].texts
	if len(names) != 43 || names[0] != "own_need_1" || names[42] != "tempo" {
		t.Errorf("feature names %q", names)
	}
	// Lines of JSON hold the same features, but for those that are 0.
	at := 0
	if err := PositionsJSONL(ctx, db, o, func(_ string, line any) error {
		text, err := json.Marshal(line)
		var said struct{ Features map[string]float64 }
		if err = errors.Join(err, json.Unmarshal(text, &said)); err != nil {
			return err
		}
		for k, name := range names {
			x, ok := said.Features[name]
			if want := features.numbers[at*len(names)+k]; math.Abs(x-want) > 1e-5 || ok != (want != 0) {
				return fmt.Errorf("row %d: %s is %g, %t, want %g", at, name, x, ok, want)
			}
		}
		at++
		return nil
	}); err != nil || at != len(lines)-1 {
		t.Errorf("%d lines of JSON, %v", at, err)
	}
}

// What cannot be written is refused by name.
func TestPositionsRefused(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := played(t, "{name: x, games: [classic, connect4], agents: [random, greedy], pairs: 1}")
	for _, c := range []struct {
		o    PositionOptions
		want string
	}{
		{PositionOptions{With: []string{"planes"}}, "classic and connect4 have different boards or planes"},
		{PositionOptions{With: []string{"features"}}, "classic and connect4 number moves differently"},
		{PositionOptions{With: []string{"text"}, Rules: "classic"}, "unknown position format in NPZ files: text"},
		{PositionOptions{With: []string{"feature"}}, `unknown position format: "feature"; did you mean features?`},
	} {
		must.Fail(t, PositionsNPZ(ctx, db, c.o, io.Discard), c.want)
	}
	load := func(name string, set ...string) *engines.Game { return enginetest.Load(t, name, set...) }
	classic, planes := load("classic"), map[string]bool{"planes": true}
	for _, c := range []struct {
		a, b *engines.Game
		with map[string]bool
		ok   bool
	}{
		{classic, classic, planes, true},
		{classic, load("classic", "win.line=2"), planes, true}, // other rules on the same board
		{classic, load("classic", "board.columns=4"), planes, false},
		{classic, load("classic", "board.rows=4"), planes, false},
		{classic, load("connect4"), nil, true},      // nobody asks for boards
		{classic, load("vanishing"), planes, false}, // it has planes of ages
	} {
		if err := sameBoard(c.a, c.b, c.with); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrBoards) {
			t.Errorf("%s and %s: %v", c.a.Name(), c.b.Name(), err)
		}
	}
}

// member is an array as the documentation of NumPy's format lets it be read.
type member struct {
	dtype   string
	shape   []int
	numbers []float64
	texts   []string
}

func readNPZ(t *testing.T, data []byte) map[string]member {
	t.Helper()
	z := must.Get(zip.NewReader(bytes.NewReader(data), int64(len(data))))(t)
	form := regexp.MustCompile(
		`^\{'descr': '([<|])([a-zA-Z])(\d+)', 'fortran_order': False, 'shape': \(([0-9, ]+)\), \} *\n$`,
	)
	out := map[string]member{}
	for _, f := range z.File {
		r := must.Get(f.Open())(t)
		body := must.Get(io.ReadAll(r))(t)
		length := int(body[8]) | int(body[9])<<8
		if string(body[:8]) != "\x93NUMPY\x01\x00" || (10+length)%64 != 0 {
			t.Fatalf("%s: begins with %q, header of %d bytes", f.Name, body[:8], length)
		}
		parts := form.FindStringSubmatch(string(body[10 : 10+length]))
		if parts == nil {
			t.Fatalf("%s: header %q", f.Name, body[10:10+length])
		}
		body = body[10+length:]
		m := member{dtype: parts[1] + parts[2] + parts[3]}
		size, each := 1, 0
		for n := range strings.SplitSeq(strings.TrimRight(parts[4], ", "), ",") {
			var d int
			fmt.Sscan(n, &d)
			m.shape, size = append(m.shape, d), size*d
		}
		fmt.Sscan(parts[3], &each)
		if parts[2] == "U" {
			each *= 4
		}
		if len(body) != size*each {
			t.Fatalf("%s: %d bytes for %v of %d bytes", f.Name, len(body), m.shape, each)
		}
		for ; len(body) > 0; body = body[each:] {
			switch parts[2] + parts[3] {
			case "f4":
				m.numbers = append(m.numbers, float64(math.Float32frombits(binary.LittleEndian.Uint32(body))))
			case "f8":
				m.numbers = append(m.numbers, math.Float64frombits(binary.LittleEndian.Uint64(body)))
			case "i4":
				m.numbers = append(m.numbers, float64(int32(binary.LittleEndian.Uint32(body))))
			case "i8":
				m.numbers = append(m.numbers, float64(int64(binary.LittleEndian.Uint64(body))))
			case "u1", "b1":
				m.numbers = append(m.numbers, float64(body[0]))
			case "i1":
				m.numbers = append(m.numbers, float64(int8(body[0])))
			default:
				var text []rune
				for k := 0; k < each; k += 4 {
					if r := rune(binary.LittleEndian.Uint32(body[k:])); r != 0 {
						text = append(text, r)
					}
				}
				m.texts = append(m.texts, string(text))
			}
		}
		out[strings.TrimSuffix(f.Name, ".npy")] = m
	}
	return out
}
