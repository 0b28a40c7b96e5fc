// Package optimise searches for better parameters from noisy game results. It
// plays no games and reads nothing: an Optimiser is asked which candidates to
// play, and told how they scored.
//
//	opt, err := optimise.NewSPSA(problem, optimise.SPSAOptions{})
//	for !opt.Done() {
//		outcomes := play(opt.Ask())
//		err = opt.Tell(outcomes)
//		state, err := opt.State() // save it; Restore continues the run exactly
//	}
//	tuned := opt.Mean()
//
// # Units
//
// Callers see parameters in their own units (a weight, a search depth). Inside,
// each parameter is divided by its scale, so that one step size serves all: for
// the weight of a feature with standard deviation sd the scale is 1/sd. The
// parameters marked Direction are weights of which only the direction matters
// (an agent that takes the best of its values plays the same when all its weights
// double); their root mean square is 1 inside and is put back to 1 after every
// step. "Elo" is 400 log10(s/(1-s)) of an expected score s.
//
// # Reproducibility
//
// All randomness comes from one PCG seeded by the problem. The whole state,
// generator included, is JSON; a run restored from it asks the same candidates
// and ends with the same bits. The order in which outcomes arrive does not
// matter: a step is taken when its last outcome is in.
package optimise
