package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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
	p = &playing{o: WorkerOptions{Prefix: "test", Cache: filepath.Join(t.TempDir(), "cache"), Files: 1 << 20}, hello: Hello{ID: "me"}, nc: nc, kit: arena.NewKit()}
	t.Cleanup(p.kit.Close)
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

// A file is fetched once, part by part, and again only where the cache holds something else; what arrives as another is not kept, and the
// oldest files that are not in use make room.
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
		"../escape": `object "../escape"`, "abcd": `object "abcd"`, promised: "has arrived as another", hashOf(nil): "no such object here", hashOf([]byte(mute)): "7 bytes, at most",
	} {
		if _, err := p.known.file(ctx, hash); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", hash, err, want)
		}
	}
	if _, err := p.known.text(ctx, promised); err == nil || !strings.Contains(err.Error(), "has arrived as another") {
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
		if _, err := p.known.file(ctx, hashOf([]byte("other"))); err == nil || !strings.Contains(err.Error(), "5 bytes, at most 4 are taken") {
			t.Errorf("a file that is too large: %v", err)
		}
	}
}

// The oldest files go first, those in use never, and none while there is room.
func TestCacheMakesRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		most  int64
		inUse string
		left  string
	}{
		{40, "", "abcd"}, {39, "", "bcd"}, {30, "", "bcd"}, {20, "", "cd"}, {0, "", ""}, {20, "a", "ad"}, {20, "b", "bd"}, {1, "d", "d"},
	} {
		k := newKnown(&playing{o: WorkerOptions{Cache: t.TempDir(), Files: c.most}})
		for i, name := range []string{"a", "b", "c", "d"} { // from the oldest to the newest, ten bytes each
			path := filepath.Join(k.p.o.Cache, name)
			if err := os.WriteFile(path, make([]byte, 10), 0o644); err != nil {
				t.Fatal(err)
			}
			at := time.Unix(int64(1000+i), 0)
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Mkdir(filepath.Join(k.p.o.Cache, "folder"), 0o755); err != nil { // is none of its files
			t.Fatal(err)
		}
		if c.inUse != "" {
			k.files[c.inUse] = "in use"
		}
		if err := k.makeRoom(); err != nil {
			t.Error(err)
		}
		entries, err := os.ReadDir(k.p.o.Cache)
		if err != nil {
			t.Fatal(err)
		}
		left := ""
		for _, e := range entries {
			if !e.IsDir() {
				left += e.Name()
			}
		}
		if left != c.left {
			t.Errorf("at most %d bytes, %q in use: %q are left, want %q", c.most, c.inUse, left, c.left)
		}
	}
}

// What an agent needs of a machine is the machine's own: its program is named there, its table is the one that was sent. An agent whose
// program, table or net is not there is refused, with the reason.
func TestAgentsOfAWorker(t *testing.T) {
	t.Parallel()
	g, err := engines.Named("classic")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		spec  string
		table string // as it was sent
		want  string // of the error
		check func(s agents.Spec) bool
	}{
		"greedy": {`{"name": "x", "type": "greedy"}`, "", "", func(s agents.Spec) bool { return s.Type == "greedy" && s.Perfect.File == "" }},
		"a program": {`{"name": "engine", "type": "ugi", "ugi": {"command": "/bin/theirs", "dir": "/theirs"}}`, "", "", func(s agents.Spec) bool {
			return s.UGI.Command == "/bin/ours" && s.UGI.Dir == "" && slices.Equal(s.UGI.Args, []string{"-q"})
		}},
		"not here":     {`{"name": "stranger", "type": "ugi", "ugi": {"command": "/bin/theirs"}}`, "", "--engine stranger=COMMAND", nil},
		"a table":      {`{"name": "x", "type": "perfect", "perfect": {"table": "/theirs/t.spar"}}`, "the table", "", func(s agents.Spec) bool { data, _ := os.ReadFile(s.Perfect.File); return string(data) == "the table" }},
		"none sent":    {`{"name": "x", "type": "perfect", "perfect": {"table": "/theirs/t.spar"}}`, "", "a table that was not sent", nil},
		"no net":       {`{"name": "x", "type": "greedy", "evaluation": {"file": "/theirs/net"}}`, "", "not sent", nil},
		"half a spec":  {`{"name": 7}`, "", "cannot unmarshal", nil},
		"not our kind": {`[]`, "", "cannot unmarshal", nil},
	} {
		objects := texts(c.table)
		sent := workerSpec{Spec: json.RawMessage(c.spec)}
		if c.table != "" {
			sent.Table = hashOf([]byte(c.table))
		}
		text, err := json.Marshal(sent)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(objects, texts(string(text)))
		p, _ := asking(t, objects)
		p.o.Engines = map[string]Command{"engine": {"/bin/ours", []string{"-q"}}}
		key := [2]string{g.RulesHash(), hashOf(text)}
		err = p.known.spec(context.Background(), key, g)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) || p.known.specs[key] != "" {
				t.Errorf("%s: %v, want %s", name, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s, ok := p.kit.Spec(p.known.specs[key]); !ok || !c.check(s) {
			t.Errorf("%s: %t, %+v", name, ok, s)
		}
	}
}

// A part of an object is at most so long and begins where it is asked for, from memory as from a file.
func TestPartOfAnObject(t *testing.T) {
	t.Parallel()
	data := bytes.Repeat([]byte("0123456789"), mostPart/10+1) // a little more than a part
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	size := int64(len(data))
	for name, o := range map[string]object{"memory": {data: data, size: size}, "file": {path: path, size: size}} {
		for _, c := range []struct{ from, n int64 }{{0, mostPart}, {3, mostPart}, {mostPart, size - mostPart}, {size - 1, 1}, {size, 0}} {
			part, all, err := o.part(c.from)
			if err != nil || all != size || !bytes.Equal(part, data[c.from:c.from+c.n]) {
				t.Errorf("%s from %d: %d bytes of %d, %v; want %d", name, c.from, len(part), all, err, c.n)
			}
		}
		for _, from := range []int64{-1, size + 1} {
			if _, _, err := o.part(from); err == nil {
				t.Errorf("%s from %d is given", name, from)
			}
		}
	}
	if part, _, err := (object{path: path, size: size + 5}).part(size); err != nil || len(part) != 5 { // it has become shorter: the hash will tell
		t.Errorf("a file that has become shorter: %d bytes, %v", len(part), err)
	}
	if _, _, err := (object{path: path + "x", size: 1}).part(0); err == nil {
		t.Error("a file that is gone is given")
	}
}

// What a task names is made ready once: its rules and agents as texts, its tables as files, which are what it needs room for; no path of this
// machine goes on the wire. What nobody gave is named.
func TestPrepare(t *testing.T) {
	t.Parallel()
	g, err := engines.Named("classic")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	exact, perfect := filepath.Join(dir, "exact"), filepath.Join(dir, "perfect")
	for path, n := range map[string]int{exact: 100, perfect: 30} {
		if err := os.WriteFile(path, bytes.Repeat([]byte{byte(n)}, n), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kit := arena.NewKit()
	defer kit.Close()
	rules := kit.AddRules(g)
	plain, tabled := agents.DefaultSpec(), agents.DefaultSpec()
	plain.Name, plain.Type, tabled.Name, tabled.Type, tabled.Perfect.Table, tabled.Perfect.File = "plain", "random", "tabled", "perfect", perfect, perfect
	kit.AddSpec("plain", plain)
	kit.AddSpec("tabled", tabled)
	c := &Coordinator{o: Options{Kit: kit}, needs: map[setting]needs{}, files: map[string]string{}}
	c.ledger = newLedger(limits{}, 1)
	c.forget()
	task := func(rules, first, second, table string) *arena.Task {
		return &arena.Task{Rules: rules, Seats: [2]arena.Entrant{{Name: "A", Spec: first}, {Name: "B", Spec: second}}, Adjudicate: arena.Adjudge{Table: table}}
	}
	for name, x := range map[string]struct {
		task  *arena.Task
		files int64 // bytes, as a power of 2
		want  string
	}{
		"plain":         {task(rules, "plain", "plain", ""), 0, ""},
		"a table":       {task(rules, "plain", "plain", exact), 128, ""},
		"two tables":    {task(rules, "plain", "tabled", exact), 256, ""}, // 130 bytes
		"one and one":   {task(rules, "tabled", "tabled", ""), 64, ""},
		"no rules":      {task("none", "plain", "plain", ""), 0, "no rules with the hash none"},
		"no agent":      {task(rules, "plain", "nobody", ""), 0, "no agent with the hash nobody"},
		"no such table": {task(rules, "plain", "plain", exact+"x"), 0, "no such file"},
	} {
		err := c.prepare(x.task)
		if (err != nil) != (x.want != "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", name, err, x.want)
		}
		if err != nil {
			continue
		}
		s := settingOf(x.task)
		wire, needed := c.wires[s], c.needs[s]
		if needed.Files != x.files || wire.Adjudicate.Table != "" || (wire.Table != "") != (x.task.Adjudicate.Table != "") || wire.Table != "" && c.objects[wire.Table].path != exact {
			t.Errorf("%s: needs %+v, table %q", name, needed, wire.Table)
		}
		if text := c.objects[wire.Object].data; hashOf(text) != wire.Object || string(text) != g.Rules().Canonical() {
			t.Errorf("%s: the rules %s", name, text)
		}
		for side, hash := range wire.Objects {
			var sent workerSpec
			if err := decode(c.objects[hash].data, &sent); err != nil || (sent.Table != "") != (x.task.Seats[side].Spec == "tabled") || sent.Table != "" && c.objects[sent.Table].size != 30 {
				t.Errorf("%s: the agent %d: %+v, %v", name, side, sent, err)
			}
		}
		if err := c.prepare(x.task); err != nil {
			t.Errorf("%s again: %v", name, err)
		}
	}
}

// prepared is a coordinator that has made a task ready in which an agent plays itself.
func prepared(t *testing.T, g *engines.Game, s agents.Spec) (*Coordinator, *arena.Task) {
	t.Helper()
	kit := arena.NewKit()
	t.Cleanup(kit.Close)
	seat := kit.Entrant(s, g, agents.Budget{})
	c := &Coordinator{o: Options{Kit: kit}, needs: map[setting]needs{}, files: map[string]string{}}
	c.ledger = newLedger(limits{}, 1)
	c.forget()
	task := &arena.Task{Rules: kit.AddRules(g), Seats: [2]arena.Entrant{seat, seat}}
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
	if got, ok := p.kit.Spec(seat.Spec); !ok || got.Evaluation.Net == nil || got.Evaluation.Net.Hash() != spec.For(g).Evaluation.Net.Hash() || asked[sent.Net] == 0 {
		t.Errorf("%+v, %t, asked %v", got.Evaluation, ok, asked)
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

// A worker gets the rules and agents of a setting at the first asking, each once, and takes none that is not what was promised.
func TestSettingOfAWorker(t *testing.T) {
	t.Parallel()
	g, err := engines.Named("classic")
	if err != nil {
		t.Fatal(err)
	}
	spec := agents.DefaultSpec()
	spec.Name, spec.Type = "someone", "random"
	c, task := prepared(t, g, spec)
	seat := task.Seats[0]
	p, asked := asking(t, c.objects)
	for range 2 {
		wire := c.wires[settingOf(task)]
		if err := p.known.setting(t.Context(), &wire); err != nil {
			t.Fatal(err)
		}
		if got, ok := p.kit.Spec(seat.Spec); !ok || got.Name != "someone" {
			t.Errorf("%+v, %t", got, ok)
		}
		if len(asked) != 2 || asked[wire.Object] != 1 || asked[wire.Objects[0]] != 1 {
			t.Errorf("asked %v", asked)
		}
	}
	for name, spoil := range map[string]func(*wireSetting){
		"rules with the hash other were promised":    func(s *wireSetting) { s.Rules = "other" },
		"agent someone: the hash other was promised": func(s *wireSetting) { s.Seats[1].Spec = "other" },
		"agent someone: object e3b0c44":              func(s *wireSetting) { s.Objects[1] = hashOf(nil) },
	} {
		wire := c.wires[settingOf(task)]
		spoil(&wire)
		if err := p.known.setting(t.Context(), &wire); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
}
