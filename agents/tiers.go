package agents

import (
	"fmt"
	"regexp"
	"strconv"

	"spar/agents/mcts"
)

// softness is the temperature of varied alpha-beta: it chooses at random among moves with nearly equal expected
// scores. On small boards it costs more strength than it brings different games.
const softness = 0.03

// temperature is the temperature of the tiers: they draw moves with weight visits^(1/temperature), so that games
// between equal agents from the same opening differ. In 40 games at 100 simulations, the fraction of distinct
// games from the true start was 3 % in classic, vanishing and rolling without temperature, and 33 %, 53 % and 15 %
// with 0.15. In all other games all differ. Its cost in strength, against the agent without temperature, is a
// score of 50 % in checkerboard, 29 % in ctor (20 pairs each). With 0.3, or with noise at the root, the agent is
// so much weaker that the first player's score in checkerboard changes from 2 % to 30 %.
const temperature = 0.15

// AlphaBeta returns the tier of small boards that searches the given number of positions a move.
func AlphaBeta(nodes int64) Spec {
	s := DefaultSpec()
	s.Name, s.Type, s.Params = fmt.Sprintf("minimax-%d", nodes), "minimax", DefaultEval()
	s.Description = fmt.Sprintf("Alpha-beta, %d positions a move.", nodes)
	s.Budget.Nodes, s.Minimax.TableMB = nodes, 1
	return s
}

// Varied returns a tier of alpha-beta whose games differ on large boards, too.
func Varied(nodes int64) Spec {
	s := AlphaBeta(nodes)
	s.Name, s.Description = s.Name+"v",
		fmt.Sprintf("Alpha-beta, %d positions a move, varied among moves of nearly the same score.", nodes)
	s.Mixture.Softmax, s.Minimax.TableMB = softness, DefaultSpec().Minimax.TableMB
	return s
}

// TreeSearch returns a tier with the given number of simulations per move. Its name ends in v for varied, because it
// does not always play the same move. It always uses the hand-made evaluation, so that variants are comparable and
// a study does not depend on weights that are shipped for some games.
func TreeSearch(simulations int64) Spec {
	s := DefaultSpec()
	s.Name = fmt.Sprintf("mcts-%dv", simulations)
	s.Type = "mcts"
	s.Description = fmt.Sprintf("Monte-Carlo tree search with %d simulations a move, varied by temperature.", simulations)
	s.Budget = Budget{Iterations: simulations}
	s.MCTS = mcts.DefaultOptions()
	s.MCTS.Temperature, s.MCTS.Perspective = temperature, "both"
	s.Params = DefaultEval()
	return s
}

// Erring returns the agent with one random move in ten. Its games measure draws and length on small boards, where the
// strongest agents draw every theoretically drawn game, after long manoeuvring.
func Erring(a Spec) Spec {
	a.Mixture.Epsilon = 0.1
	a.Name += Errs
	a.Description += " One move of ten is random."
	return a
}

// Errs is the suffix of the name of an agent that Erring returns.
const Errs = "-slips"

var tierName = regexp.MustCompile(`^(minimax|mcts)-([1-9][0-9]{0,11})(v?)(-slips)?$`)

// tierFile returns the file of a tier that reports name, like minimax-8000, minimax-800v-slips or mcts-80v; nil
// for another name.
func tierFile(name string) ([]byte, error) {
	m := tierName.FindStringSubmatch(name)
	if m == nil || m[1] == "minimax" && len(m[2]) == 1 { // minimax-3 would be taken for a depth, as minimax-2 is one
		return nil, nil
	}
	of := map[string]func(int64) Spec{"minimax": AlphaBeta, "minimaxv": Varied, "mctsv": TreeSearch}[m[1]+m[3]]
	n, err := strconv.ParseInt(m[2], 10, 64)
	if of == nil || err != nil {
		return nil, err
	}
	s := of(n)
	if m[4] != "" {
		s = Erring(s)
	}
	return s.YAML()
}
