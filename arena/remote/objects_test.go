package remote

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"spar/agents"
	"spar/arena"
	"spar/configs/must"
	"spar/configs/plain"
	"spar/engines"
)

// mute is what a coordinator has, of seven bytes, but never gives a byte of.
const mute = "mute"

// asking is a worker that can ask a coordinator for these objects, and how often it did.
func asking(t *testing.T, objects map[string][]byte) (p *playing, asked map[string]int) {
	t.Helper()
	s := must.Get(server.NewServer(&server.Options{DontListen: true, NoSigs: true, NoLog: true}))(t)
	s.Start()
	nc := must.Get(nats.Connect("", nats.InProcessServer(s)))(t)
	t.Cleanup(func() { nc.Close(); s.Shutdown(); s.WaitForShutdown() })
	asked = map[string]int{}
	l := &link{c: &Coordinator{objects: objects}, nc: nc}
	must.Get(nc.Subscribe("test.object.me", func(m *nats.Msg) {
		var q Part
		if decode(m.Data, &q) == nil {
			asked[q.Object]++
		}
		if q.Object == plain.Hash([]byte(mute)) {
			reply := nats.NewMsg(m.Reply)
			reply.Header.Set(headerSize, "7")
			if err := nc.PublishMsg(reply); err != nil {
				t.Error(err)
			}
			return
		}
		l.object(m)
	}))(t)
	p = &playing{
		o:     WorkerOptions{Prefix: "test"},
		hello: Hello{ID: "me"}, nc: nc, assets: arena.NewAssets(),
	}
	p.known = newKnown(p)
	return p, asked
}

func texts(of ...string) map[string][]byte {
	out := map[string][]byte{}
	for _, text := range of {
		out[plain.Hash([]byte(text))] = []byte(text)
	}
	return out
}

// An object is fetched part by part; what arrives as another is refused.
func TestObjectsOfAWorker(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789abcdef", mostPart/16) + "end" // two parts
	objects := texts(long, "")
	promised := plain.Hash([]byte("promised"))
	objects[promised] = []byte("not what was promised")
	p, asked := asking(t, objects)
	if got, err := p.known.text(t.Context(), plain.Hash([]byte(long))); err != nil || string(got) != long ||
		asked[plain.Hash([]byte(long))] != 2 {
		t.Errorf("%d bytes have arrived of %d, in %d parts: %v", len(got), len(long), asked[plain.Hash([]byte(long))], err)
	}
	for hash, want := range map[string]string{
		"../escape": "unknown object", promised: "arrived with a wrong hash", plain.Hash([]byte(mute)): "7 bytes; the limit",
	} {
		must.Refuse(p.known.text(t.Context(), hash))(t, want)
	}
}

// Games with a table that is a file here go to no other machine.
func TestTablesStayHere(t *testing.T) {
	t.Parallel()
	spec := must.Get(agents.LoadSpec("perfect"))(t)
	spec.Perfect.Table = "classic.table"
	for i, n := range []needs{
		needsOf(&arena.Task{}, [2]agents.Spec{{}, spec}),
		needsOf(&arena.Task{Setting: arena.Setting{Adjudicate: arena.Adjudge{Exact: 1, Table: "x"}}}, [2]agents.Spec{}),
	} {
		if h := (Hello{Slots: 1}); !n.Here || h.serves(n, true) {
			t.Errorf("%d: another machine serves %+v", i, n)
		}
	}
}

// prepared is a coordinator that has made a task ready in which an agent plays itself.
func prepared(t *testing.T, g *engines.Game, s agents.Spec) (*Coordinator, *arena.Task) {
	t.Helper()
	assets := arena.NewAssets()
	seat := assets.Entrant(s, g, agents.Budget{})
	c := &Coordinator{o: Options{Assets: assets}, needs: map[arena.Setting]needs{}}
	c.ledger = newLedger(limits{}, 1)
	c.forget()
	task := &arena.Task{Setting: arena.Setting{Rules: assets.AddRules(g), Seats: [2]arena.Entrant{seat, seat}}}
	must.Do(t, c.prepare(task))
	return c, task
}

// A learned evaluation comes with its agent, once; bytes that are none are refused.
func TestLearnedEvaluationOfAWorker(t *testing.T) {
	t.Parallel()
	g := must.Get(engines.Named("ctor"))(t)
	spec := must.Get(agents.LoadSpec("minimax-2", "evaluation.file=ctor/learned"))(t)
	c, task := prepared(t, g, spec)
	seat := task.Seats[0]
	wire := c.wires[task.Setting]
	var sent workerSpec
	if err := decode(c.objects[wire.Objects[0]], &sent); err != nil || sent.Net == "" {
		t.Fatalf("%+v, %v", sent, err)
	}
	p, asked := asking(t, c.objects)
	must.Do(t, p.known.setting(t.Context(), &wire))
	if got, err := p.assets.Spec(seat.Spec); err != nil || got.Evaluation.Net == nil ||
		got.Evaluation.Net.Hash() != spec.For(g).Evaluation.Net.Hash() || asked[sent.Net] == 0 {
		t.Errorf("%+v, %v, asked %v", got.Evaluation, err, asked)
	}
	// The same agent, with a text in place of the net.
	no := []byte("no net")
	c.objects[plain.Hash(no)] = no
	sent.Net = plain.Hash(no)
	text := must.Get(json.Marshal(sent))(t)
	c.objects[plain.Hash(text)] = text
	wire.Objects[0] = plain.Hash(text)
	must.Fail(t, p.known.setting(t.Context(), &wire), "agent minimax-2: ")
}
