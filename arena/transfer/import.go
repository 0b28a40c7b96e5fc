package transfer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/bulk"
	labels "spar/engines/rules"
)

// ErrFile is wrapped by all errors about the content of the input.
const ErrFile = strict.Mistake("not an export")

// newest is the version of the JSON lines that Import reads; so are all before it.
const newest = 2

// Counts are the numbers of games that Import found.
type Counts struct {
	Games int64 // number of games in the file
	Added int64 // number of games that are new in the study

	Announced int64 // number of games that the first line announces; 0 in files of older versions
}

// importer processes a file line by line.
type importer struct {
	db       *store.DB
	into     *store.Import
	rules    map[string]*engines.Game // rules, by label
	oracles  []store.Oracle
	values   map[int]map[place][]store.PositionValue // values of positions, by oracle
	verified Counts
}

// place identifies a game in its study.
type place struct {
	event  string
	number int64
}

// Import adds the lines of JSONL to a study in one transaction. It replays every game first. It skips
// games that the study already has, so that an import can be repeated. Name is the input's name in errors.
func Import(ctx context.Context, db *store.DB, in io.Reader, name string) (_ Counts, err error) {
	defer func() {
		if c := new(store.ConflictError); errors.As(err, &c) {
			err = strict.Badf("%s: %w", name, c)
		}
	}()
	unlock, err := db.Lock()
	if err != nil {
		return Counts{}, err
	}
	defer unlock()
	text := bufio.NewReader(in)
	first := firstByte(text)
	switch {
	case first == '%' || first == '[':
		return Counts{}, fmt.Errorf("%s:1: %w: spar import reads JSONL, not PGN; for ratings from PGN, use spar rate", name,
			ErrFile)
	case first != 0 && first != '{':
		return Counts{}, fmt.Errorf("%s:1: %w: spar import reads only JSONL exports, not CSV or other formats", name,
			ErrFile)
	}
	into, err := db.Import(ctx)
	if err != nil {
		return Counts{}, err
	}
	defer into.Rollback()
	i := &importer{db: db, into: into, values: map[int]map[place][]store.PositionValue{}}
	if err := bulk.Each(text, name, func(number int, line []byte) error {
		if err := i.line(ctx, line); err != nil {
			return fmt.Errorf("%s:%d: %w", name, number, err)
		}
		return ctx.Err()
	}); err != nil {
		return Counts{}, err
	}
	if i.rules == nil {
		return Counts{}, fmt.Errorf("%s: %w: no line of kind %q", name, ErrFile, KindStudy)
	}
	if i.verified.Added, err = into.Commit(ctx); err != nil {
		return Counts{}, err
	}
	return i.verified, i.addValues(ctx)
}

// firstByte returns the first byte that is not a space; 0 if there is none near the start.
func firstByte(in *bufio.Reader) byte {
	for n := 1; ; n++ {
		head, err := in.Peek(n)
		if err != nil || len(head) < n || n > 4096 {
			return 0
		}
		if c := head[n-1]; !strings.ContainsRune(" \t\r\n", rune(c)) {
			return c
		}
	}
}

func (i *importer) line(ctx context.Context, line []byte) error {
	var about struct {
		Kind    string `json:"kind"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(line, &about); err != nil {
		return badFile("%w", err)
	}
	if about.Version > newest {
		return fmt.Errorf("%w of this version: a line of version %d, expected at most %d: a newer spar wrote it", ErrFile,
			about.Version, newest)
	}
	if i.rules == nil && about.Kind != KindStudy {
		return badFile("its first line is of kind %q, not %q (spar export --format jsonl writes exports)", about.Kind, KindStudy)
	}
	switch about.Kind {
	case KindStudy:
		return take(ctx, line, i.header)
	case KindGame:
		return take(ctx, line, i.game)
	case KindTable:
		return take(ctx, line, i.table)
	case KindOpinion:
		return take(ctx, line, i.opinion)
	case KindLines:
		return take(ctx, line, i.into.Lines)
	case KindValues:
		return take(ctx, line, i.takeValues)
	}
	return badFile("a line of kind %q", about.Kind)
}

// take parses a line and passes it to the function for its kind.
func take[T any](ctx context.Context, line []byte, to func(context.Context, *T) error) error {
	var v T
	if err := json.Unmarshal(line, &v); err != nil {
		return badFile("%w", err)
	}
	return to(ctx, &v)
}

func (i *importer) header(ctx context.Context, h *header) error {
	if i.rules == nil {
		i.rules = map[string]*engines.Game{}
	}
	for _, r := range h.Rules {
		if r.Name == "" {
			return badFile("rules have no name")
		}
		g, err := engines.Stored(r.Canonical)
		if err != nil {
			return badFile("rules %s: %w", r.Name, err)
		}
		if g.RulesHash() != r.Hash {
			return badFile("rules %s do not have the hash %s", r.Name, r.Hash)
		}
		i.rules[r.Name] = g
		if err := i.into.Rules(ctx, r); err != nil {
			return err
		}
	}
	for _, e := range h.Events {
		if e.Name == "" {
			return badFile("an event has no name")
		}
		last := int64(0)
		for n, b := range e.Builds {
			if b.Before < last {
				return badFile("event %s: build %d has \"before\": %d, expected %d or more", e.Name, n+1,
					b.Before, last)
			}
			last = b.Before
		}
		if e.Builds == nil && e.Build != (study.Build{}) {
			e.Builds = []store.Stretch{{Since: e.Started, Build: e.Build}}
		}
		if err := i.into.Event(ctx, e.Event, e.Builds); err != nil {
			return err
		}
	}
	for _, w := range h.Workers {
		if w.ID == "" {
			return badFile("a worker has no name")
		}
		if err := i.into.Worker(ctx, w); err != nil {
			return err
		}
	}
	for _, a := range h.Agents {
		if a.Agent == "" {
			return badFile("an agent has no name")
		}
		if err := i.into.Agent(ctx, a.Agent, a.Spec); err != nil {
			return err
		}
	}
	for _, e := range h.Effective {
		if err := i.into.Effective(ctx, e); err != nil {
			return listed(err)
		}
	}
	i.verified.Announced += h.Games
	i.oracles = append(i.oracles, h.Oracles...)
	return nil
}

func (i *importer) game(ctx context.Context, g *game) error {
	rules := i.rules[g.Label]
	name, _ := labels.SplitLabel(g.Label)
	if rules == nil {
		return badFile("game %d has the rules %q, which the file does not list", g.ID, g.Label)
	}
	marks, err := evidence.Parse(g.Marks)
	if err != nil {
		return badFile("game %d: %w", g.ID, err)
	}
	switch {
	case g.Game.Rules != "" && g.Game.Rules != name:
		return badFile("game %d has the rules %q, but the label %q", g.ID, g.Game.Rules, g.Label)
	case g.OpeningPlies < 0 || g.OpeningPlies > len(g.Moves):
		return badFile("game %d: opening_plies is %d: expected 0 to %d, the plies of the game", g.ID,
			g.OpeningPlies, len(g.Moves))
	case g.Number < 0 || g.Pair < 0 || g.Opening < 0:
		return badFile("game %d: number %d, pair %d and opening %d: expected 0 or more", g.ID, g.Number,
			g.Pair, g.Opening)
	case g.First == "" || g.Second == "":
		return badFile("game %d: an agent has no name", g.ID)
	}
	row := g.row(strings.Join(g.Moves, " "), marks)
	if err := arena.Verify(rules, row.Game); err != nil {
		return badFile("%w", err)
	}
	i.verified.Games++
	return listed(i.into.Game(ctx, row))
}

// listed reports which names are not in the header, as errors of the file.
func listed(err error) error {
	if errors.Is(err, store.ErrNotListed) {
		return badFile("%w", err)
	}
	return err
}

func (i *importer) table(ctx context.Context, t *seat) error {
	if t.ID == "" || !json.Valid([]byte(t.State)) {
		return badFile("table %q: expected a name, and its state as JSON", t.ID)
	}
	return listed(i.into.Table(ctx, t.Table, t.Event, t.Number))
}

func (i *importer) opinion(ctx context.Context, o *opinion) error {
	if o.Event == "" || o.Fun < 1 || o.Fun > 5 {
		return badFile("an opinion of the event %q with fun %d: expected the name of an event, and fun from 1 to 5", o.Event, o.Fun)
	}
	return listed(i.into.Opinion(ctx, o.Opinion, o.Event, o.Number))
}

func (i *importer) takeValues(_ context.Context, v *values) error {
	if v.Oracle < 0 || v.Oracle >= len(i.oracles) {
		return badFile("values of oracle %d, which the file does not list", v.Oracle)
	}
	if i.values[v.Oracle] == nil {
		i.values[v.Oracle] = map[place][]store.PositionValue{}
	}
	at := place{v.Event, v.Number}
	i.values[v.Oracle][at] = append(i.values[v.Oracle][at], v.Positions...)
	return nil
}

// addValues stores the values of positions. It runs after the games have been stored, because values could be
// computed again.
func (i *importer) addValues(ctx context.Context) error {
	if len(i.oracles) == 0 {
		return nil
	}
	ids := map[place]int64{}
	for row, err := range i.db.Games(ctx, store.Filter{}) {
		if err != nil {
			return err
		}
		ids[place{row.EventName, row.Number}] = row.ID
	}
	for n, o := range i.oracles {
		games := map[int64][]store.PositionValue{}
		for at, values := range i.values[n] {
			if game, ok := ids[at]; ok {
				games[game] = values
			}
		}
		if err := i.db.AddValues(ctx, o, games); err != nil {
			return err
		}
	}
	return nil
}

// badFile returns an error of the imported file.
func badFile(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrFile, fmt.Errorf(format, args...))
}
