package remote

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"spar/arena"
)

// free returns the number of games that could start soon: one for each idle goroutine, and more if games are
// short. It counts none for a goroutine whose game takes far longer than usual, since that game may never end.
func (p *playing) free(now time.Time) int {
	idle, hands := p.o.Slots-len(p.play)-len(p.queue), p.o.Slots
	for _, g := range p.play {
		if now.Sub(g.began) > max(aheadOf, 8*p.mean) {
			hands--
		}
	}
	if p.mean > 0 && p.mean < aheadOf && time.Duration(len(p.queue))*p.mean < time.Duration(hands)*aheadOf {
		return hands
	}
	return max(0, idle)
}

// busy reports whether the worker has games or unsent results. Hints are for workers without either, so a worker
// with unsent results asks again instead of waiting for a hint. The caller must hold the lock.
func (p *playing) busy() bool { return len(p.play)+len(p.queue)+len(p.done)+len(p.failed) > 0 }

// fetch keeps the queue filled. It asks for games as long as it gets some, and otherwise waits for a hint.
func (p *playing) fetch(ctx context.Context) {
	defer context.AfterFunc(ctx, p.wake)()
	turn := 0
	for {
		p.mu.Lock()
		for ctx.Err() == nil && (p.welcome.Run == "" || p.free(time.Now()) == 0) {
			p.changed.Wait()
		}
		q := Claim{Run: p.welcome.Run, Free: p.free(time.Now())}
		stream := p.welcome.Stream
		p.mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		var b Batch
		if p.say(ctx, verbClaim, q, &b, 5*time.Second) && len(b.Games) > 0 {
			p.take(ctx, q.Run, &b)
			continue
		}
		p.mu.Lock()
		consumers, busy := p.state.Consumers, p.busy()
		p.mu.Unlock()
		switch {
		case ctx.Err() != nil:
			return
		case len(consumers) == 0 || busy: // nothing to pull, or not worth waiting for
			pause(ctx, 50*time.Millisecond)
		default:
			turn++
			p.pull(ctx, stream, consumers[turn%len(consumers)], pullFor/time.Duration(len(consumers)))
		}
	}
}

// pull waits for a hint, or for news of other classes. Hints have a separate inbox. They arrive under the subject of the
// stream, so the client library would mistake a late hint for the answer to another request. A hint for an earlier
// request is still valid.
func (p *playing) pull(ctx context.Context, stream, consumer string, wait time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, wait+time.Second)
	defer cancel()
	go func() {
		select {
		case <-p.turned:
			cancel()
		case <-ctx.Done():
		}
	}()
	q := fmt.Sprintf(`{"batch":1,"expires":%d}`, wait.Nanoseconds())
	var m *nats.Msg
	var err error
	if n, _, _ := p.hints.Pending(); n == 0 { // or what was asked for earlier has come
		err = p.nc.PublishRequest("$JS.API.CONSUMER.MSG.NEXT."+stream+"."+consumer, p.hints.Subject, []byte(q))
	}
	if err == nil {
		m, err = p.hints.NextMsgWithContext(ctx)
	}
	if err != nil || m.Header.Get("Status") != "" {
		if m == nil || m.Header.Get("Status") != "408" {
			pause(ctx, 100*time.Millisecond) // there is no stream just now
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// take fetches the objects that a batch needs and adds the batch to the queue.
func (p *playing) take(ctx context.Context, run string, b *Batch) {
	tasks, err := p.known.tasks(ctx, b)
	if err != nil {
		p.o.Log(err.Error())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if run != p.welcome.Run || b.Epoch < p.epoch || p.ending {
		return
	}
	p.renew(b.Epoch)
	if err != nil {
		for _, g := range b.Games {
			p.failed = append(p.failed, Failure{arena.Slot{Event: g.Event, Number: g.Number}, clip(err.Error(), 1000)})
		}
	}
	p.queue = append(p.queue, tasks...)
	p.changed.Broadcast()
}
