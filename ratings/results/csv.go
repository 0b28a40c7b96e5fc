package results

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"spar/configs/plain"
	"spar/configs/strict"
)

// lines reads a file line by line. Lines can be put back.
type lines struct {
	in     *bufio.Reader
	number int // of the last line
	back   []string
	err    error
}

// next returns the next line without its end.
func (l *lines) next() (string, error) {
	if len(l.back) > 0 {
		text := l.back[0]
		l.back = l.back[1:]
		l.number++
		return text, nil
	}
	if l.err != nil {
		return "", l.err
	}
	text, err := l.in.ReadString('\n')
	if l.err = err; err != nil && (!errors.Is(err, io.EOF) || text == "") {
		return "", err
	}
	l.number++
	return strings.TrimSuffix(text, "\n"), nil
}

// putBack lets next return lines again.
func (l *lines) putBack(texts ...string) {
	l.back = append(texts, l.back...)
	l.number -= len(texts)
}

// begin skips blank lines and returns the next one trimmed, without using it up; empty at the end of the file.
func (l *lines) begin() (string, error) {
	for {
		text, err := l.next()
		switch {
		case errors.Is(err, io.EOF):
			return "", nil
		case err != nil:
			return "", fmt.Errorf("results: %w", err)
		case trim(text) != "":
			l.putBack(text)
			return trim(text), nil
		}
	}
}

// field is a field of a row.
type field struct {
	text string
	at   int // number of bytes before it
}

// split splits a row into its fields, and trims them. A field in quotation marks may hold the separator and, doubled,
// the mark. Wrong is the offset of a mark that does not end, or with a text behind it; -1 if there is none.
func split(text string, separator byte, row []field) (fields []field, wrong int, open bool) {
	for at := 0; ; {
		start := at
		for at < len(text) && text[at] == ' ' {
			at++
		}
		var value string
		if mark := at; at < len(text) && text[at] == '"' {
			var b strings.Builder
			for at++; ; at += 2 {
				length := strings.IndexByte(text[at:], '"')
				if length < 0 {
					return row, mark, true
				}
				b.WriteString(text[at : at+length])
				if at += length; !strings.HasPrefix(text[at:], `""`) {
					break
				}
				b.WriteByte('"')
			}
			value, start = b.String(), mark
			for at++; at < len(text) && text[at] == ' '; at++ {
			}
			if at < len(text) && text[at] != separator {
				return row, mark, false
			}
		} else {
			end := strings.IndexByte(text[at:], separator)
			if end < 0 {
				end = len(text) - at
			}
			value, at = text[at:at+end], at+end
		}
		row = append(row, field{trim(value), start})
		if at >= len(text) {
			return row, -1, false
		}
		at++
	}
}

// mostJoined is the maximum number of lines of one row: more mean that a quotation mark does not end.
const mostJoined = 20

// row reads a row of a table. Of a row that cannot be split it uses up one line.
func (r *reader) row(separator byte, row []field) (fields []field, source string, err error) {
	text, err := r.lines.next()
	if err != nil {
		return nil, "", err
	}
	source = text
	var more []string
	for {
		fields, wrong, open := split(text, separator, row)
		if wrong < 0 {
			return fields, source, nil
		}
		next, err := "", io.EOF
		if open && len(more) < mostJoined {
			next, err = r.lines.next()
		}
		if err != nil {
			r.lines.putBack(more...)
			return nil, source, strict.Errors{r.mistake(r.lines.number, wrong,
				"the closing quotation mark is missing or misplaced", source)}
		}
		more, text = append(more, next), text+"\n"+next
	}
}

// columns are the indices of the fields in a table, by the names below.
type columns map[string]int

var known = strings.Fields("player_first player_second white black result pair_id rules counts_for_strength round " +
	"event fen opening moves termination")

// needed are the names of columns, for mistakes about them.
var needed = strings.Fields("pair_id player_first player_second rules result")

// header finds the columns by their names. Other columns are ignored, but not one that is probably a misspelt name:
// without the column of pairs, intervals would be too narrow.
func (r *reader) header(row []field, source string) (columns, error) {
	c := columns{}
	wrong := func(at int, format string, args ...any) (columns, error) {
		return c, r.refuse(r.lines.number, at, fmt.Sprintf(format, args...), source)
	}
	for i, name := range row {
		key := strings.ToLower(name.text)
		if key == "reason" {
			key = "termination"
		}
		if _, twice := c[key]; twice {
			return wrong(name.at, "column %q occurs twice", name.text)
		} else if slices.Contains(known, key) {
			c[key] = i
		} else if meant := likely(key); meant != "" {
			return wrong(name.at, "unknown column %q: did you mean %q?", name.text, meant)
		}
	}
	_, first := c["player_first"]
	_, second := c["player_second"]
	for i, name := range []string{"player_first", "player_second", "result"} {
		at, ok := c[name]
		if i < 2 && !first && !second {
			at, ok = c[known[2+i]]
		}
		if c[name] = at; !ok {
			return wrong(0, "no column %q in the header %q%s", name, plain.Short(source),
				plain.If(i < 2, " (the player columns may also be called white and black)", ""))
		}
	}
	return c, nil
}

// likely returns the column that an unknown name probably means: it begins alike or has few different letters.
func likely(word string) string {
	if i := slices.IndexFunc(needed, func(name string) bool {
		return strings.HasPrefix(word, name[:4])
	}); i >= 0 {
		return needed[i]
	}
	return strict.Nearest(word, needed)
}

// separators are the characters between fields.
const separators = ",;\t|"

// csv reads a table. Its header names player_first, player_second (or white, black), result and optionally other
// columns, in any order. Names may contain anything that the quoting of CSV allows.
func (r *reader) csv() error {
	head, err := r.lines.next()
	head, separator := trim(head), byte(',')
	if sep, ok := strings.CutPrefix(head, "sep="); ok && len(sep) == 1 { // as spreadsheets write it
		separator = sep[0]
		head, err = r.lines.next()
	} else {
		for _, s := range []byte(separators) {
			if strings.Count(head, string(s)) > strings.Count(head, string(separator)) {
				separator = s
			}
		}
	}
	if err != nil {
		return r.refuse(1, 0, "empty: no header", "")
	}
	r.lines.putBack(head)
	top, source, err := r.row(separator, nil)
	if err != nil {
		return err
	}
	c, err := r.header(top, source)
	if err != nil {
		return err
	}
	_, r.chosen = c["counts_for_strength"]
	least := 1 + max(c["player_first"], c["player_second"], c["result"])
	filled := func(f field) bool { return f.text != "" }
	var row []field
	for {
		line := r.lines.number + 1
		var wrong strict.Errors
		row, source, err = r.row(separator, row[:0])
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &wrong):
			r.odd(wrong[0])
		case err != nil:
			return fmt.Errorf("results: %w", err)
		case !slices.ContainsFunc(row, filled),
			slices.EqualFunc(row, top, func(a, b field) bool {
				return a.text == b.text
			}): // of files that were joined
		case len(row) < least:
			r.odd(r.mistake(line, 0, fmt.Sprintf("%s, want at least %d", counted(int64(len(row)), "field"), least), source))
		case len(row) > len(top) && slices.ContainsFunc(row[len(top):], filled):
			// for one, 0,5 without quotation marks
			r.odd(r.mistake(line, row[len(top)].at, fmt.Sprintf("the line has %d fields, but the header has %d", len(row),
				len(top)), source))
		default:
			r.addRow(c, row, line, source)
		}
	}
}

// addRow adds the game of a row.
func (r *reader) addRow(c columns, row []field, line int, source string) {
	get := func(name string) string {
		if at, ok := c[name]; ok && at < len(row) {
			return row[at].text
		}
		return ""
	}
	counts := true
	if text := get("counts_for_strength"); text != "" {
		var err error
		if counts, err = strconv.ParseBool(text); err != nil {
			r.odd(r.mistake(line, row[c["counts_for_strength"]].at,
				fmt.Sprintf("counts_for_strength is %q: expected 1 or 0", plain.Short(text)), source))
			return
		}
	}
	r.add(record{
		first:   get("player_first"),
		second:  get("player_second"),
		result:  get("result"),
		pair:    get("pair_id"),
		stratum: get("rules"),
		opening: cmp.Or(get("fen"), get("opening")),
		round:   get("round"),
		event:   get("event"),
		moves:   get("moves"),
		ended:   get("termination"),
		counts:  counts,
		line:    line,
		source:  source,
		at:      [3]int{row[c["player_first"]].at, row[c["player_second"]].at, row[c["result"]].at},
	})
}
