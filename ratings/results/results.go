// Package results reads game results that other programs wrote into a ratings table.
//
// [Read] detects the format: a table with named columns (CSV, also with semicolons or tabs), or the tags of PGN files.
// It skips what it cannot read and finds which games depend on each other: pairs with swapped seats, and copies of
// one game. The [Summary] counts what it read, skipped and found, and says so in sentences.
package results

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"spar/configs/files"
	"spar/configs/plain"
	"spar/configs/strict"
	"spar/ratings"
)

// Options select how results are read. The zero value suits most files.
type Options struct {
	File string // name of the file in errors
	// ByOpening means that all games with the same pair_id are one cluster, whichever players they have.
	ByOpening bool
	// Strict means that a game that cannot be read is an error; otherwise it is skipped.
	Strict bool
}

// Summary counts what was read.
type Summary struct {
	Games    int64         // games that count
	Distinct int64         // how many of them differ in moves, players or result; 0 if the moves are unknown
	Few      bool          // there are copies, and so few distinct games that the table has each of them once
	Pairs    int64         // pairs found by round and opening
	Skipped  int64         // games without a result ("*")
	Byes     int64         // rounds in which a player had no opponent
	LeftOut  int64         // games that do not count for strength according to the file
	Odd      int64         // games that cannot be read
	Mistakes strict.Errors // why they cannot be read, and comments that do not end; the first ones
	Notes    []string      // all this in sentences, for people
	Paired   bool          // some games have a pair_id
	Export   bool          // the file is an export of Spar, which says which games count
}

// game is a game of a file before it is added to the table. Texts are numbers in reader.texts.
type game struct {
	first, second, stratum, pair, opening, round, event int32

	result ratings.Outcome
	hash   uint64 // of the moves; 0 if they are unknown
}

// reader collects the games of a file.
type reader struct {
	o      Options
	lines  *lines
	sum    Summary
	texts  map[string]int32
	list   []string // the texts by their numbers; the first is empty
	games  []game
	names  map[string]string // players by the spelling in the file
	spelt  map[string]string // the first spelling of each player
	chosen bool              // the file says which games count: it has no copies that it does not know
	rounds bool              // some games have a round
	ends   map[string]int64  // numbers of games by an unusual end
	forms  []string          // names with several spellings
	cut    []int             // lines of comments that do not end
}

// Read detects the format (PGN starts with a tag) and adds every game to a table. It skips games that it cannot read,
// unless Options.Strict is set. Errors are of type strict.Errors and name each line and its mistake.
func Read(in io.Reader, o Options) (*ratings.Table, Summary, error) {
	r := &reader{
		o:     o,
		lines: &lines{in: bufio.NewReaderSize(files.Text(in), 1<<16)},
		texts: map[string]int32{"": 0},
		list:  []string{""},
		names: map[string]string{},
		spelt: map[string]string{},
		ends:  map[string]int64{},
	}
	text, err := r.lines.begin()
	switch {
	case err != nil:
	case strings.HasPrefix(text, database):
		err = r.refuse(1, 0, "this is an SQLite file, perhaps a study: expected CSV or PGN; spar standings rates a study", "")
	case strings.HasPrefix(text, `{"`):
		err = r.refuse(r.lines.number+1, 0, "expected CSV or PGN; spar import reads JSONL", "")
	case text != "" && strings.Contains("[%{", text[:1]):
		err = r.pgn()
	default:
		err = r.csv()
	}
	if err != nil {
		return nil, r.sum, err
	}
	if o.Strict && len(r.sum.Mistakes) > 0 {
		return nil, r.sum, r.sum.Mistakes
	}
	t, err := r.table()
	r.sum.Export = r.chosen
	return t, r.sum, err
}

// database is the text at the start of every SQLite file.
const database = "SQLite format 3\x00"

// mostNamed is the maximum number of mistakes that a note names; strict.Errors shows at most mostKept.
const (
	mostNamed = 3
	mostKept  = 100
)

// mistake returns a mistake in a line of the file; offset is the number of bytes before it.
func (r *reader) mistake(line, offset int, message, source string) strict.Error {
	col := 1 + len([]rune(source[:min(offset, len(source))]))
	return strict.Error{
		File:    r.o.File,
		Line:    line,
		Col:     col,
		Message: message,
		Source:  source,
	}
}

// refuse returns an error about the whole file.
func (r *reader) refuse(line, offset int, message, source string) error {
	return strict.Errors{r.mistake(line, offset, message, source)}
}

// odd notes a game that cannot be read.
func (r *reader) odd(e strict.Error) {
	r.sum.Odd++
	if len(r.sum.Mistakes) < mostKept {
		r.sum.Mistakes = append(r.sum.Mistakes, e)
	}
}

// text returns the number of a text.
func (r *reader) text(s string) int32 {
	i, ok := r.texts[s]
	if !ok {
		s = strings.Clone(s) // not the whole line
		i = int32(len(r.list))
		r.texts[s], r.list = i, append(r.list, s)
	}
	return i
}

// player returns a player's name in one spelling: composed Unicode (NFC), and single spaces between words only.
func (r *reader) player(spelling string) string {
	if name, ok := r.names[spelling]; ok {
		return name
	}
	spaced := strings.Join(strings.FieldsFunc(spelling, isSpace), " ")
	name := norm.NFC.String(spaced)
	if first, ok := r.spelt[name]; !ok {
		r.spelt[name] = spaced
	} else if first != spaced && !slices.Contains(r.forms, name) {
		r.forms = append(r.forms, name)
	}
	r.names[strings.Clone(spelling)] = name
	return name
}

// isSpace also accepts a byte order mark, which stands inside a file that was joined from several.
func isSpace(c rune) bool { return unicode.IsSpace(c) || c == '\ufeff' }

// trim removes space around a text.
func trim(s string) string { return strings.TrimFunc(s, isSpace) }

// isBye reports whether a name stands for no opponent.
func isBye(name string) bool {
	name = strings.Trim(name, "()-")
	return name == "" || strings.EqualFold(name, "bye")
}

// record is what the file states about a game.
type record struct {
	first, second, result                              string
	pair, stratum, opening, round, event, moves, ended string
	counts                                             bool
	// places of mistakes
	line   int
	source string
	at     [3]int // offsets of first, second and result in source
}

// add adds a game.
func (r *reader) add(g record) {
	if !g.counts {
		r.sum.LeftOut++
		return
	}
	first, second := r.player(g.first), r.player(g.second)
	result, ok := parseResult(g.result)
	wrong := func(field int, message string) { r.odd(r.mistake(g.line, g.at[field], message, g.source)) }
	switch {
	case ok && result.bye, (!ok || result.played) && isBye(first) != isBye(second):
		r.sum.Byes++
		return
	case ok && !result.played:
		r.sum.Skipped++
		return
	case first == "" || first == "?":
		wrong(0, "the first player has no name")
		return
	case second == "" || second == "?":
		wrong(1, "the second player has no name")
		return
	case !ok:
		wrong(2, fmt.Sprintf("result %q: expected 1-0, 0-1, 1/2-1/2, 1, 0, 0.5, first, second or draw", plain.Short(g.result)))
		return
	case first == second:
		wrong(1, fmt.Sprintf("agent against itself: %q", plain.Short(first)))
		return
	}
	if kind := unusual(g.ended, result.forfeit); kind != "" {
		r.ends[kind]++
	}
	r.sum.Paired = r.sum.Paired || g.pair != ""
	r.rounds = r.rounds || g.round != ""
	if r.chosen && strings.HasPrefix(g.ended, "forfeit_") {
		g.stratum += ratings.Forfeited
	}
	hash := uint64(0)
	if g.moves != "" && !r.chosen {
		h := fnv.New64a()
		fmt.Fprint(h, g.opening, "\x00", g.moves, "\x00", result.outcome)
		hash = h.Sum64()
	}
	r.games = append(r.games, game{
		r.text(first), r.text(second), r.text(g.stratum), r.text(g.pair), r.text(g.opening), r.text(g.round), r.text(g.event),
		result.outcome, hash,
	})
}

// found begins the labels of pairs that findPairs made; no label of a file does.
const found = "\x00"

// findPairs makes a pair of two games without a pair_id if they are the only two of their players with the same event,
// rules, round and opening, and have swapped seats.
func (r *reader) findPairs() {
	type meeting struct{ event, stratum, round, opening, lo, hi int32 }
	of := func(g game) meeting {
		return meeting{g.event, g.stratum, g.round, g.opening, min(g.first, g.second), max(g.first, g.second)}
	}
	games := map[meeting][]int{}
	for i, g := range r.games {
		if k := of(g); g.pair == 0 && g.round != 0 {
			games[k] = append(games[k], i)
		}
	}
	for i, g := range r.games {
		both := games[of(g)]
		if len(both) == 2 && both[0] == i && r.games[both[1]].first == g.second {
			r.sum.Pairs++
			label := r.text(fmt.Sprint(found, r.sum.Pairs))
			r.games[i].pair, r.games[both[1]].pair = label, label
		}
	}
}

// fewUnits is the number of independent units below which copies are dropped: so few do not show how much they differ.
const fewUnits = 10

// table builds the table, and the notes.
func (r *reader) table() (*ratings.Table, error) {
	r.findPairs()
	type moves struct {
		first, second, stratum int32
		hash                   uint64
	}
	seen := map[moves]bool{}
	var distinct []game
	for _, g := range r.games {
		k := moves{g.first, g.second, g.stratum, g.hash}
		if g.hash == 0 || !seen[k] {
			distinct = append(distinct, g)
		}
		seen[k] = true
	}
	s := &r.sum
	if s.Games = int64(len(r.games)); slices.ContainsFunc(r.games, func(g game) bool {
		return g.hash != 0
	}) {
		s.Distinct = int64(len(distinct))
	}
	t, err := r.build(r.games)
	if err != nil {
		return nil, err
	}
	clusters, alone := t.Clusters()
	if len(distinct) < len(r.games) && clusters+alone < fewUnits {
		s.Few = true
		t, err = r.build(distinct)
	}
	r.note()
	return t, err
}

// build makes a table of games.
func (r *reader) build(games []game) (*ratings.Table, error) {
	b := ratings.Builder{}
	for _, g := range games {
		opening := uint64(0)
		switch {
		case r.o.ByOpening && !strings.HasPrefix(r.list[g.pair], found) && g.pair != 0:
			opening = ratings.Label(r.list[g.pair])
		case g.opening != 0:
			opening = ratings.Label(strings.TrimSuffix(r.list[g.stratum], ratings.Forfeited) + "\n" + r.list[g.opening])
		}
		if err := b.Add(ratings.Game{
			First:   r.list[g.first],
			Second:  r.list[g.second],
			Result:  g.result,
			Stratum: r.list[g.stratum],
			Pair:    r.list[g.pair],
			Opening: opening,
			Hash:    g.hash,
		}); err != nil {
			return nil, err
		}
	}
	return b.Table(), nil
}
