package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
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
	Server      string // URL of the server
	Prefix      string `flag:"prefix=spar" help:"first word of the NATS subjects, if several coordinators share a server"`
	Name        string `flag:"name" help:"name of this machine in the study (default: its host name)"`
	Token       string
	Credentials string `flag:"credentials" help:"file of NATS credentials, if the server requires them"`
	TLS         TLS
	Slots       int                `flag:"workers" range:"[0,4096]"`
	Memory      int64              // bytes for agents; 0 = the machine's memory
	Engines     map[string]Command // programs for agents of type ugi, by the agent's name
	Log         func(string)
	Build       *Build  // build to report; nil = that of this program
	Speed       float64 // speed as the function Speed measures it; 0 = measure it
	// Wrap lets tests change results before the worker submits them. It may be nil.
	Wrap func(arena.Result) arena.Result
}

// Command is a program with its arguments.
type Command struct {
	Path string
	Args []string
}

// ErrRefused is returned if the coordinator rejects this worker.
var ErrRefused = errors.New("the coordinator refuses this worker")

// grace is the time for which unfinished games may continue after the worker was asked to stop.
const grace = 3 * time.Second

// Timing of a worker.
const (
	askEvery  = 500 * time.Millisecond // interval between attempts to get an answer
	pullFor   = 5 * time.Second        // maximum time to wait for a hint
	sendAfter = 150 * time.Millisecond // maximum time for which a result waits for others
	aheadOf   = 500 * time.Millisecond // the worker fetches more games when its queue has less work than this
)

// mostUnheard is the number of greetings without an answer after which the worker logs a message.
const mostUnheard = 3

// agent is a machine that plays for a coordinator.
type playing struct {
	o      WorkerOptions
	hello  Hello
	nc     *nats.Conn
	hints  *nats.Subscription // subscription for hints
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
	// how often done and failed were emptied because of a new coordinator or a new set of tasks
	part     int
	since    time.Time // time of the oldest result in done
	sending  bool
	mean     time.Duration // mean time of a game
	ending   bool
	games    int64
	fatal    error
	finished context.CancelCauseFunc
	boards   live.Boards
	turned   chan struct{} // signals that there are classes of tasks that the worker does not wait for yet
}

// inPlay is a game that a goroutine of the worker is playing.
type inPlay struct {
	began time.Time
	plies atomic.Int64
}

// Work plays for a coordinator until ctx ends. It then returns tasks that have not started, and continues
// unfinished games for a few seconds. If the coordinator disappears, Work waits for it. It returns the number of
// games submitted, and ErrRefused if the coordinator rejects the worker.
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
	p := &playing{
		o:      o,
		assets: arena.NewAssets(),
		play:   map[arena.Slot]*inPlay{},
		turned: make(chan struct{}, 1),
	}
	p.changed = sync.NewCond(&p.mu)
	p.hello = Hello{
		ID:     workerName(o.Name) + "-" + signature(secret),
		Slots:  o.Slots,
		Memory: o.Memory,
		System: runtime.GOOS + "/" + runtime.GOARCH,
		Speed:  o.Speed,
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

// workerName makes a name that can be part of a subject.
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

// connect connects to the server, and waits for it if necessary. Failures that will not change within a second are
// errors.
func (p *playing) connect(ctx context.Context, secret string) (*nats.Conn, error) {
	said := false
	for {
		nc, err := connect(p.o.Server, p.o.Token, p.o.Credentials, p.o.TLS,
			nats.UserInfo(p.hello.ID, secret), nats.CustomInboxPrefix("_INBOX."+p.hello.ID), nats.Name(p.hello.ID),
			nats.UseOldRequestStyle())
		switch {
		case err == nil:
			return nc, nil
		case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout), errors.Is(err, nats.ErrConnectionClosed),
			errors.As(err, new(*net.OpError)): // it may come back
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

// work plays until ctx ends or the coordinator rejects the worker.
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

// fail stops the worker with an error.
func (p *playing) fail(err error) {
	p.mu.Lock()
	p.fatal = errors.Join(p.fatal, err)
	p.mu.Unlock()
	p.finished(err)
}

// giveBack returns games that were not started.
func (p *playing) giveBack() {
	p.mu.Lock()
	p.ending, p.queue = true, nil
	b := p.beat()
	p.changed.Broadcast()
	p.mu.Unlock()
	p.bye(b)
}

// bye tells the coordinator that the worker leaves. It does not wait for a coordinator that is unreachable.
func (p *playing) bye(b Beat) {
	if p.nc.IsConnected() {
		p.say(context.Background(), verbBye, b, nil, time.Second)
	}
}

// handedIn waits until all results are submitted, for a limited time.
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

// say sends a request to the coordinator. It reports whether an answer came in time.
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

// beat returns the message with the games in progress. The caller must hold the lock.
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

// beats reports the progress of games to the coordinator and learns which classes have tasks. If there is no
// answer, or one from another coordinator, it sends a hello.
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
				p.o.Log(fmt.Sprintf("connected to %s, but no coordinator answers under the prefix %s; "+
					"waiting for one (--prefix selects another prefix)", p.o.Server, p.o.Prefix))
			}
			every = askEvery
		case !p.say(ctx, verbBeat, b, &s, 2*time.Second):
			if missed++; missed == 3 {
				p.o.Log("the coordinator does not answer; waiting for it")
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

// renew removes the games and results of a finished set of tasks, since the next set may use the same numbers. The
// caller must hold the lock.
func (p *playing) renew(epoch int64) {
	if epoch > p.epoch {
		p.epoch, p.queue, p.done, p.failed = epoch, nil, nil, nil
		p.part++
	}
}

// refresh asks players for the boards of their games if somebody watches, and waits briefly.
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

// greet sends a hello to the coordinator. If that is another one than before, greet drops the earlier one's games.
// It reports whether there was an answer.
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
	p.welcome = w
	p.epoch = 0
	p.state = State{}
	p.changed.Broadcast()
	p.mu.Unlock()
	p.o.Log(fmt.Sprintf("%s plays games for the coordinator at %s, at most %d at a time", p.hello.ID, p.o.Server, p.o.Slots))
	if w.Note != "" {
		p.o.Log(w.Note)
	}
	return true
}
