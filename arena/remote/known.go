package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"spar/agents"
	"spar/agents/patterns"
	"spar/arena"
	"spar/configs/plain"
	"spar/engines"
)

// known makes tasks from batches. It fetches the objects that they refer to: rules, agents and nets. It must be used by
// one goroutine only.
type known struct {
	p     *playing
	rules map[string]string    // hash of the rules of each known object
	specs map[[2]string]string // hash of each known agent, by object and rules
	learn []string             // hashes of agents whose nets are being learned, the latest last
}

// Limits on the number of remembered objects.
const (
	mostKnown   = 2000 // maximum number of agents
	mostLearned = 4    // maximum number of agents whose nets are being learned; every batch has another net
)

func newKnown(p *playing) known {
	return known{p, map[string]string{}, map[[2]string]string{}, nil}
}

// tasks returns the tasks of a batch, or none if an object is missing.
func (k *known) tasks(ctx context.Context, b *Batch) ([]arena.Task, error) {
	for i := range b.Settings {
		if err := k.setting(ctx, &b.Settings[i]); err != nil {
			return nil, err
		}
	}
	out := make([]arena.Task, 0, len(b.Games))
	for _, g := range b.Games {
		if g.Setting < 0 || g.Setting >= len(b.Settings) {
			return nil, fmt.Errorf("game %d names a setting that its batch does not contain", g.Number)
		}
		s := &b.Settings[g.Setting]
		out = append(out, arena.Task{
			Slot:    arena.Slot{Event: g.Event, Number: g.Number},
			Setting: s.Setting,
			Opening: g.Opening,
			Stream:  g.Stream,
		})
	}
	return out, nil
}

// setting fetches the objects of a setting.
func (k *known) setting(ctx context.Context, s *wireSetting) error {
	if k.rules[s.Object] == "" {
		text, err := k.text(ctx, s.Object)
		if err != nil {
			return fmt.Errorf("rules: %w", err)
		}
		g, err := engines.Stored(string(text))
		if err != nil {
			return fmt.Errorf("rules: %w", err)
		}
		k.rules[s.Object] = k.p.assets.AddRules(g)
	}
	if k.rules[s.Object] != s.Rules {
		return fmt.Errorf("the rules do not have the hash %s", s.Rules)
	}
	g, _ := k.p.assets.Game(s.Rules)
	if len(k.specs) > mostKnown {
		clear(k.specs)
	}
	for side := range s.Seats {
		seat := &s.Seats[side]
		key := [2]string{s.Rules, s.Objects[side]}
		if _, err := k.p.assets.Spec(seat.Spec); k.specs[key] == "" || err != nil {
			if err := k.spec(ctx, key, g); err != nil {
				return fmt.Errorf("agent %s: %w", seat.Name, err)
			}
		}
		if k.specs[key] != seat.Spec {
			return fmt.Errorf("agent %s does not have the hash %s", seat.Name, seat.Spec)
		}
	}
	if s.SelfPlay.On() {
		k.learning(s.Seats[0].Spec)
	}
	k.p.mu.Lock()
	scale := k.p.welcome.Scale
	k.p.mu.Unlock()
	s.scale(scale)
	return nil
}

// learning remembers an agent whose net is being learned, and forgets those of old batches.
func (k *known) learning(spec string) {
	if slices.Contains(k.learn, spec) {
		return
	}
	if k.learn = append(k.learn, spec); len(k.learn) > mostLearned {
		old := k.learn[0]
		k.learn = k.learn[1:]
		k.p.assets.ForgetAgent(old)
		maps.DeleteFunc(k.specs, func(_ [2]string, hash string) bool { return hash == old })
	}
}

// scale adapts time budgets to the speed of this machine.
func (s *wireSetting) scale(by float64) {
	if by <= 0 {
		return
	}
	s.Clock.Seconds *= by
	s.Clock.Increment *= by
	s.GameLimit *= by
	for side := range s.Seats {
		b := &s.Seats[side].Budget
		b.Seconds *= by
		b.MoveTime = time.Duration(float64(b.MoveTime) * by)
	}
}

// spec fetches an agent. The object must not name programs or files of this machine; spec adds them.
func (k *known) spec(ctx context.Context, key [2]string, g *engines.Game) error {
	text, err := k.text(ctx, key[1])
	if err != nil {
		return err
	}
	var o workerSpec
	if err := json.Unmarshal(text, &o); err != nil {
		return err
	}
	var s agents.Spec
	if err := json.Unmarshal(o.Spec, &s); err != nil {
		return err
	}
	_, hash := s.Effective(g)
	if s.Program() {
		local, ok := k.p.o.Engines[s.Name]
		if !ok {
			return fmt.Errorf("it is an external program; name its command with --engine %s=COMMAND", s.Name)
		}
		s.UGI.Command = local.Path
		s.UGI.Args = local.Args
		s.UGI.Dir = ""
	}
	if s.Perfect.Table != "" {
		return errors.New("its perfect.table is a file on the coordinator's machine")
	}
	if o.Net != "" {
		data, err := k.text(ctx, o.Net)
		if err != nil {
			return err
		}
		if s.Evaluation.Net, err = patterns.NewFile(data); err != nil {
			return err
		}
	} else if s.Evaluation.File != "" {
		return errors.New("the coordinator did not send its learned evaluation")
	}
	k.specs[key] = hash
	k.p.assets.AddSpec(hash, s)
	return nil
}

// text returns an object. It fetches it part by part.
func (k *known) text(ctx context.Context, hash string) (out []byte, err error) {
	for offset, size := int64(0), int64(1); offset < size; offset = int64(len(out)) {
		data, err := encode(Part{hash, offset})
		if err != nil {
			return nil, err
		}
		ask, cancel := context.WithTimeout(ctx, 10*time.Second)
		m, err := k.p.nc.RequestWithContext(ask, k.p.o.Prefix+"."+verbObject+"."+k.p.hello.ID, data)
		cancel()
		if err != nil {
			return nil, fmt.Errorf("object %s: %w", hash, err)
		}
		if why := m.Header.Get(headerError); why != "" {
			return nil, fmt.Errorf("object %s: %s", hash, why)
		}
		if size, err = strconv.ParseInt(m.Header.Get(headerSize), 10, 64); err != nil || size < 0 ||
			size > patterns.FileLimit || size > offset && len(m.Data) == 0 {
			return nil, fmt.Errorf("object %s has %d bytes; the limit is %d", hash, size, patterns.FileLimit)
		}
		out = append(out, m.Data...)
	}
	if plain.Hash(out) != hash {
		return nil, fmt.Errorf("object %s arrived with a wrong hash", hash)
	}
	return out, nil
}

// machineMemory returns the memory of this machine in bytes; 0 if the system is not Linux.
func machineMemory() int64 {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err == nil {
				return kb << 10
			}
		}
	}
	return 0
}
