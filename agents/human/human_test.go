package human_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/agents"
	"spar/agents/human"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// desk notes what a person is shown.
type desk struct{ seen []string }

func (d *desk) Turn(p *engines.Position) { d.seen = append(d.seen, fmt.Sprintf("turn %d", p.Ply())) }

func (d *desk) Refused(_ *engines.Position, answer string, _ error) {
	d.seen = append(d.seen, "refused "+answer)
}

// A person is asked again until the answer is a legal move.
func TestAsksUntilLegal(t *testing.T) {
	t.Parallel()
	p := enginetest.Load(t, "classic").NewPosition()
	must.Do(t, p.PlayText([]string{"b2"}))
	answers := make(chan string, 4)
	for _, a := range []string{"z9", "b2", "", "a1"} {
		answers <- a
	}
	d := &desk{}
	got, err := human.New(d, answers).Choose(context.Background(), p, agents.Budget{}, nil)
	if err != nil || p.Game().MoveText(got.Move) != "a1" {
		t.Errorf("%+v, %v", got, err)
	}
	if diff := cmp.Diff([]string{"turn 1", "refused z9", "turn 1", "refused b2", "turn 1", "refused ", "turn 1"},
		d.seen); diff != "" {
		t.Error(diff)
	}
}

// Who resigns and says yes resigns; to leave and to run out of time are other faults.
func TestFaults(t *testing.T) {
	t.Parallel()
	p := enginetest.Load(t, "classic").NewPosition()
	resigns := make(chan string, 3)
	leaves := make(chan string)
	thinks := make(chan string)
	resigns <- human.Resign
	resigns <- human.Resign // asks again
	resigns <- human.Yes
	close(leaves)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name    string
		ctx     context.Context
		answers chan string
		kind    string
	}{
		{"resigns", context.Background(), resigns, "resign"},
		{"leaves", context.Background(), leaves, "left"},
		{"thinks too long", ended, thinks, "timeout"},
	} {
		_, err := human.New(&desk{}, c.answers).Choose(c.ctx, p, agents.Budget{}, nil)
		var fault *agents.Fault
		if !errors.As(err, &fault) || fault.Kind != c.kind {
			t.Errorf("who %s: %v, want a fault of kind %s", c.name, err, c.kind)
		}
	}
}
