package remote

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"spar/configs/plain"
)

// link is the coordinator's connection: it receives the messages of workers and puts hints for them into a stream.
type link struct {
	c           *Coordinator
	server      *server.Server // embedded server; nil if another process runs the server
	nc          *nats.Conn
	js          jetstream.JetStream
	stream      string
	url         string
	fingerprint string
	folder      string   // folder in which the embedded server may write; removed when the link is closed
	held        *os.File // the lock in that folder

	work  chan struct{} // has a value if hints may have to be written
	stop  context.CancelFunc
	group sync.WaitGroup
	made  map[string]bool // consumers that exist

	complaints atomic.Int64
}

// Limit on the messages from workers that wait to be processed. The server drops further messages; a worker that
// gets no answer asks again.
const mostWaiting = 5000 // number of messages of one kind

// pendingBytes returns the same limit in bytes, for messages of one kind.
func pendingBytes(verb string) int {
	if verb == verbResult {
		return 16 << 20
	}
	return 2 << 20
}

// listen starts a server or connects to one, and starts to receive messages.
func (c *Coordinator) listen(ctx context.Context) (*link, error) {
	l := &link{c: c, work: make(chan struct{}, 1), made: map[string]bool{}}
	l.stream = strings.ToUpper(strings.ReplaceAll(c.o.Prefix, ".", "-")) + "-HINTS"
	if err := l.open(ctx); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

func (l *link) open(ctx context.Context) error {
	var err error
	o := l.c.o
	if o.Server == "" {
		err = l.embed()
	} else {
		l.url = o.Server
		l.nc, err = connectOut(o)
	}
	if err != nil {
		return err
	}
	if l.js, err = jetstream.New(l.nc, jetstream.WithPublishAsyncErrHandler(func(jetstream.JetStream, *nats.Msg,
		error) {
	})); err != nil {
		return err
	}
	if err := l.renew(ctx); err != nil {
		return err
	}
	if _, err := l.nc.Subscribe(o.Prefix+".coordinator",
		func(m *nats.Msg) { _ = m.Respond([]byte(l.c.run)) }); err != nil {
		return err
	}
	for verb, hear := range map[string]func(id string, m *nats.Msg) (any, error){
		verbHello: l.hello, verbBeat: l.beat, verbClaim: l.claim, verbResult: l.result, verbBye: l.bye,
	} {
		sub, err := l.nc.Subscribe(o.Prefix+"."+verb+".*", func(m *nats.Msg) { l.answer(m, hear) })
		if err != nil {
			return err
		}
		if err := sub.SetPendingLimits(mostWaiting, pendingBytes(verb)); err != nil {
			return err
		}
	}
	objects, err := l.nc.Subscribe(o.Prefix+"."+verbObject+".*", l.object)
	if err == nil {
		err = objects.SetPendingLimits(mostWaiting, pendingBytes(verbObject))
	}
	if err != nil {
		return err
	}
	if err := l.nc.Flush(); err != nil {
		return err
	}
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	l.group.Go(func() { l.hints(ctx) })
	return nil
}

// renew makes a new stream of hints. Old hints are lost, which does no harm, because the study shows which games
// are missing.
func (l *link) renew(ctx context.Context) error {
	err := patiently(ctx, func(ctx context.Context) error {
		err := l.js.DeleteStream(ctx, l.stream)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			return nil
		}
		return err
	})
	if err == nil {
		err = patiently(ctx, func(ctx context.Context) error {
			_, err := l.js.CreateStream(ctx, jetstream.StreamConfig{
				Name: l.stream, Subjects: []string{l.c.o.Prefix + "." + verbTicket + ".>"},
				Storage:  jetstream.MemoryStorage,
				MaxBytes: mostStream, MaxMsgSize: 1 << 10, MaxAge: time.Minute,
			})
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("JetStream of %s: %w", l.url, err)
	}
	clear(l.made)
	return nil
}

// patiently repeats a request for up to ten seconds if the server did not answer in two seconds or is not ready. A
// cluster does not answer while it chooses a leader, and a new leader may not have found the other servers yet.
func patiently(ctx context.Context, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	for {
		one, done := context.WithTimeout(ctx, startWait/5)
		err := ask(one)
		done()
		if !errors.Is(err, context.DeadlineExceeded) && !unready(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(startWait / 200):
		}
	}
}

// unready reports whether JetStream refused a request only because its servers are still connecting.
func unready(err error) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) &&
		slices.Contains([]jetstream.ErrorCode{
			jetstream.ErrorCode(server.JSClusterNoPeersErrF),
			jetstream.ErrorCode(server.JSClusterNotAvailErr),
		}, refused.ErrorCode)
}

// close ends the connection, and the server if it is embedded.
func (l *link) close() error {
	if l.stop != nil {
		l.stop()
		l.group.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = l.js.DeleteStream(ctx, l.stream) // nothing depends on it
	}
	if l.nc != nil {
		l.nc.Close()
	}
	return l.unembed()
}

// answer handles a message and replies if a reply is expected. It ignores messages that it cannot parse; the worker
// will ask again.
func (l *link) answer(m *nats.Msg, hear func(string, *nats.Msg) (any, error)) {
	id := m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]
	if !workerForm.MatchString(id) {
		return
	}
	reply, err := hear(id, m)
	if err != nil {
		l.complain(id, err)
		return
	}
	if m.Reply == "" || reply == nil {
		return
	}
	data, err := encode(reply)
	if err == nil {
		err = m.Respond(data)
	}
	if err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
		l.complain(id, err)
	}
}

// mostComplaints is the maximum number of invalid messages that are logged, so that a worker cannot flood the log.
const mostComplaints = 20

func (l *link) complain(id string, err error) {
	switch n := l.complaints.Add(1); {
	case n < mostComplaints:
		l.c.o.Log(fmt.Sprintf("worker %s: %s", id, plain.Line(clip(err.Error(), 200))))
	case n == mostComplaints:
		l.c.o.Log(fmt.Sprintf("worker %s: %s; further messages "+
			"of this kind are not shown", id, plain.Line(clip(err.Error(), 200))))
	}
}

// consumer returns the name of the consumer of a class of tasks.
func consumer(key string) string {
	h := fnv.New64a()
	h.Write([]byte(key)) // a hash never fails
	return fmt.Sprintf("c%016x", h.Sum64())
}

// hintsOf returns the subject on which a worker receives hints.
func hintsOf(id string) string { return "_INBOX." + id + ".hints" }

// hint asks for new hints, which tell workers that there is work, and does not wait for them.
func (l *link) hint() {
	if l == nil {
		return
	}
	select {
	case l.work <- struct{}{}:
	default:
	}
}

// purge removes the hints of finished tasks.
func (l *link) purge() {
	if l == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if s, err := l.js.Stream(ctx, l.stream); err == nil {
		_ = s.Purge(ctx) // a hint too many leads to an empty claim
	}
}

// hints keeps one hint in the stream for each waiting worker, while there are tasks for it.
func (l *link) hints(ctx context.Context) {
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.work:
		}
		pause := 2*time.Millisecond - time.Since(last)
		if pause > 0 { // many tasks come at once
			time.Sleep(pause)
		}
		last = time.Now()
		wanted, elsewhere := l.c.wanted()
		for _, id := range elsewhere {
			_ = l.nc.Publish(hintsOf(id), nil) // a worker that does not hear of it says so with its next beat
		}
		for key, n := range wanted {
			if err := l.write(ctx, key, n); err != nil && ctx.Err() == nil {
				l.c.o.Log(fmt.Sprintf("cannot tell workers that there is work: %v; Spar recreates the stream", err))
				if err := l.renew(ctx); err != nil && ctx.Err() == nil {
					l.c.o.Log(fmt.Sprintf("cannot tell workers that there is work: %v", err))
				}
			}
		}
	}
}

// write adds hints of a class to the stream until n are there that no worker has fetched.
func (l *link) write(ctx context.Context, key string, n int) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	name := consumer(key)
	subject := l.c.o.Prefix + "." + verbTicket + "." + name
	if !l.made[name] {
		_, err := l.js.CreateOrUpdateConsumer(ctx, l.stream, jetstream.ConsumerConfig{
			Durable:         name,
			FilterSubject:   subject,
			AckPolicy:       jetstream.AckNonePolicy,
			MaxRequestBatch: 1,
			MemoryStorage:   true,
		})
		if err != nil {
			return err
		}
		l.made[name] = true
	}
	at, err := l.js.Consumer(ctx, l.stream, name)
	if err != nil {
		return err
	}
	for range n - int(at.CachedInfo().NumPending) {
		if _, err := l.js.Publish(ctx, subject, []byte{'1'}); err != nil {
			return err
		}
	}
	return nil
}

// wanted returns the number of workers that wait for each class with tasks, by its key. It also returns the
// workers that do not know of such a class yet and wait only for others. Both results are empty if there are no
// tasks.
func (c *Coordinator) wanted() (hints map[string]int, elsewhere []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	hints = map[string]int{}
	now := time.Now()
	for key, k := range c.ledger.classes {
		if !k.tidy() {
			continue
		}
		n := 0
		most := len(k.requeued) + len(k.queue)
		name := consumer(key)
		for id, w := range c.ledger.workers {
			if n < most && c.ledger.plays(w, now) && len(w.holds) == 0 && c.serves(w, k) && c.ledger.suits(k, id, now) {
				n++
				if !slices.Contains(w.told, name) {
					elsewhere = append(elsewhere, id)
				}
			}
		}
		if n > 0 {
			hints[key] = n
		}
	}
	return hints, elsewhere
}

// serves reports whether a worker meets the needs of a class.
func (c *Coordinator) serves(w *worker, k *class) bool { return w.serves(k.needs, c.equal(w.Speed)) }

// equal reports whether a machine may play games with time budgets.
func (c *Coordinator) equal(speed float64) bool {
	return c.o.Scale || speed > 0.8*c.speed && speed < 1.25*c.speed
}
