package balance

import (
	"context"
	"fmt"
	"hash/fnv"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"spar/arena/campaign"
	"spar/engines/solve"
)

// endKind is how a game ended, as far as its measures differ.
type endKind uint8

const (
	endWin endKind = iota
	endDraw
	endCap
	endAdjudicated
	endForfeit
)

func (k endKind) String() string {
	return [...]string{"win", "draw", "cap", "adjudicated", "forfeit"}[k]
}

// kindOf sorts the reasons of the records.
func kindOf(reason string, half uint8) endKind {
	switch {
	case strings.HasPrefix(reason, "forfeit"):
		return endForfeit
	case reason == "ply_cap" || reason == "clock":
		return endCap
	case reason == "resign" || reason == "agreed_draw" || reason == "exact":
		return endAdjudicated
	case half == 1:
		return endDraw
	}
	return endWin
}

// noGroup is the group of games that serve comparisons of agents only.
const noGroup = -1

// record is what is kept of a game: 100,000 of them take some 20 MB.
type record struct {
	id, pair, seed int64
	event          int32 // index into Data.Events
	group          int32
	first, second  int32 // indices into pass.names
	reason         int32 // index into pass.reasons
	plies, opening int32
	half           uint8 // half points of the first player: 0, 1, 2
	kind           endKind
	repeated       bool // an equal game of agents that leave nothing to chance came before
	timed          bool
	replay                    // set by the workers
	ms             [2]float32 // thinking time of both sides
	nodes          [2]int64
}

// z is the first player's score.
func (r *record) z() float64 { return float64(r.half) / 2 }

// counts tells whether the game is an observation of play.
func (r *record) counts() bool { return !r.repeated && r.kind != endForfeit }

// pass is what one pass over the games leaves.
type pass struct {
	data     *Data
	records  []record
	names    []string
	reasons  []string
	groups   []*groupData
	states   growth
	distinct int64
}

// groupData is the sums of one group while it is being collected.
type groupData struct {
	key, kind, agent string
	games, distinct  int64 // all games of the group, and those not equal to an earlier one
	repeated         int64
	forfeits         int64
	use              *boardSums
	members          []*record // observations, in the order of the study
}

type chunk struct {
	start int
	games []Game
	marks []record
}

const chunkGames = 256

// read makes the pass: one goroutine reads and tells equal games, the others replay.
func read(ctx context.Context, data *Data, table *solve.Table, workers int, progress func(done int64)) (*pass, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := &pass{data: data, states: newGrowth()}
	total := int64(0)
	for _, e := range data.Events {
		total += e.Games
	}
	p.records = make([]record, 0, total)
	work := make(chan chunk, workers)
	finished := make(chan chunk, workers)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(work)
		return p.feed(ctx, work)
	})
	replayers := make([]*replayer, workers)
	replaying, replayCtx := errgroup.WithContext(ctx)
	for i := range workers {
		r := newReplayer(data.Game, table)
		replayers[i] = r
		replaying.Go(func() error {
			for c := range work {
				for j := range c.games {
					r.run(&c.games[j], &c.marks[j])
				}
				select {
				case finished <- c:
				case <-replayCtx.Done():
					return replayCtx.Err()
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(finished)
		return replaying.Wait()
	})
	group.Go(func() error {
		waiting := map[int]chunk{}
		for c := range finished {
			for waiting[c.start] = c; ; {
				next, ok := waiting[len(p.records)]
				if !ok {
					break
				}
				delete(waiting, len(p.records))
				p.records = append(p.records, next.marks...)
				if progress != nil {
					progress(int64(len(p.records)))
				}
			}
		}
		return nil
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, r := range replayers {
		p.states.merge(&r.states)
	}
	for i, g := range p.groups {
		g.use = newBoardSums(data.Game.Cells())
		for _, r := range replayers {
			if i < len(r.use) && r.use[i] != nil {
				g.use.merge(r.use[i])
			}
		}
	}
	for i := range p.records {
		if r := &p.records[i]; r.group != noGroup && r.counts() {
			g := p.groups[r.group]
			g.members = append(g.members, r)
		}
	}
	return p, nil
}

// feed reads the games and hands them on in chunks.
func (p *pass) feed(ctx context.Context, work chan<- chunk) error {
	event := map[int64]int32{}
	mirrored := false
	for i, e := range p.data.Events {
		event[e.ID] = int32(i)
		mirrored = mirrored || e.Purpose == campaign.PurposeMirror || e.Purpose == campaign.PurposeOpenings
	}
	names, reasons, groups := interner{}, interner{}, map[string]int32{}
	type key struct {
		scope         string
		first, second int32
		hash          int64
	}
	seen := map[key]bool{}
	different := map[key]bool{}
	certain := map[string]bool{}
	for name := range p.data.Agents {
		certain[name] = p.data.certain(name)
	}
	next := chunk{}
	n := 0
	send := func() error {
		select {
		case work <- next:
			next = chunk{start: n}
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for g, err := range p.data.Games(ctx) {
		if err != nil {
			return err
		}
		at, ok := event[g.Event]
		if !ok {
			return fmt.Errorf("game %d belongs to event %d, which the study does not have", g.ID, g.Event)
		}
		purpose := p.data.Events[at].Purpose
		r := record{
			id: g.ID, pair: g.Pair, seed: g.Seed, event: at, group: noGroup, first: names.index(&p.names, g.First), second: names.index(&p.names, g.Second),
			plies: int32(g.Plies), opening: int32(g.OpeningPlies), timed: g.Timed, ms: [2]float32{float32(g.FirstMS), float32(g.SecondMS)},
			nodes: [2]int64{g.FirstNodes, g.SecondNodes},
		}
		switch g.Result {
		case "first":
			r.half = 2
		case "draw":
			r.half = 1
		case "second":
		default:
			return fmt.Errorf("game %d has the result %q", g.ID, g.Result)
		}
		r.reason, r.kind = reasons.index(&p.reasons, g.Reason), kindOf(g.Reason, r.half)
		scope := purpose
		switch {
		case !mirrored:
			scope = "all"
			r.group = p.group(groups, "all", "all", "")
		case (purpose == campaign.PurposeMirror || purpose == campaign.PurposeOpenings) && g.First == g.Second:
			kind := strings.TrimPrefix(purpose, "balance/")
			r.group = p.group(groups, kind+"/"+g.First, kind, g.First)
		}
		hash := g.Hash
		if hash == 0 {
			h := fnv.New64a()
			h.Write([]byte(g.Moves)) // a hash never fails
			hash = int64(h.Sum64())
		}
		k := key{scope, r.first, r.second, hash}
		again := seen[k]
		seen[k] = true
		everywhere := key{"", r.first, r.second, hash}
		if !different[everywhere] {
			different[everywhere] = true
			p.distinct++
		}
		r.repeated = again && certain[g.First] && certain[g.Second]
		if r.group != noGroup {
			d := p.groups[r.group]
			d.games++
			switch {
			case !again:
				d.distinct++
			case r.repeated:
				d.repeated++
			}
			if r.kind == endForfeit && !r.repeated {
				d.forfeits++
			}
		}
		next.games, next.marks = append(next.games, g), append(next.marks, r)
		n++
		if len(next.games) == chunkGames {
			if err := send(); err != nil {
				return err
			}
		}
	}
	if len(next.games) > 0 {
		return send()
	}
	return nil
}

func (p *pass) group(known map[string]int32, key, kind, agent string) int32 {
	i, ok := known[key]
	if !ok {
		i = int32(len(p.groups))
		known[key] = i
		p.groups = append(p.groups, &groupData{key: key, kind: kind, agent: agent})
	}
	return i
}

// interner numbers texts.
type interner map[string]int32

func (in interner) index(list *[]string, text string) int32 {
	i, ok := in[text]
	if !ok {
		i = int32(len(*list))
		in[text] = i
		*list = append(*list, text)
	}
	return i
}
