package accuracy

import (
	"context"
	"fmt"
	"slices"

	"spar/agents"
	"spar/arena/store"
	"spar/engines"
	"spar/engines/solve"
)

// Measure holds the settings for measuring accuracy.
type Measure struct {
	Table     solve.Options
	Proof     solve.ProofOptions
	Positions int // positions that an agent decides; with proofs, about this many decisions of a study
	Progress  func(positions int)
	Skipped   func(rules string, err error) // receives rules of a study that cannot be measured, and why
}

// Agent measures an agent's accuracy in positions from random games.
func (m *Measure) Agent(ctx context.Context, g *engines.Game, spec agents.Spec, seed int64) (Result, error) {
	values, err := ValuesOf(ctx, g, m.Table, &m.Proof)
	if err != nil {
		return Result{}, err
	}
	return Agent(ctx, values, g, spec, m.Positions, seed, m.Progress)
}

// Games measures the accuracy of decisions in a study's games under the named rules. Without a name it measures all
// rules that can be solved.
func (m *Measure) Games(ctx context.Context, db *store.DB, rules string) (out []Result, err error) {
	names := []string{rules}
	if rules == "" {
		if names, err = db.Names(ctx, "rules"); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		rows, err := m.rules(ctx, db, name, rules != "")
		switch {
		case err == nil:
			out = append(out, rows...)
		case rules != "":
			return nil, err
		default:
			m.Skipped(name, err)
		}
	}
	return out, nil
}

// decisionsAGame is about how many decisions of a game are compared.
const decisionsAGame = 20

// rules measures a study's games under rules. Proofs, which take long, are only made if proofs is set, and for about as
// many decisions as positions are asked for.
func (m *Measure) rules(ctx context.Context, db *store.DB, rules string, proofs bool) ([]Result, error) {
	stored, err := db.Rules(ctx)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(stored, func(r store.StoredRules) bool { return r.Name == rules })
	if at < 0 {
		return nil, fmt.Errorf("no games of %s in %s", rules, db.Path())
	}
	g, err := engines.Stored(stored[at].Canonical)
	if err != nil {
		return nil, err
	}
	proof, most := &m.Proof, int64(0)
	if !proofs {
		proof = nil
	}
	values, err := ValuesOf(ctx, g, m.Table, proof)
	if err != nil {
		return nil, err
	}
	if values.Proves() {
		most = max(1, int64(m.Positions/decisionsAGame))
	}
	return Study(ctx, db, rules, g, values, most)
}
