package transfer

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"spar/agents"
	"spar/arena"
	"spar/arena/store"
	"spar/configs"
	"spar/engines"
)

// copied is a finished game that a person copied from a page of "spar export page".
type copied struct {
	game  *engines.Game
	seats [2]string // players: "human", or the name of a shipped agent
	seed  int64
	moves []string
}

// copyForm matches a copied game: NAME@HASH FIRST SECOND SEED: MOVES.
var copyForm = regexp.MustCompile(`^(\S+)@([0-9a-f]{16}) (\S+) (\S+) (\d+): (.+)$`)

// importCopies imports games, one text or link on each line, as games of people. If any line is wrong, it imports
// none. It skips games that the study has.
func importCopies(ctx context.Context, db *store.DB, in io.Reader, name string, rules []*engines.Game) (Counts, error) {
	var games []copied
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		c, err := parseCopy(strings.TrimSpace(lines.Text()), rules)
		if err != nil {
			return Counts{}, fmt.Errorf("%s:%d: %w: %w", name, n, ErrFile, err)
		}
		games = append(games, c)
	}
	if err := lines.Err(); err != nil {
		return Counts{}, fmt.Errorf("%s: %w", name, err)
	}
	counts := Counts{Games: int64(len(games))}
	for _, c := range games {
		added, err := c.add(ctx, db)
		if err != nil {
			return counts, err
		}
		if added {
			counts.Added++
		}
	}
	return counts, nil
}

// parseCopy parses a text or a link, and replays the game.
func parseCopy(text string, rules []*engines.Game) (c copied, err error) {
	fields := copyForm.FindStringSubmatch(text)
	if _, fragment, ok := strings.Cut(text, "#"); ok && fields == nil {
		q, err := url.ParseQuery(fragment)
		if err != nil {
			return c, err
		}
		fields = []string{text}
		for _, key := range []string{"game", "rules", "first", "second", "seed", "moves"} {
			fields = append(fields, q.Get(key))
		}
	}
	if fields == nil {
		return c, fmt.Errorf("spar import reads exports in the format jsonl, and games copied out of a page; it " +
			"does not read CSV and other files")
	}
	if c.game, err = copiedRules(fields[1], fields[2], rules); err != nil {
		return c, err
	}
	c.seats = [2]string{fields[3], fields[4]}
	for _, seat := range c.seats {
		if _, err := specOf(seat); err != nil {
			return c, err
		}
	}
	if !slices.Contains(c.seats[:], human) {
		return c, fmt.Errorf("no person played in this game")
	}
	if c.seed, err = strconv.ParseInt(fields[5], 10, 64); err != nil {
		return c, fmt.Errorf("seed %q: expected a whole number", fields[5])
	}
	c.moves = strings.Fields(fields[6])
	p := c.game.NewPosition()
	if err := p.PlayText(c.moves); err != nil {
		return c, err
	}
	if !p.Over() {
		return c, fmt.Errorf("the game is not finished after %s",
			map[bool]string{true: "1 ply", false: fmt.Sprint(p.Ply(), " plies")}[p.Ply() == 1])
	}
	return c, nil
}

// human is the name that people have in studies.
const human = "human"

// copiedRules finds rules by their hash, among the given rules and the shipped ones.
func copiedRules(name, hash string, given []*engines.Game) (*engines.Game, error) {
	for _, g := range given {
		if g.RulesHash() == hash {
			return g, nil
		}
	}
	for _, shipped := range configs.Names(configs.Games) {
		if g, err := engines.Named(shipped); err == nil && g.RulesHash() == hash {
			return g, nil
		}
	}
	return nil, fmt.Errorf("no rules with the hash %s here: name the file of %q with --rules", hash, name)
}

// specOf returns the stored spec of a player.
func specOf(seat string) (string, error) {
	if seat == human {
		return `{"type":"human"}`, nil
	}
	if configs.IsNetPath(seat) {
		return "", fmt.Errorf("%q is no shipped agent", seat)
	}
	s, err := agents.LoadSpec(seat)
	return s.Canonical(), err
}

// add stores the game, unless the study has it already.
func (c *copied) add(ctx context.Context, db *store.DB) (bool, error) {
	moves := strings.Join(c.moves, " ")
	for row, err := range db.Games(ctx, store.Filter{Event: peopleEvent}) {
		if err != nil {
			return false, err
		}
		if row.Seed == c.seed && row.Moves == moves && row.RulesName == c.game.Name() {
			return false, nil
		}
	}
	rules, err := db.RulesID(ctx, c.game.Name(), c.game.RulesHash(), c.game.Rules().Canonical())
	if err != nil {
		return false, err
	}
	var seats [2]int64
	for side, seat := range c.seats {
		spec, err := specOf(seat)
		if err != nil {
			return false, err
		}
		if seats[side], err = db.AgentID(ctx, seat, spec); err != nil {
			return false, err
		}
	}
	p := c.game.NewPosition()
	if err := p.PlayText(c.moves); err != nil {
		return false, err
	}
	r := arena.ResultOf(p)
	r.Worker = arena.LocalWorker
	_, err = db.AddHumanGame(ctx, peopleEvent, r.Row(rules, seats[0], seats[1], 0, 0, c.seed))
	return err == nil, err
}

// peopleEvent is the event for games of people.
const peopleEvent = "people"
