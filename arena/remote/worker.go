package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"spar/arena"
	"spar/arena/live"
)

// WorkerOptions are the conditions of a worker.
type WorkerOptions struct {
	Server      string // URL
	Prefix      string // of subjects; spar when empty
	Name        string // of the machine; empty = its host name
	Token       string
	Credentials string
	TLS         TLS
	Slots       int                // games at a time; 0 = one for each core
	Memory      int64              // bytes for agents; 0 = the machine's memory
	Files       int64              // bytes for tables; 0 = none
	Cache       string             // folder for tables
	Engines     map[string]Command // programs of agents of type ugi, by the agent's name
	Log         func(string)
	Build       *Build  // nil = the build of this program
	Speed       float64 // see the function Speed; 0 = measure it
	// Wrap lets tests change results before the worker submits them. May be nil.
	Wrap func(arena.Result) arena.Result
}

// Command is a program with its arguments.
type Command struct {
	Path string
	Args []string
}

// ErrRefused is returned if the coordinator rejects this worker.
var ErrRefused = errors.New("the coordinator refuses this worker")

// grace is how long games in play may go on after the worker was asked to end.
const grace = 3 * time.Second

// Times of a worker.
const (
	askEvery  = 500 * time.Millisecond // between attempts to be answered
	pullFor   = 5 * time.Second        // one wait for a hint
	sendAfter = 150 * time.Millisecond // results may wait for others
	aheadOf   = 500 * time.Millisecond // of the work available when more is fetched
)

// mostUnheard is how many first greetings go without an answer before the worker says so.
const mostUnheard = 3

// agent of the coordinator: a machine that plays.
type playing struct {
	o      WorkerOptions
	hello  Hello
	nc     *nats.Conn
	hints  *nats.Subscription // where hints arrive
	assets *arena.Assets
	known  known

	mu      sync.Mutex
	changed *sync.Cond
	welcome Welcome
	state   State
	epoch   int64
	queue   []arena.Task
	play    map[arena.Slot]*inPlay
	done    []arena.Result
	failed  []Failure
	// how often done and failed were emptied: what they held was for another coordinator, or for a part that is over
	part     int
	since    time.Time // of the oldest in done
	sending  bool
	mean     time.Duration // of a game
	ending   bool
	games    int64
	fatal    error
	finished context.CancelCauseFunc
	boards   live.Boards
	turned   chan struct{} // there are other kinds of work than those that are waited for
}

// inPlay is a game that one of the hands plays.
type inPlay struct {
	began time.Time
	plies atomic.Int64
}

// Work plays for a coordinator until ctx ends. Then it returns tasks that have not started, and finishes games in
// play for a few seconds. If the coordinator disappears, Work waits for it. It returns ErrRefused if the coordinator
// rejects the worker, and the number of games submitted.
func Work(ctx context.Context, o WorkerOptions) (int64, error) {
	if o.Slots == 0 {
		o.Slots = runtime.GOMAXPROCS(0)
	}
	o.Prefix = cmp.Or(o.Prefix, defaultPrefix)
	if o.Memory == 0 {
		o.Memory = machineMemory()
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	secret := rand.Text()
	p := &playing{o: o, assets: arena.NewAssets(), play: map[arena.Slot]*inPlay{}, turned: make(chan struct{}, 1)}
	defer p.assets.Close()
	p.changed = sync.NewCond(&p.mu)
	p.hello = Hello{
		ID: workerName(o.Name) + "-" + signature(secret), Slots: o.Slots, Memory: o.Memory, Files: o.Files,
		System: thisSystem(), Speed: o.Speed,
	}
	for name := range o.Engines {
		p.hello.Engines = append(p.hello.Engines, name)
	}
	var err error
	if o.Build != nil {
		p.hello.Build = *o.Build
	} else if p.hello.Build, err = ThisBuild(); err != nil {
		return 0, err
	}
	if p.hello.Speed == 0 {
		p.hello.Speed = Speed()
	}
	p.known = newKnown(p)
	if p.nc, err = p.connect(ctx, secret); err != nil {
		return 0, err
	}
	defer p.nc.Close()
	if p.hints, err = p.nc.SubscribeSync(hintsOf(p.hello.ID)); err == nil {
		err = p.hints.SetPendingLimits(1000, 1<<20)
	}
	if err != nil {
		return 0, err
	}
	return p.work(ctx)
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// workerName makes a name that may stand in subjects.
func workerName(name string) string {
	if name == "" {
		if host, err := os.Hostname(); err == nil {
			name = host
		}
	}
	name = strings.Trim(notInNames.ReplaceAllString(name, "_"), "_")
	if name == "" {
		name = "worker"
	}
	return name[:min(len(name), 24)]
}

// connect waits for the server to be there. What will not be different in a second is an error.
func (p *playing) connect(ctx context.Context, secret string) (*nats.Conn, error) {
	said := false
	for {
		nc, err := connect(p.o.Server, p.o.Token, p.o.Credentials, p.o.TLS,
			nats.UserInfo(p.hello.ID, secret), nats.CustomInboxPrefix("_INBOX."+p.hello.ID), nats.Name(p.hello.ID),
			nats.UseOldRequestStyle())
		switch {
		case err == nil:
			return nc, nil
		case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout), isNet(err):
		default:
			return nil, err
		}
		if !said {
			p.o.Log(fmt.Sprintf("waiting for %s: %v", p.o.Server, err))
			said = true
		}
		select {
		case <-time.After(askEvery):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// work plays until ctx ends or the coordinator refuses.
func (p *playing) work(ctx context.Context) (int64, error) {
	// Games outlive ctx for a while.
	hard, kill := context.WithCancelCause(context.WithoutCancel(ctx))
	p.finished = kill
	defer kill(nil)
	soft, leave := context.WithCancel(ctx)
	defer leave()
	defer context.AfterFunc(hard, func() { leave(); p.wake() })()
	var playing, talking sync.WaitGroup
	for i := range p.o.Slots {
		playing.Go(func() { p.playOn(hard, i) })
	}
	talking.Go(func() { p.fetch(soft) })
	talking.Go(func() { p.beats(hard) })
	talking.Go(func() { p.send(hard) })
	<-soft.Done()
	p.giveBack()
	over := make(chan struct{})
	go func() { playing.Wait(); close(over) }()
	select {
	case <-over:
	case <-time.After(grace):
	case <-hard.Done():
	}
	p.handedIn(time.Second)
	kill(nil)
	p.wake()
	<-over
	talking.Wait()
	p.bye(Beat{Run: p.welcome.Run})
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.games, p.fatal
}

func (p *playing) wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changed.Broadcast()
}

// fail ends the worker.
func (p *playing) fail(err error) {
	p.mu.Lock()
	p.fatal = errors.Join(p.fatal, err)
	p.mu.Unlock()
	p.finished(err)
}

// giveBack returns what is not begun.
func (p *playing) giveBack() {
	p.mu.Lock()
	p.ending, p.queue = true, nil
	b := p.beat()
	p.changed.Broadcast()
	p.mu.Unlock()
	p.bye(b)
}

// bye tells the coordinator that the worker leaves; one that is not there is not waited for.
func (p *playing) bye(b Beat) {
	if p.nc.IsConnected() {
		p.say(context.Background(), verbBye, b, nil, time.Second)
	}
}

// handedIn waits until results are submitted, but not for long.
func (p *playing) handedIn(wait time.Duration) {
	for end := time.Now().Add(wait); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		p.mu.Lock()
		left := len(p.done) + len(p.failed)
		sending := p.sending
		p.mu.Unlock()
		if left == 0 && !sending {
			return
		}
	}
}

// say asks the coordinator something, and reports whether it was answered in time.
func (p *playing) say(ctx context.Context, verb string, q, answer any, wait time.Duration) bool {
	data, err := encode(q)
	if err != nil {
		p.o.Log(fmt.Sprintf("%s: %v", verb, err))
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	m, err := p.nc.RequestWithContext(ctx, p.o.Prefix+"."+verb+"."+p.hello.ID, data)
	if err != nil {
		return false
	}
	if answer == nil {
		return true
	}
	return json.Unmarshal(m.Data, answer) == nil
}

// beat is what is being played; the lock is held.
func (p *playing) beat() Beat {
	b := Beat{Run: p.welcome.Run}
	at := map[int64]string{} // by number: of whatever event, the coordinator knows what it can be
	if p.state.Look {
		for _, board := range p.boards.Look() {
			at[board.Number] = board.Position.Text()
		}
	}
	for s, g := range p.play {
		b.Playing = append(b.Playing, Playing{s, int(g.plies.Load()), at[s.Number]})
	}
	return b
}

// beats tells the coordinator how far the games are, and hears what there is to pull. Without an answer, or with that
// of another coordinator, it says hello.
func (p *playing) beats(ctx context.Context) {
	missed, unheard, wish := 0, 0, ""
	for ctx.Err() == nil {
		p.refresh()
		p.mu.Lock()
		b, every := p.beat(), max(p.welcome.Beat, 100*time.Millisecond)
		p.mu.Unlock()
		var s State
		switch {
		case b.Run == "":
			if unheard++; !p.greet(ctx) && unheard == mostUnheard {
				p.o.Log(fmt.Sprintf("connected to %s, but no coordinator answers under the prefix %s: waiting for one (--prefix "+
					"names another)", p.o.Server, p.o.Prefix))
			}
			every = askEvery
		case !p.say(ctx, verbBeat, b, &s, 2*time.Second):
			if missed++; missed == 3 {
				p.o.Log("the coordinator does not answer: waiting for it")
			}
			every = askEvery
		case s.Epoch == sayHello:
			p.greet(ctx)
			every = askEvery
		default:
			if missed >= 3 {
				p.o.Log("the coordinator is back")
			}
			missed = 0
			if s.Barred != "" {
				p.fail(fmt.Errorf("%w: %s", ErrRefused, s.Barred))
				return
			}
			if s.Wish != "" && s.Wish != wish {
				p.o.Log(s.Wish)
			}
			wish = s.Wish
			p.mu.Lock()
			if !slices.Equal(s.Consumers, p.state.Consumers) { // what is pulled may never come
				select {
				case p.turned <- struct{}{}:
				default:
				}
			}
			p.state = s
			p.renew(s.Epoch)
			p.changed.Broadcast()
			p.mu.Unlock()
		}
		select {
		case <-time.After(every):
		case <-ctx.Done():
		}
	}
}

// renew drops games of a part that is over, and what there is to say of them: the next one may have the same numbers.
// The lock is held.
func (p *playing) renew(epoch int64) {
	if epoch > p.epoch {
		p.epoch, p.queue, p.done, p.failed = epoch, nil, nil, nil
		p.part++
	}
}

// refresh gives players some moments to show a board of a game that is not over yet, if somebody watches.
func (p *playing) refresh() {
	for range 5 {
		p.mu.Lock()
		shown := !p.state.Look
		if !shown {
			for _, board := range p.boards.Look() {
				for s := range p.play {
					shown = shown || s.Number == board.Number
				}
			}
		}
		p.mu.Unlock()
		if shown {
			return
		}
		p.boards.Refresh()
		time.Sleep(5 * time.Millisecond)
	}
}

// greet says hello to a coordinator, and forgets what another one wanted. It reports whether there was an answer.
func (p *playing) greet(ctx context.Context) bool {
	var w Welcome
	if !p.say(ctx, verbHello, p.hello, &w, 2*time.Second) || w.Run == "" {
		return false
	}
	if w.Refused != "" {
		p.fail(fmt.Errorf("%w: %s", ErrRefused, w.Refused))
		return true
	}
	p.mu.Lock()
	p.renew(p.epoch + 1)
	p.welcome, p.epoch, p.state = w, 0, State{}
	p.changed.Broadcast()
	p.mu.Unlock()
	p.o.Log(fmt.Sprintf("%s plays up to %d games at a time for the coordinator at %s", p.hello.ID, p.o.Slots, p.o.Server))
	if w.Note != "" {
		p.o.Log(w.Note)
	}
	return true
}

// free is how many games could begin soon: all that idle hands can, and, of short games, more than that. A hand whose
// game takes far longer than those before may never be done with it, and nothing is fetched ahead for it.
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

// busy reports whether games are available, or owed: hints are for those who owe nothing, so whoever has results to
// hand in asks again instead of waiting for one. The lock is held.
func (p *playing) busy() bool { return len(p.play)+len(p.queue)+len(p.done)+len(p.failed) > 0 }

// fetch keeps the queue filled: it asks for games as long as it gets some, and waits for a hint when it does not.
func (p *playing) fetch(ctx context.Context) {
	defer context.AfterFunc(ctx, p.wake)()
	ticket, turn := "", 0
	for {
		p.mu.Lock()
		for ctx.Err() == nil && (p.welcome.Run == "" || p.free(time.Now()) == 0) {
			p.changed.Wait()
		}
		q := Claim{Run: p.welcome.Run, Free: p.free(time.Now()), Ticket: ticket}
		stream := p.welcome.Stream
		p.mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		var b Batch
		ticket = ""
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
			ticket = p.pull(ctx, stream, consumers[turn%len(consumers)], pullFor/time.Duration(len(consumers)))
		}
	}
}

// pull waits for a hint, or for other kinds of work to be there, and returns where it is acknowledged. Hints have an
// inbox of their own: they arrive under the subject of the stream, so that the client would take a late one for the
// answer to whatever else was asked. One that was asked for earlier is as good, and so is a word of the coordinator
// that there is work of another kind, which nothing acknowledges.
func (p *playing) pull(ctx context.Context, stream, consumer string, wait time.Duration) string {
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
		return ""
	}
	return m.Reply
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// take puts a batch into the queue, once it has what the games need.
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
