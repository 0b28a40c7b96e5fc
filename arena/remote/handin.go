package remote

import (
	"context"
	"slices"
	"strings"
	"time"

	"spar/arena"
)

// playOn plays games from the queue in one of the worker's goroutines.
func (p *playing) playOn(ctx context.Context, hand int) {
	var game *inPlay
	player := arena.NewPlayer(p.assets, p.hello.ID).Watch(func() {
		game.plies.Add(1)
	}).Show(&p.boards, hand)
	defer player.Close()
	for {
		p.mu.Lock()
		for len(p.queue) == 0 && ctx.Err() == nil && !p.ending {
			p.changed.Wait()
		}
		if len(p.queue) == 0 || ctx.Err() != nil {
			p.mu.Unlock()
			return
		}
		t := p.queue[0]
		p.queue = p.queue[1:]
		game = &inPlay{began: time.Now()}
		p.play[t.Slot] = game
		run, epoch := p.welcome.Run, p.epoch
		p.changed.Broadcast()
		p.mu.Unlock()
		r, err := player.Play(ctx, &t)
		if err == nil && p.o.Wrap != nil {
			r = p.o.Wrap(r)
		}
		p.mu.Lock()
		if p.play[t.Slot] == game { // the next part may have a game with the same number by now
			delete(p.play, t.Slot)
		}
		now := time.Now()
		p.mean = (7*p.mean + now.Sub(game.began)) / 8
		if run == p.welcome.Run && epoch == p.epoch && ctx.Err() == nil {
			p.keep(r, t.Slot, err, now)
		}
		p.changed.Broadcast()
		p.mu.Unlock()
	}
}

// keep adds the result of a game, or its failure, to those to be submitted. If it is the first, the waiting time
// starts.
func (p *playing) keep(r arena.Result, slot arena.Slot, err error, now time.Time) {
	if len(p.done)+len(p.failed) == 0 {
		p.since = now
	}
	if err != nil {
		p.failed = append(p.failed, Failure{slot, clip(err.Error(), 1000)})
		p.o.Log(err.Error())
		return
	}
	r.Detail = clip(r.Detail, 4000)
	p.done = append(p.done, r)
}

// due reports whether results should be submitted now: there are enough, the first has waited long enough, or
// there is nothing else to play.
func (p *playing) due(now time.Time) bool {
	n := len(p.done) + len(p.failed)
	return n >= 256 || n > 0 && (len(p.queue) == 0 || now.Sub(p.since) >= sendAfter)
}

// clip returns a text, shortened to a maximum length.
func clip(s string, most int) string { return strings.ToValidUTF8(s[:min(len(s), most)], "") }

// send submits results, as many at a time as fit into a message, until each has an answer.
func (p *playing) send(ctx context.Context) {
	tick := time.NewTicker(sendAfter / 2)
	defer tick.Stop()
	go func() {
		for {
			select {
			case <-tick.C:
				p.wake()
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		p.mu.Lock()
		for !p.due(time.Now()) && ctx.Err() == nil {
			p.changed.Wait()
		}
		if ctx.Err() != nil {
			p.mu.Unlock()
			return
		}
		rs := Results{
			Run: p.welcome.Run, Epoch: p.epoch, Failed: p.failed[:min(len(p.failed), 100)],
			Results: slices.Clone(p.done[:fitting(p.done)]),
		}
		part := p.part
		p.sending = true
		p.mu.Unlock()
		var receipt Receipt
		for !p.say(ctx, verbResult, rs, &receipt, 10*time.Second) && ctx.Err() == nil && p.run() == rs.Run {
			pause(ctx, askEvery)
		}
		p.mu.Lock()
		p.sending = false
		if receipt.Run == rs.Run && receipt.Refused == "" {
			p.games += int64(len(rs.Results))
		} else if part == p.part {
			p.o.Log("the coordinator rejected results: " + receipt.Refused)
		}
		if part == p.part {
			p.done = p.done[len(rs.Results):]
			p.failed = p.failed[len(rs.Failed):]
		}
		p.mu.Unlock()
	}
}

func (p *playing) run() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.welcome.Run
}

// fitting returns how many results, from the first one, fit into a message; at least one.
func fitting(done []arena.Result) int {
	size := 0
	for i := range done {
		if size += resultSize(&done[i]); size > mostResults {
			return max(i, 1)
		}
	}
	return len(done)
}

// resultSize returns the approximate size of a result in a message, in bytes.
func resultSize(r *arena.Result) int {
	n := 600 + len(r.Moves) + len(r.Random) + len(r.Detail)
	for i := range r.Thoughts {
		n += 150 + len(r.Thoughts[i].PV)
	}
	return n
}
