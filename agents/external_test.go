package agents_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"spar/agents"
	"spar/agents/pace"
	"spar/agents/ugi"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// program is the spec of an engine in sh that does this at go.
func program(t *testing.T, atGo string, overrides ...string) agents.Spec {
	t.Helper()
	script := "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; go) " + atGo +
		";; esac; done"
	s := must.Get(agents.ParseSpec(
		"engine.yaml",
		fmt.Appendf(nil, "type: ugi\nugi: {command: sh, args: [-c, %q]}\nbudget: {depth: 1}\n", script),
		"engine",
		overrides...))(t)
	return s
}

// burn is an engine's answer that takes at least some milliseconds of processor time.
const burn = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo bestmove a1; sleep 0.2"

// onCPU is program with a budget in processor time.
func onCPU(t *testing.T, atGo, seconds string) agents.Spec {
	if !pace.HasCPU {
		t.Skip("no such clock here")
	}
	return program(t, atGo, "budget={seconds: "+seconds+", clock: cpu}")
}

// decide lets an agent move in the first position of classic, and closes it.
func decide(t *testing.T, ctx context.Context, s agents.Spec) (engines.Move, error) {
	t.Helper()
	g := enginetest.Load(t, "classic")
	a := newAgent(t, s, g)
	d, err := a.Choose(ctx, g.NewPosition(), s.Budget, rand.New(rand.NewPCG(1, 2)))
	if err := a.(agents.Closer).Close(); err != nil {
		t.Error(err)
	}
	return d.Move, err
}

// What an engine says of its move is the decision's, as far as it is legal; it is told of the rules where it asks for
// them.
func TestEnginesSayWhatTheyThink(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	script := `while read -r word a b rest; do case $word in ugi) echo option name Rules; echo option name RulesText; echo ugiok;; isready) echo readyok;;
setoption) case $b in Rules) test "$rest" = "value classic" && n=1;; RulesText) case $rest in 'value {"name":"classic",'*) n=$((n+1));; esac;; esac;;
go) echo "info depth 3 nodes 1$n wdl 500 500 0 pv b2 a1 a1"; echo bestmove b2;; esac; done`
	s := must.Get(agents.ParseSpec("engine.yaml",
		fmt.Appendf(nil, "type: ugi\nugi: {command: sh, args: [-c, %q]}\nbudget: {depth: 1}\n", script), "engine"))(t)
	a := newAgent(t, s, g)
	defer a.(agents.Closer).Close()
	d := must.Get(a.Choose(t.Context(), g.NewPosition(), s.Budget, rand.New(rand.NewPCG(1, 2))))(t)
	if got := fmt.Sprint(d.Depth, d.Nodes, d.Score, g.JoinMoves(d.PV)); got != "3 12 0.75b2 a1" &&
		got != "3 12 0.75 b2 a1" {
		t.Errorf("the engine said depth 3, 12 positions, 3/4, b2 a1 and a move that is not legal; the decision has %s",
			got)
	}
}

// A study cannot hold an expected continuation without end: 500 plies of it are kept.
func TestLongContinuation(t *testing.T) {
	t.Parallel()
	g := must.Get(engines.Load("t", []byte(`name: t
board: {columns: 3, rows: 2}
setup: [O.., X..]
movement: {steps: rook}
win: {reach: [c1]}
draw: {repetition: 0}
`)))(t)
	s := program(t, "echo info depth 1 pv $(yes a2-b2 a1-b1 b2-a2 b1-a1 | head -300); echo bestmove a2-b2")
	a := newAgent(t, s, g)
	defer a.(agents.Closer).Close()
	d := must.Get(a.Choose(t.Context(), g.NewPosition(), s.Budget, rand.New(rand.NewPCG(1, 2))))(t)
	if len(d.PV) != 500 || g.JoinMoves(d.PV[498:]) != "b2-a2 b1-a1" {
		t.Errorf("%d plies, %v", len(d.PV), g.MoveTexts(d.PV))
	}
}

// A fault has its kind, and what is no fault of the engine has none.
func TestFaultsOfEngines(t *testing.T) {
	t.Parallel()
	missing := program(t, "echo")
	missing.UGI.Command = "no-such-engine-of-spar"
	unlogged := ugi.WithHost(context.Background(), ugi.Host{Log: filepath.Join(t.TempDir(), "missing")})
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		spec agents.Spec
		kind string // of the fault
		is   error  // without one
	}{
		{"timeout", context.Background(), program(t, "sleep 100", "ugi.deadline=0.05"), "timeout", nil},
		{"crash", context.Background(), program(t, "echo oh no >&2; exit 3"), "crash", nil},
		{"garbage", context.Background(), program(t, "echo bestmove"), "garbage", nil},
		{"no move of the game", context.Background(), program(t, "echo bestmove z9"), "garbage", nil},
		{
			"start", context.Background(), program(t, "echo", "ugi.args=[-c, sleep 100]", "ugi.handshake_seconds=0.05"),
			"timeout", nil,
		},
		{"no program", context.Background(), missing, "", agents.ErrOurs},
		{"no log", unlogged, program(t, "echo bestmove a1"), "", agents.ErrOurs},
		{"cancelled", cancelled, program(t, "echo bestmove a1"), "", context.Canceled},
		{"none", context.Background(), program(t, "echo bestmove a1"), "", nil},
		{"processor time", context.Background(), onCPU(t, burn, "0.001"), "timeout", nil},
		{"processor time of a child", context.Background(), onCPU(t, "( "+burn+" )", "0.001"), "timeout", nil},
		{"enough processor time", context.Background(), onCPU(t, burn, "100"), "", nil},
		{"sleep takes no processor time", context.Background(), onCPU(t, "sleep 0.3; echo bestmove a1", "0.15"), "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			move, err := decide(t, c.ctx, c.spec)
			var fault *agents.Fault
			if errors.As(err, &fault) != (c.kind != "") || fault != nil && fault.Kind != c.kind {
				t.Errorf("%v is no fault of kind %q", err, c.kind)
			}
			if !errors.Is(err, c.is) && c.kind == "" || fault != nil && errors.Is(err, agents.ErrOurs) {
				t.Errorf("%v, want %v", err, c.is)
			}
			if err == nil && move != engines.PlaceMove(0) {
				t.Errorf("move %v, want a1", move)
			}
		})
	}
}

// An engine that will not play is found out before the first game.
func TestProbe(t *testing.T) {
	t.Parallel()
	missing := program(t, "echo")
	missing.UGI.Command = "no-such-engine-of-spar"
	for _, c := range []struct {
		name           string
		spec           agents.Spec
		starts, speaks bool // CheckCommand and Probe find nothing wrong
	}{
		{"good", program(t, "echo bestmove a1"), true, true},
		{"ours", agents.Spec{Name: "greedy", Type: "heuristic"}, true, true},
		{"missing", missing, false, false},
		{"dies", program(t, "", "ugi.args=[-c, echo no licence >&2; exit 7]"), true, false},
		{"hangs", program(t, "", "ugi.args=[-c, sleep 100]", "ugi.handshake_seconds=0.05"), true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := agents.CheckCommand(c.spec); (err == nil) != c.starts || errors.Is(err, agents.ErrOurs) {
				t.Errorf("CheckCommand: %v", err)
			}
			if err := agents.Probe(context.Background(), c.spec); (err == nil) != c.speaks || errors.Is(err, agents.ErrOurs) {
				t.Errorf("Probe: %v", err)
			}
		})
	}
}
