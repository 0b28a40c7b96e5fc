package balance

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"runtime"
	"slices"

	"spar/agents/pace"
	"spar/arena/campaign"
	"spar/arena/oracle"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/rules"
	"spar/reports/page"
)

// StudyOptions are the options of Study.
type StudyOptions struct {
	Options
	// Values are the options for evaluating positions that have no stored values. Nil means: use stored values only.
	Values *oracle.Options
	// PeopleGames is the number of games simulated for each of two predictions, the play of novices and of experienced
	// players; 0 = no prediction.
	PeopleGames int
	// Time limits the whole report. When it ends, the remaining position values stay missing.
	Time pace.Limit
}

// Study measures one set of rules of a study. The label is one of the names that store.DB.Names lists. It reads the
// plans, solves the game if that needs little memory, evaluates a sample of positions if requested (and stores the
// values in the study), and measures the games.
func Study(ctx context.Context, db *store.DB, label string, o StudyOptions) (*Report, error) {
	data, err := FromStudy(ctx, db, label)
	if err != nil {
		return nil, err
	}
	chosen := data.chosenBy()
	if o.Blind {
		o.Options.Table, o.SolveMemory = nil, -1
	}
	if o.Options.Table == nil && !o.Blind {
		within, end := o.Time.Part(0.3).Soft(ctx)
		defer end()
		table, err := campaign.Solve(within, data.Game, o.SolveMemory, o.Options.Workers)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if o.Options.Table = table; table == nil && err != nil {
			o.unsolved = err.Error()
			o.Proof = campaign.Prove(within, data.Game, campaign.ProofNodes)
		}
	}
	switch {
	case o.Oracle != nil:
	case o.Values != nil:
		within, end := o.Time.Part(0.5).Soft(ctx)
		defer end()
		o.Oracle, err = data.evaluate(within, db, *o.Values, o.Options)
		if within.Err() != nil && ctx.Err() == nil { // what was valued until then is stored
			o.Values = nil
			o.Oracle, err = oracle.Stored(ctx, db, label)
		}
	default:
		o.Oracle, err = oracle.Stored(ctx, db, label)
	}
	if err != nil {
		return nil, err
	}
	record, _, err := campaign.Stored(ctx, db, label)
	if err != nil {
		return nil, err
	}
	data.effort = record.Request.Effort
	data.ref = page.RulesWords(cmp.Or(record.Rules.Rules, label), rules.Overrides(record.Rules.Set))
	r, err := Measure(ctx, data, o.Options)
	if err != nil {
		return nil, err
	}
	unfinished := ""
	stored, all := r.stored(data.Events)
	switch fixed, most := record.Planned(data.Game, label); {
	case stored < fixed:
		unfinished = fmt.Sprintf("the study is not finished: at most %d games remain (spar balance continues it)", most-all)
	case data.open:
		unfinished = "the study is not finished: it lacks games on who wins with best play (spar balance continues it)"
	}
	for _, text := range []string{chosen, unfinished} {
		if text != "" {
			r.Warnings = slices.Insert(r.Warnings, 0, text)
		}
	}
	within, end := o.Time.Part(0.8).Soft(ctx)
	defer end()
	if o.Oracle != nil {
		err = data.follow(within, db, r, o)
	}
	if err == nil && o.PeopleGames > 0 && !data.Game.MayNotEnd() {
		r.People, err = forPeople(within, data.Game, o.PeopleGames)
		if err != nil {
			r.People = nil
		}
	}
	if within.Err() != nil && ctx.Err() == nil {
		err = nil
	}
	r.answer(data.Game) // with what is solved, and what is predicted for people
	return r, err
}

// stored returns two numbers of games of the study, including rules that differ in a knob: games in events without
// early stop, and all games.
func (r *Report) stored(events []Event) (fixed, all int64) {
	for _, e := range events {
		if all += e.Games; !e.Clear {
			fixed += e.Games
		}
	}
	return fixed, all
}

// follow adds the position values of sample games that had none.
func (d *Data) follow(ctx context.Context, db *store.DB, r *Report, o StudyOptions) error {
	var games []oracle.Game
	for _, s := range r.Samples {
		if s.Values == nil && s.Plies > s.From {
			games = append(games, oracle.Game{
				ID:      s.Game,
				Key:     s.key,
				Moves:   s.Moves,
				Opening: s.From,
			})
		}
	}
	chosen := o.Oracle.Chosen
	if o.Values != nil && len(games) > 0 {
		v := *o.Values
		v.Agent, v.Seed, v.Chosen, v.Workers = o.Oracle.Spec, o.Oracle.Seed, true, cmp.Or(v.Workers, o.Options.Workers)
		values, err := oracle.Evaluate(ctx, db, d.Label, d.Game, o.Table, games, v)
		if err != nil {
			return err
		}
		chosen = values.Games
	}
	for i := range r.Samples {
		s := &r.Samples[i]
		result, ok := engines.ParseResult(s.Result)
		if ok && s.Values == nil && len(chosen[s.Game]) == s.Plies-s.From && s.Plies > s.From {
			s.Values = courseOf(chosen[s.Game], result.Score(engines.First))
		}
	}
	return nil
}

// exactGames is the number of games of the strongest tier whose positions get exact values, if the game is solved.
const exactGames = 200

// evaluate samples games and values their positions.
func (d *Data) evaluate(ctx context.Context, db *store.DB, v oracle.Options, o Options) (*oracle.Values, error) {
	if o.Table != nil { // looking values up costs next to nothing
		v.Games = max(v.Games, exactGames)
		v.Others = max(v.Others, exactGames/2)
	}
	games, top, err := d.sample(ctx, v)
	if err != nil {
		return nil, err
	}
	if v.Agent.Type == "" {
		a := d.Agents[top]
		if v.Agent, err = oracle.Default(a.Spec, a.Budget, v.MaxIterations); err != nil {
			return nil, err
		}
	}
	v.Workers = cmp.Or(v.Workers, o.Workers, runtime.GOMAXPROCS(0))
	if v.Progress == nil && o.Progress != nil {
		v.Progress = func(done, total int64) { o.Progress("evaluating positions", done, total) }
	}
	return oracle.Evaluate(ctx, db, d.Label, d.Game, o.Table, games, v)
}

// gameKey identifies a game of some rules by its place in the plan. It is the same in every study that has the
// game.
func gameKey(event string, number int64) uint64 {
	h := fnv.New64a()
	h.Write([]byte(event)) // a hash never fails
	return h.Sum64() ^ engines.Mix(uint64(number))
}

// sample draws games of the strongest tier and of the others, or of all games if there are no tiers. Each group is
// drawn separately, by the seed and the places of the games. It also returns the name of the strongest agent.
func (d *Data) sample(ctx context.Context, v oracle.Options) (games []oracle.Game, top string, err error) {
	type drawn struct {
		key  uint64
		game oracle.Game
	}
	p := newPass(d, nil)
	chunks := make(chan chunk, 4)
	fed := make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { fed <- p.feed(ctx, chunks); close(chunks) }()
	size, others := v.Sizes()
	byGroup := map[*groupData][]drawn{}
	lowest := func(list []drawn, n int) []drawn {
		slices.SortFunc(list, func(a, b drawn) int { return cmp.Compare(a.key, b.key) })
		return list[:min(n, len(list))]
	}
	for c := range chunks {
		for i := range c.marks {
			r := &c.marks[i]
			if r.group == nil || !r.counts() || r.plies <= r.opening {
				continue
			}
			key := gameKey(d.Events[r.event].Name, r.number)
			list := append(byGroup[r.group], drawn{
				engines.Mix(uint64(v.Seed) ^ engines.Mix(key)),
				oracle.Game{ID: r.id, Key: key, Moves: c.moves[i], Opening: int(r.opening)},
			})
			if len(list) >= 4*size {
				list = lowest(list, size)
			}
			byGroup[r.group] = list
		}
	}
	if err := <-fed; err != nil {
		return nil, "", err
	}
	tiers := p.tiers()
	if len(tiers) > 0 {
		top = tiers[len(tiers)-1].Name
	}
	kind := "openings"
	for _, g := range p.groups {
		if g.kind == "mirror" || g.kind == "all" {
			kind = g.kind
		}
	}
	for _, g := range p.groups {
		if g.kind != kind {
			continue
		}
		n := others
		if kind == "all" || g.agent == top {
			n = size
		}
		for _, x := range lowest(byGroup[g], n) {
			games = append(games, x.game)
		}
	}
	return games, top, nil
}
