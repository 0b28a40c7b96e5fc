package remote

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"spar/agents"
	"spar/arena"
	"spar/engines"
)

// mute is what a coordinator has, of seven bytes, but never gives a byte of.
const mute = "mute"

// asking is a worker that can ask a coordinator for these objects, and how often it did.
func asking(t *testing.T, objects map[string]object) (p *playing, asked map[string]int) {
	t.Helper()
	s, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close(); s.Shutdown(); s.WaitForShutdown() })
	asked = map[string]int{}
	l := &link{c: &Coordinator{objects: objects}, nc: nc}
	if _, err := nc.Subscribe("test.object.me", func(m *nats.Msg) {
		var q Part
		if decode(m.Data, &q) == nil {
			asked[q.Object]++
		}
		if q.Object == hashOf([]byte(mute)) {
			reply := nats.NewMsg(m.Reply)
			reply.Header.Set(headerSize, "7")
			if err := nc.PublishMsg(reply); err != nil {
				t.Error(err)
			}
			return
		}
		l.object(m)
	}); err != nil {
		t.Fatal(err)
	}
	p = &playing{
		o:     WorkerOptions{Prefix: "test", Cache: filepath.Join(t.TempDir(), "cache"), Files: 1 << 20},
		hello: Hello{ID: "me"}, nc: nc, assets: arena.NewAssets(),
	}
	p.known = newKnown(p)
	return p, asked
}

func texts(of ...string) map[string]object {
	out := map[string]object{}
	for _, text := range of {
		out[hashOf([]byte(text))] = object{data: []byte(text), size: int64(len(text))}
	}
	return out
}

// A file is fetched once, part by part, and again only where the cache holds something else; what arrives as another is
// not kept, and the oldest files that are not in use make room.
func TestFilesOfAWorker(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789abcdef", mostPart/16) + "end" // two parts
	path := filepath.Join(t.TempDir(), "table")
	if err := os.WriteFile(path, []byte(long), 0o644); err != nil {
		t.Fatal(err)
	}
	objects := texts("short", "other")
	inFile := hashOf([]byte(long))
	objects[inFile] = object{path: path, size: int64(len(long))}
	promised, lie := hashOf([]byte("promised")), "not what was promised"
	objects[promised] = object{data: []byte(lie), size: int64(len(lie))}
	p, asked := asking(t, objects)
	ctx := context.Background()
	for range 2 { // the second time it is known
		got, err := p.known.file(ctx, inFile)
		if err != nil {
			t.Fatal(err)
		}
		if data, _ := os.ReadFile(got); string(data) != long {
			t.Errorf("%d bytes have arrived of %d", len(data), len(long))
		}
	}
	if asked[inFile] != 2 {
		t.Errorf("asked %d times for a file of two parts", asked[inFile])
	}
	// Another process finds what the cache holds, if it is what its name says.
	p.known = newKnown(p)
	if _, err := p.known.file(ctx, inFile); err != nil || asked[inFile] != 2 {
		t.Errorf("asked again for what the cache holds: %d, %v", asked[inFile], err)
	}
	short := hashOf([]byte("short"))
	if err := os.WriteFile(filepath.Join(p.o.Cache, short), []byte("spoilt"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := p.known.file(ctx, short); err != nil || asked[short] != 1 {
		t.Errorf("a spoilt file: asked %d times, %v", asked[short], err)
	} else if data, _ := os.ReadFile(got); string(data) != "short" {
		t.Errorf("a spoilt file was taken: %s", data)
	}
	for hash, want := range map[string]string{
		"../escape": `object "../escape"`, "abcd": `object "abcd"`, promised: "arrived with another hash",
		hashOf(nil): "unknown object", hashOf([]byte(mute)): "7 bytes; the limit",
	} {
		if _, err := p.known.file(ctx, hash); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", hash, err, want)
		}
	}
	if _, err := p.known.text(ctx, promised); err == nil || !strings.Contains(err.Error(), "arrived with another hash") {
		t.Errorf("a text that is another: %v", err)
	}
	if text, err := p.known.text(ctx, hashOf([]byte("other"))); err != nil || string(text) != "other" {
		t.Errorf("%s, %v", text, err)
	}
	entries, err := os.ReadDir(p.o.Cache)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v are left of two good files, %v", entries, err)
	}
	if p.o.Files = 4; true { // less than the file is long
		if _, err := p.known.file(ctx, hashOf([]byte("other"))); err == nil ||
			!strings.Contains(err.Error(), "5 bytes; the limit is 4") {
			t.Errorf("a file that is too large: %v", err)
		}
	}
}

// prepared is a coordinator that has made a task ready in which an agent plays itself.
func prepared(t *testing.T, g *engines.Game, s agents.Spec) (*Coordinator, *arena.Task) {
	t.Helper()
	assets := arena.NewAssets()
	seat := assets.Entrant(s, g, agents.Budget{})
	c := &Coordinator{o: Options{Assets: assets}, needs: map[setting]needs{}, files: map[string]string{}}
	c.ledger = newLedger(limits{}, 1)
	c.forget()
	task := &arena.Task{Rules: assets.AddRules(g), Seats: [2]arena.Entrant{seat, seat}}
	if err := c.prepare(task); err != nil {
		t.Fatal(err)
	}
	return c, task
}

// A learned evaluation comes with its agent, once; bytes that are none are refused.
func TestLearnedEvaluationOfAWorker(t *testing.T) {
	t.Parallel()
	g, err := engines.Named("ctor")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := agents.LoadSpec("minimax-2", "evaluation.file=ctor/learned")
	if err != nil {
		t.Fatal(err)
	}
	c, task := prepared(t, g, spec)
	seat := task.Seats[0]
	wire := c.wires[settingOf(task)]
	var sent workerSpec
	if err := decode(c.objects[wire.Objects[0]].data, &sent); err != nil || sent.Net == "" {
		t.Fatalf("%+v, %v", sent, err)
	}
	p, asked := asking(t, c.objects)
	if err := p.known.setting(t.Context(), &wire); err != nil {
		t.Fatal(err)
	}
	if got, err := p.assets.Spec(seat.Spec); err != nil || got.Evaluation.Net == nil ||
		got.Evaluation.Net.Hash() != spec.For(g).Evaluation.Net.Hash() || asked[sent.Net] == 0 {
		t.Errorf("%+v, %v, asked %v", got.Evaluation, err, asked)
	}
	// The same agent, with a text in place of the net.
	no := []byte("no net")
	c.objects[hashOf(no)] = object{data: no, size: int64(len(no))}
	sent.Net = hashOf(no)
	text, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	c.objects[hashOf(text)] = object{data: text, size: int64(len(text))}
	wire.Objects[0] = hashOf(text)
	if err := p.known.setting(t.Context(), &wire); err == nil || !strings.Contains(err.Error(), "agent minimax-2: ") {
		t.Errorf("a text for a net: %v", err)
	}
}
