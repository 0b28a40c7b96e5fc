package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// tag is a tag of a game.
type tag struct {
	value string
	line  int
	text  string // the whole line
}

// pgn is the state of reading a PGN file.
type pgn struct {
	r       *reader
	tags    map[string]tag
	first   string // name of the game's first tag
	began   tag    // its place
	about   said
	moves   []string
	result  string // at the end of the moves
	text    bool   // the moves have begun
	cut     bool   // the moves are not whole
	depth   int    // of variations
	comment int    // line where the comment begins; 0 outside of comments
	source  string // the text of that line
	blank   bool   // the line before is blank
}

// pgn reads the White, Black and Result tags of each game. White is the first player. Optional tags PairId (or Pair) and
// Rules (or Variant) name the pair and the stratum. The moves tell copies apart. In files that earlier versions of Spar
// exported, the line before a game has its pair and whether it counts.
func (r *reader) pgn() error {
	p := &pgn{r: r, tags: map[string]tag{}}
	for {
		text, err := r.lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("results: line %d: %w", r.lines.number+1, err)
		}
		if err := p.line(trim(text)); err != nil {
			return err
		}
	}
	if p.comment > 0 {
		p.uncut()
	}
	p.finish()
	return nil
}

// uncut ends a comment that does not end itself.
func (p *pgn) uncut() {
	p.r.cut = append(p.r.cut, p.comment)
	p.r.sum.Mistakes = append(p.r.sum.Mistakes, p.r.mistake(p.comment, 0, "the comment is not closed", p.source))
	p.comment, p.cut = 0, true
}

// line reads a line.
func (p *pgn) line(text string) error {
	was := p.blank
	if p.blank = text == ""; p.blank {
		return nil
	}
	name, value, rest, isTag := splitTag(text)
	if p.comment > 0 && isTag && rest == "" && (was || name == "event") { // no comment holds a game of its own
		p.uncut()
	}
	switch {
	case p.comment > 0:
	case strings.HasPrefix(text, "%"):
		about, ok, err := saidOf(text)
		if err != nil {
			return p.r.refuse(p.r.lines.number, 0, err.Error(), text)
		}
		if ok {
			p.finish()
			p.about = about
		}
		return nil
	case isTag:
		p.tag(name, tag{value, p.r.lines.number, text})
		if rest != "" {
			return p.line(rest)
		}
		return nil
	case strings.HasPrefix(text, "["): // a tag that is none
		return nil
	}
	p.text = true
	p.movetext(text)
	return nil
}

// tag adds a tag to the game, or begins the next game with it. Of a repeated tag the first one counts.
func (p *pgn) tag(name string, t tag) {
	has := func(name string) bool { _, ok := p.tags[name]; return ok }
	if p.text || name == p.first && (has("result") || has("white") && has("black")) {
		p.finish()
	}
	if len(p.tags) == 0 {
		p.first, p.began = name, t
	}
	if !has(name) {
		p.tags[name] = t
	}
}

// marks are words of the moves that are no moves: numbers of moves and of annotations.
var marks = regexp.MustCompile(`^([0-9]+\.*|\.+|\$[0-9]+|e\.p\.|[!?]+)$`)

// number is the number of a move, without a space behind it.
var number = regexp.MustCompile(`^[0-9]+\.+`)

// movetext reads moves, comments and the result.
func (p *pgn) movetext(line string) {
	text := line
	for text != "" {
		if p.comment > 0 {
			_, after, closed := strings.Cut(text, "}")
			if !closed {
				return
			}
			p.comment, text = 0, after
			continue
		}
		at := strings.IndexAny(text, "{;()")
		if at < 0 {
			at = len(text)
		}
		for word := range strings.FieldsSeq(text[:at]) {
			switch {
			case p.depth > 0:
			case word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "*":
				p.result = word
			case marks.MatchString(word):
			default:
				if move := strings.TrimRight(number.ReplaceAllString(word, ""), "!?"); move != "" {
					p.moves = append(p.moves, move)
				}
			}
		}
		if at == len(text) || text[at] == ';' {
			return
		}
		switch text[at] {
		case '{':
			p.comment, p.source = p.r.lines.number, line
		case '(':
			p.depth++
		case ')':
			p.depth = max(0, p.depth-1)
		}
		text = text[at+1:]
	}
}

// finish adds the game that was read.
func (p *pgn) finish() {
	if len(p.tags) > 0 {
		p.add()
	}
	clear(p.tags)
	p.about = said{}
	p.moves = p.moves[:0]
	p.result = ""
	p.text = false
	p.cut = false
	p.depth = 0
}

func (p *pgn) add() {
	get := func(names ...string) string {
		for _, n := range names {
			if v := trim(p.tags[n].value); v != "" {
				return v
			}
		}
		return ""
	}
	result := p.tags["result"]
	white := p.tags["white"]
	black := p.tags["black"]
	g := record{
		first:   white.value,
		second:  black.value,
		result:  cmp.Or(trim(result.value), p.result, "*"),
		pair:    get("pairid", "pair"),
		stratum: get("rules", "variant"),
		opening: get("fen"),
		round:   get("round"),
		event:   get("event"),
		ended:   get("termination"),
		counts:  !p.about.leftOut,
	}
	if g.round == "?" || g.round == "-" {
		g.round = ""
	}
	if g.pair == "" && p.about.pair != "" { // numbered within its event
		g.pair = g.event + " " + p.about.pair
	}
	if !p.cut {
		g.moves = strings.Join(p.moves, " ")
	}
	// Mistakes are shown at the tag that is wrong, or at the first tag if it is missing.
	at := cmp.Or(result, p.began)
	missing := func(name string, t tag) bool {
		if t.line > 0 || !g.counts {
			return false
		}
		p.r.odd(p.r.mistake(p.began.line, 0, "the game has no "+name+" tag", p.began.text))
		return true
	}
	if result.line == 0 && p.result == "" && missing("Result", result) || missing("White", white) ||
		missing("Black", black) {
		return
	}
	tagged, known := parseResult(trim(result.value))
	if said, ok := parseResult(p.result); ok && known && said.played && tagged.played && said.outcome != tagged.outcome {
		p.r.odd(p.r.mistake(result.line, 0, "the Result tag differs from "+p.result+" behind the moves", result.text))
		return
	}
	switch {
	case slices.Contains([]string{"", "?"}, trim(white.value)):
		at = white
	case slices.Contains([]string{"", "?"}, trim(black.value)) || trim(black.value) == trim(white.value):
		at = black
	}
	g.line, g.source = at.line, at.text
	p.r.add(g)
}

// splitTag reads a tag like [Name "value"] at the start of a text, in which \" and \\ are escaped. Rest is the text
// behind it.
func splitTag(text string) (name, value, rest string, ok bool) {
	inner, ok := strings.CutPrefix(text, "[")
	name, inner, quoted := strings.Cut(inner, `"`)
	name = strings.ToLower(trim(name))
	if !ok || !quoted || name == "" || strings.ContainsAny(name, " []{}") {
		return "", "", "", false
	}
	for at := 0; at < len(inner); at++ {
		switch inner[at] {
		case '\\':
			at++
		case '"':
			if after, closed := strings.CutPrefix(trim(inner[at+1:]), "]"); closed {
				value = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(inner[:at])
				return name, value, trim(after), true
			}
		}
	}
	return "", "", "", false
}

// said is what a line of an earlier "spar export" states about the game whose tags follow. Other programs ignore such
// lines.
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
		return s, false, fmt.Errorf("%%spar: %w", err)
	}
	if about.Pair != nil {
		s.pair = strconv.FormatInt(*about.Pair, 10)
	}
	s.leftOut = about.Counts != nil && !*about.Counts
	return s, about.Kind == "game", nil
}
