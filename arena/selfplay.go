package arena

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"spar/agents/patterns"
	"spar/engines"
)

// ReasonCut is the reason for the end of a training game that was stopped at the maximum length.
const ReasonCut = "cut"

// selfPlaying is the latest set-up of a player for self-play. One is enough, since the net changes with every
// batch.
type selfPlaying struct {
	how    patterns.SelfPlay
	learns *patterns.Net
	player *patterns.SelfPlayer
}

// net returns the net of a seat's agent.
func (k *Assets) net(e Entrant, g *engines.Game) (*patterns.Net, error) {
	s, err := k.Spec(e.Spec)
	if err != nil {
		return nil, err
	}
	if s.Evaluation.Net == nil {
		return nil, fmt.Errorf("agent %s has no learned evaluation for self-play", e.Name)
	}
	return s.Evaluation.Net.For(g)
}

// playSelf plays a self-play game.
func (p *Player) playSelf(ctx context.Context, g *engines.Game, t *Task) (Result, error) {
	began := time.Now()
	if err := t.SelfPlay.Check(); err != nil {
		return Result{}, fmt.Errorf("game %d of self-play: %w", t.Number, err)
	}
	net, err := p.assets.net(t.Seats[0], g)
	if err != nil {
		return Result{}, err
	}
	if p.self.how != t.SelfPlay || p.self.learns != net {
		p.self = selfPlaying{t.SelfPlay, net, patterns.NewSelfPlayer(net, t.SelfPlay)}
		p.self.player.Each = p.watch
	}
	lesson := p.self.player.Play(ctx, uint64(t.Seed), t.Stream)
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	s := g.NewState()
	random := make([]byte, len(lesson.Moves))
	for i, m := range lesson.Moves {
		s.Play(m)
		if random[i] = '0'; lesson.Random[i] {
			random[i] = '1'
		}
	}
	r := Result{
		Slot:    t.Slot,
		Rules:   t.Rules,
		Specs:   t.Specs(),
		Worker:  p.name,
		Moves:   g.JoinMoves(lesson.Moves),
		Outcome: engines.Drawn,
		Reason:  ReasonCut,
		Plies:   len(lesson.Moves),
		Hash:    gameHash(t.Rules, lesson.Moves),
		Random:  string(random),
	}
	if !lesson.Cut {
		r.Outcome, r.Reason = s.Result(), s.Reason().String()
	}
	r.taught = &lesson
	r.Spent[0] = time.Since(began)
	return r, nil
}

// acceptLesson does for self-play games what Accept does for others.
func (t *Task) acceptLesson(g *engines.Game, r *Result) error {
	lesson, end, err := r.lesson(g)
	if err != nil {
		return err
	}
	reason := ReasonCut
	switch {
	case end.Ply() > t.SelfPlay.Longest:
		return fmt.Errorf("%d plies; at most %d are possible", end.Ply(), t.SelfPlay.Longest)
	case end.Over():
		reason = end.Reason().String()
	case end.Ply() != t.SelfPlay.Longest:
		return fmt.Errorf("cut off after %d plies, not %d", end.Ply(), t.SelfPlay.Longest)
	}
	if r.Reason != reason || r.Outcome.Score(engines.First) != lesson.Result || r.Outcome == engines.Ongoing ||
		r.Faulty != 0 {
		return fmt.Errorf("its moves do not lead to the stated result: %s by %q", r.Outcome, r.Reason)
	}
	if len(r.Thoughts) > 0 || r.Nodes != [2]int64{} || r.Detail != "" || min(r.Spent[0], r.Spent[1]) < 0 {
		return errors.New("it has fields that self-play games do not have")
	}
	r.OpeningPlies = 0
	r.Plies = len(lesson.Moves)
	r.Timed = false
	r.Moves, r.Hash = g.JoinMoves(lesson.Moves), gameHash(t.Rules, lesson.Moves)
	r.taught = &lesson
	return nil
}

// Lesson returns the training data in the result of a self-play game. It returns an error for the result of
// another game.
func (r *Result) Lesson(g *engines.Game) (patterns.Lesson, error) {
	if r.taught != nil {
		return *r.taught, nil
	}
	out, _, err := r.lesson(g)
	if err != nil {
		err = fmt.Errorf("game %d of self-play: %w", r.Number, err)
	}
	return out, err
}

// lesson replays the training data of a game. It uses states without history, since repetition does not end
// self-play games.
func (r *Result) lesson(g *engines.Game) (patterns.Lesson, engines.State, error) {
	words := strings.Fields(r.Moves)
	out := patterns.Lesson{Moves: make([]engines.Move, 0, len(words)), Random: make([]bool, len(words)), Result: 0.5}
	s := g.NewState()
	if len(r.Random) != len(words) || strings.Trim(r.Random, "01") != "" {
		return out, s, fmt.Errorf("%d marks of random moves for %d moves", len(r.Random), len(words))
	}
	for i, word := range words {
		m, err := s.ParseMove(word)
		if err != nil {
			return out, s, fmt.Errorf("ply %d: %w", i+1, err)
		}
		s.Play(m)
		out.Moves, out.Random[i] = append(out.Moves, m), r.Random[i] == '1'
	}
	if out.Cut = !s.Over(); !out.Cut {
		out.Result = s.Result().Score(engines.First)
	}
	return out, s, nil
}
