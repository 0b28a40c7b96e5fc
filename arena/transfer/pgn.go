package transfer

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/plain"
	"spar/engines/rules"
)

// escape is the character that starts a line that PGN readers ignore. Such lines hold data that PGN has no place
// for: at the start the objects that games refer to by name (as in the first line of JSONL), and before each game
// the rest of its row.
const escape = "%spar "

// about is the content of the first such line.
type about struct {
	Kind string `json:"kind"`
	header
}

// rest holds the columns of a game that have no PGN tag.
type rest struct {
	Kind   string `json:"kind"`
	ID     int64  `json:"id"`
	Number int64  `json:"number"`
	Pair   int64  `json:"pair"`
	Seed   int64  `json:"seed"`
	Detail string `json:"detail,omitempty"`
	Marks  string `json:"marks,omitempty"`
	// false if marks exclude the game from strength; for "spar rate"
	Counts *bool `json:"counts_for_strength,omitempty"`
	stored
}

// PGN writes the games with PGN headers; the first player is White. The comment after a move has the agent's
// information, like {score 0.531 depth 4 nodes 812 ms 3.25 legal 9 pv b2 a1}. The score is that of the side that
// moves. Lines that begin with a percent sign contain the rest of the study except the values of positions, so
// that Import restores the same games.
func PGN(ctx context.Context, db *store.DB, w io.Writer) error {
	h, _, err := readHeader(ctx, db)
	if err != nil {
		return err
	}
	h.Oracles = nil
	out := bufio.NewWriter(w)
	if err := escaped(out, about{KindStudy, h}); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for r, err := range thoughtful(ctx, db, store.Filter{}) {
		if err != nil {
			return err
		}
		if err := writePGN(out, r); err != nil {
			return err
		}
	}
	return out.Flush()
}

func escaped(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", escape, text)
	return err
}

func writePGN(w *bufio.Writer, r store.Row) error {
	g := gameOf(r)
	var counts *bool
	if !r.Marks.Counts(evidence.Strength) {
		counts = new(bool)
	}
	if err := escaped(w, rest{KindGame, g.ID, g.Number, g.Pair, g.Seed, g.Detail, g.Marks, counts, g.stored}); err != nil {
		return err
	}
	result := map[string]string{"first": "1-0", "second": "0-1", "draw": "1/2-1/2"}[r.Result]
	tag := func(name, value string) {
		fmt.Fprintf(w, "[%s \"%s\"]\n", name, plain.Tag(value))
	}
	tag("Event", r.EventName)
	tag("Round", strconv.FormatInt(r.Pair+1, 10))
	tag("White", r.FirstName)
	tag("Black", r.SecondName)
	tag("Result", result)
	tag("Variant", r.RulesName)
	tag("Termination", r.Reason)
	fmt.Fprintln(w)
	said := map[int]study.Ply{}
	for _, t := range r.Thoughts {
		said[t.Ply] = t
	}
	width := 0
	for i, m := range append(strings.Fields(r.Moves), result) {
		if i < r.Plies {
			m = fmt.Sprintf("%d. %s", i+1, m)
			if t, ok := said[i+1]; ok {
				m += " " + pgnComment(t)
			}
		}
		if width += len(m) + 1; width > 78 {
			fmt.Fprintln(w)
			width = len(m) + 1
		}
		fmt.Fprintf(w, "%s ", plain.Line(m))
	}
	_, err := fmt.Fprint(w, "\n\n")
	return err
}

// pgnComment writes an agent's information about a ply as a PGN comment.
func pgnComment(t study.Ply) string {
	var words []string
	if t.Score.Valid {
		words = append(words, "score", strconv.FormatFloat(t.Score.Float64, 'g', -1, 64))
	}
	words = append(words, "depth", strconv.Itoa(t.Depth), "nodes", strconv.FormatInt(t.Nodes, 10), "ms",
		strconv.FormatFloat(t.MS, 'g', -1, 64), "legal", strconv.Itoa(t.Legal))
	if t.PV != "" {
		words = append(words, "pv", t.PV)
	}
	return "{" + strings.ReplaceAll(strings.Join(words, " "), "}", ")") + "}"
}

// thoughtOf parses a comment written by pgnComment. The second result is false for other comments.
func thoughtOf(ply int, comment string) (thought, bool) {
	t := thought{Ply: ply}
	words := strings.Fields(comment)
	for len(words) >= 2 {
		var err error
		switch key, value := words[0], words[1]; key {
		case "score":
			t.Score = new(float64)
			*t.Score, err = strconv.ParseFloat(value, 64)
		case "depth":
			t.Depth, err = strconv.Atoi(value)
		case "nodes":
			t.Nodes, err = strconv.ParseInt(value, 10, 64)
		case "ms":
			t.MS, err = strconv.ParseFloat(value, 64)
		case "legal":
			t.Legal, err = strconv.Atoi(value)
		case "pv":
			t.PV = strings.Join(words[1:], " ")
			return t, true
		default:
			return t, false
		}
		if err != nil {
			return t, false
		}
		words = words[2:]
	}
	return t, len(words) == 0 && comment != ""
}

// pgnImport combines the lines of a PGN file into games.
type pgnImport struct {
	i     *importer
	game  *game // game in progress
	ended bool  // the moves of the game are complete
	inner bool  // the line is inside a comment
	words string
}

// line processes one line.
func (p *pgnImport) line(ctx context.Context, line string) error {
	if text, ok := strings.CutPrefix(line, escape); ok && !p.inner {
		var kind struct {
			Kind string `json:"kind"`
		}
		if err := json.Unmarshal([]byte(text), &kind); err != nil {
			return fmt.Errorf("%w: %w", ErrFile, err)
		}
		if kind.Kind != KindGame {
			return p.i.line(ctx, []byte(text))
		}
		if err := p.finish(ctx); err != nil {
			return err
		}
		var r rest
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			return fmt.Errorf("%w: %w", ErrFile, err)
		}
		p.game = &game{
			Game:   Game{ID: r.ID, Number: r.Number, Pair: r.Pair, Seed: r.Seed, Detail: r.Detail, Marks: r.Marks},
			stored: r.stored,
		}
		return nil
	}
	switch {
	case p.inner:
		return p.movetext(line)
	case strings.HasPrefix(line, "%"):
		return nil
	case p.game == nil || p.i.rules == nil:
		return fmt.Errorf("%w: a game without the line %q, which spar export --format pgn writes before each game", ErrFile,
			strings.TrimSpace(escape))
	case strings.HasPrefix(line, "["):
		return p.tag(line)
	}
	return p.movetext(line)
}

// tag processes a tag.
func (p *pgnImport) tag(line string) error {
	name, value, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(line, "["), `"]`), ` "`)
	if !ok || !strings.HasSuffix(line, `"]`) {
		return fmt.Errorf("%w: %s is not a PGN header like [White \"greedy\"]", ErrFile, plain.Line(line))
	}
	value = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(value)
	if field := map[string]*string{
		"Event": &p.game.Event, "White": &p.game.First, "Black": &p.game.Second, "Variant": &p.game.Label,
		"Termination": &p.game.Reason,
	}[name]; field != nil {
		*field = value
	}
	return nil
}

// movetext processes moves, comments and the result.
func (p *pgnImport) movetext(line string) error {
	for line != "" {
		if p.inner {
			comment, after, closed := strings.Cut(line, "}")
			p.words += " " + comment
			if p.inner, line = !closed, after; p.inner {
				return nil
			}
			if t, ok := thoughtOf(len(p.game.Moves), strings.TrimSpace(p.words)); ok {
				p.game.Thoughts = append(p.game.Thoughts, t)
			}
			continue
		}
		text, after, comment := strings.Cut(line, "{")
		for word := range strings.FieldsSeq(text) {
			result, isResult := map[string]string{"1-0": "first", "0-1": "second", "1/2-1/2": "draw"}[word]
			switch {
			case p.ended:
				return fmt.Errorf("%w: %s comes after the result of its game", ErrFile, plain.Line(word))
			case isResult:
				p.game.Result, p.ended = result, true
			case !strings.HasSuffix(word, "."): // numbers of moves say nothing new
				p.game.Moves = append(p.game.Moves, word)
			}
		}
		if p.inner = comment; comment {
			p.words = ""
		}
		line = after
	}
	return nil
}

// finish passes on a game that is complete.
func (p *pgnImport) finish(ctx context.Context) error {
	g := p.game
	if g == nil {
		return nil
	}
	if !p.ended || p.inner {
		return fmt.Errorf("%w: game %d has no result (1-0, 0-1 or 1/2-1/2) after its moves", ErrFile, g.ID)
	}
	p.game, p.ended = nil, false
	g.Rules, g.Set = rules.SplitLabel(g.Label)
	g.Plies = len(g.Moves)
	return p.i.game(ctx, g)
}
