// Package results reads game results that other programs wrote into a ratings table.
//
// [Read] detects the format: CSV with named columns (player_first, player_second, result, and optionally pair_id,
// rules and counts_for_strength), or the tags of PGN files. The [Summary] has the number of games that count,
// those without a result, and those that do not count for strength according to the file.
package results

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"spar/configs/plain"
	"spar/configs/strict"
	"spar/ratings"
)

// ErrFormat is the error for input that is malformed, or neither CSV nor PGN.
var ErrFormat = errors.New("bad results file")

// Options selects how results are read. The zero value suits most files.
type Options struct {
	// ByOpening makes all games with the same pair_id one cluster, whichever players they have.
	ByOpening bool
}

// Summary counts what was read.
type Summary struct {
	Games   int64
	Skipped int64 // games without a result ("*")
	LeftOut int64 // games that do not count for strength according to the file
	Paired  bool  // some games have a pair_id
}

// Read detects the format (PGN starts with a tag) and adds every game to a table.
// An error names the line and what is wrong there.
func Read(r io.Reader, o Options) (*ratings.Table, Summary, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	skipMark(in)
	if head, err := in.Peek(len(database)); err == nil && string(head) == database {
		return nil, Summary{}, fmt.Errorf("results: %w: an SQLite file, as a study is: expected CSV or PGN; spar standings "+
			"rates a study", ErrFormat)
	}
	above := 0 // lines before the first that holds something
	for {
		head, err := in.ReadByte()
		if errors.Is(err, io.EOF) {
			return readCSV(in, o, above)
		}
		if err != nil {
			return nil, Summary{}, fmt.Errorf("results: %w", err)
		}
		switch head {
		case '\n':
			above++
			continue
		case ' ', '\t', '\r':
			continue
		}
		if err := in.UnreadByte(); err != nil {
			return nil, Summary{}, fmt.Errorf("results: %w", err)
		}
		if head == '[' || head == '%' {
			return readPGN(in, o, above)
		}
		return readCSV(in, o, above)
	}
}

// database is the text at the start of every SQLite file.
const database = "SQLite format 3\x00"

// skipMark skips a byte order mark.
func skipMark(in *bufio.Reader) {
	if mark, err := in.Peek(3); err == nil && bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(3)
	}
}

// columns are the indices of the fields in a CSV file; -1 if a field is missing.
type columns struct{ first, second, result, pair, stratum, counts int }

// likely returns the known column that an unknown one probably misspells: it begins alike or has few different letters.
// Without the check, a misspelt pair column would be ignored and the intervals would be too narrow.
func likely(word string) string {
	names := []string{"pair_id", "player_first", "player_second", "rules", "result"}
	for _, name := range names {
		if strings.HasPrefix(word, name[:4]) {
			return name
		}
	}
	return strict.Nearest(word, names)
}

func header(row []string, line int) (columns, error) {
	c := columns{-1, -1, -1, -1, -1, -1}
	white, black := -1, -1 // the players where no other columns name them
	known := map[string]*int{
		"player_first": &c.first, "player_second": &c.second, "result": &c.result,
		"white": &white, "black": &black,
		"pair_id": &c.pair, "rules": &c.stratum, "counts_for_strength": &c.counts,
	}
	for i, name := range row {
		word := strings.ToLower(strings.TrimSpace(name))
		at, ok := known[word]
		if !ok {
			if meant := likely(word); meant != "" {
				return c, fmt.Errorf("results: %w: line %d: unknown column %q: did you mean %q?", ErrFormat, line, name, meant)
			}
			continue
		}
		if *at >= 0 {
			return c, fmt.Errorf("results: %w: line %d: column %q occurs twice", ErrFormat, line, name)
		}
		*at = i
	}
	if c.first < 0 && c.second < 0 {
		c.first, c.second = white, black
	}
	for _, need := range []struct {
		name string
		at   int
	}{{"player_first", c.first}, {"player_second", c.second}, {"result", c.result}} {
		if need.at < 0 {
			return c, fmt.Errorf("results: %w: line %d: no column %q in the header %q (white and black also name the players)",
				ErrFormat, line, need.name, plain.Short(strings.Join(row, ",")))
		}
	}
	return c, nil
}

// readCSV reads the rest of a CSV file; the lines above have been read already. Its header names player_first,
// player_second (or white, black), result and optionally pair_id, rules and counts_for_strength, in any order among
// other columns. Names may contain anything that CSV quoting allows. Games that do not count are skipped before their
// other fields are checked.
func readCSV(r io.Reader, o Options, above int) (*ratings.Table, Summary, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	in.FieldsPerRecord = -1
	row, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, Summary{}, fmt.Errorf("results: %w: empty: no header", ErrFormat)
	}
	if err != nil {
		return nil, Summary{}, malformed(err, above)
	}
	at, _ := in.FieldPos(0)
	c, err := header(row, above+at)
	if err != nil {
		return nil, Summary{}, err
	}
	need := max(c.first, c.second, c.result)
	b := ratings.Builder{ByOpening: o.ByOpening}
	var sum Summary
	names := make(map[string]string) // one copy of each name, not one a row
	intern := func(s string) string {
		if n, ok := names[s]; ok {
			return n
		}
		s = strings.Clone(s)
		names[s] = s
		return s
	}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return b.Table(), sum, nil
		}
		if err != nil {
			return nil, sum, malformed(err, above)
		}
		line, _ := in.FieldPos(0)
		line += above
		if len(row) <= need {
			return nil, sum, fmt.Errorf("results: %w: line %d: %d fields, want at least %d", ErrFormat, line, len(row), need+1)
		}
		if c.counts >= 0 && c.counts < len(row) && row[c.counts] != "" {
			counts, err := strconv.ParseBool(row[c.counts])
			if err != nil {
				return nil, sum, fmt.Errorf("results: %w: line %d: counts_for_strength is %q: expected 1 or 0",
					ErrFormat, line, plain.Short(row[c.counts]))
			}
			if !counts {
				sum.LeftOut++
				continue
			}
		}
		result, played, err := Outcome(row[c.result])
		if err != nil {
			return nil, sum, fmt.Errorf("results: line %d: %w", line, err)
		}
		if !played {
			sum.Skipped++
			continue
		}
		g := ratings.Game{First: intern(row[c.first]), Second: intern(row[c.second]), Result: result}
		if c.pair >= 0 && c.pair < len(row) && row[c.pair] != "" {
			g.Pair = strings.Clone(row[c.pair])
			sum.Paired = true
		}
		if c.stratum >= 0 && c.stratum < len(row) {
			g.Stratum = intern(row[c.stratum])
		}
		if err := b.Add(g); err != nil {
			return nil, sum, fmt.Errorf("results: line %d: %w", line, err)
		}
		sum.Games++
	}
}

// malformed returns an error of the CSV reader with its line in the whole file.
func malformed(err error, above int) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		moved := *parse
		moved.StartLine, moved.Line = parse.StartLine+above, parse.Line+above
		err = &moved
	}
	return fmt.Errorf("results: %w: %w", ErrFormat, err)
}

// Outcome reads a result from the first player's side: 1-0, 0-1, 1/2-1/2 and ½-½; 1, 0, 0.5 and ½; first, second and
// draw. A star or an empty text means that the game was not finished.
func Outcome(text string) (o ratings.Outcome, played bool, err error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "1-0", "1", "1.0", "first":
		return ratings.FirstWins, true, nil
	case "0-1", "0", "0.0", "second":
		return ratings.SecondWins, true, nil
	case "1/2-1/2", "½-½", "0.5-0.5", "0.5", ".5", "1/2", "½", "draw":
		return ratings.Draw, true, nil
	case "*", "":
		return 0, false, nil
	}
	return 0, false, fmt.Errorf("%w: result %q: expected 1-0, 0-1, 1/2-1/2, 1, 0, 0.5, first, second or draw",
		ErrFormat, plain.Short(text))
}

// said is what a line of "spar export" states about the game whose tags follow. Other programs ignore such lines.
type said struct {
	pair    string
	leftOut bool // the game does not count for strength
}

// saidOf parses such a line. The result ok is false for other lines.
func saidOf(line string) (s said, ok bool, err error) {
	text, ok := strings.CutPrefix(line, "%spar ")
	if !ok {
		return s, false, nil
	}
	var about struct {
		Kind   string
		Pair   *int64
		Counts *bool `json:"counts_for_strength"`
	}
	if err := json.Unmarshal([]byte(text), &about); err != nil {
		return s, false, fmt.Errorf("%w: %%spar: %w", ErrFormat, err)
	}
	if about.Pair != nil {
		s.pair = strconv.FormatInt(*about.Pair, 10)
	}
	s.leftOut = about.Counts != nil && !*about.Counts
	return s, about.Kind == "game", nil
}

// readPGN reads the White, Black and Result tags of each game; the lines above have been read already. White is the
// first player. Optional tags PairId (or Pair) and Rules (or Variant) name the pair and the stratum. In files of "spar
// export", the line before a game has its pair and whether it counts. Moves and comments are skipped.
func readPGN(r io.Reader, o Options, above int) (*ratings.Table, Summary, error) {
	b := ratings.Builder{ByOpening: o.ByOpening}
	var sum Summary
	tags := make(map[string]string)
	began, about := 0, said{}
	flush := func() error {
		if len(tags) == 0 {
			return nil
		}
		defer func() {
			clear(tags)
			about = said{}
		}()
		for _, need := range []string{"white", "black", "result"} {
			if _, ok := tags[need]; !ok {
				return fmt.Errorf("results: %w: game at line %d: no %s tag", ErrFormat, began, need)
			}
		}
		if about.leftOut {
			sum.LeftOut++
			return nil
		}
		result, played, err := Outcome(tags["result"])
		if err != nil {
			return fmt.Errorf("results: game at line %d: %w", began, err)
		}
		if !played {
			sum.Skipped++
			return nil
		}
		g := ratings.Game{First: tags["white"], Second: tags["black"], Result: result}
		g.Pair, g.Stratum = either(tags, "pairid", "pair"), either(tags, "rules", "variant")
		if g.Pair == "" && about.pair != "" { // numbered within its event
			g.Pair = tags["event"] + " " + about.pair
		}
		if err := b.Add(g); err != nil {
			return fmt.Errorf("results: game at line %d: %w", began, err)
		}
		sum.Paired = sum.Paired || g.Pair != ""
		sum.Games++
		return nil
	}
	in := bufio.NewReaderSize(r, 1<<16)
	comment, moves := false, false
	for line := above + 1; ; line++ {
		text, err := in.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, sum, fmt.Errorf("results: line %d: %w", line, err)
		}
		trimmed := strings.TrimSpace(text)
		name, value, isTag := tag(trimmed)
		escaped := !comment && strings.HasPrefix(trimmed, "%")
		switch {
		case comment, trimmed == "":
		case escaped:
			next, begins, err := saidOf(trimmed)
			if err != nil {
				return nil, sum, fmt.Errorf("results: line %d: %w", line, err)
			}
			if begins {
				if err := flush(); err != nil {
					return nil, sum, err
				}
				about, moves = next, false
			}
		case isTag:
			if moves {
				if err := flush(); err != nil {
					return nil, sum, err
				}
				moves = false
			}
			if _, again := tags[name]; again {
				if err := flush(); err != nil { // a game without moves
					return nil, sum, err
				}
			}
			if len(tags) == 0 {
				began = line
			}
			tags[name] = value
		default:
			moves = true
		}
		if !isTag && !escaped {
			comment = inComment(trimmed, comment)
		}
		if errors.Is(err, io.EOF) {
			break
		}
	}
	if err := flush(); err != nil {
		return nil, sum, err
	}
	return b.Table(), sum, nil
}

func either(tags map[string]string, names ...string) string {
	for _, n := range names {
		if v := tags[n]; v != "" {
			return v
		}
	}
	return ""
}

// inComment reports whether a brace comment is open after the line.
func inComment(line string, open bool) bool {
	for _, c := range line {
		switch c {
		case '{':
			open = true
		case '}':
			open = false
		case ';':
			if !open {
				return false
			}
		}
	}
	return open
}

// tag splits `[Name "value"]` and unescapes \" and \\.
func tag(line string) (name, value string, ok bool) {
	if !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") {
		return "", "", false
	}
	name, rest, ok := strings.Cut(strings.TrimSpace(line[1:len(line)-1]), " ")
	rest = strings.TrimSpace(rest)
	if !ok || len(rest) < 2 || rest[0] != '"' || rest[len(rest)-1] != '"' {
		return "", "", false
	}
	value = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(rest[1 : len(rest)-1])
	return strings.ToLower(name), value, true
}
