// Package optimise searches for better parameters from noisy game results, by SPSA. It plays no games and reads no
// files: the caller asks which candidates to play (Ask) and reports their scores (Tell).
//
//	opt, err := optimise.New(problem, optimise.Options{})
//	for asked := opt.Ask(); asked != nil; asked = opt.Ask() {
//		opt.Tell(play(asked))
//	}
//	tuned := opt.Mean()
//
// # Units
//
// Callers see parameters in their own units (a weight, a search depth). Inside, each parameter is divided by its scale,
// so that one step size serves all: for the weight of a feature with standard deviation sd the scale is 1/sd. The
// parameters marked Direction are weights of which only the direction matters (an agent that takes the best of its
// values plays the same when all its weights double); their root mean square is 1 inside and is put back to 1 after
// every step. "Elo" is 400 log10(s/(1-s)) of an expected score s.
//
// # Reproducibility
//
// All random numbers come from one PCG with the seed of the problem. To resume a run, tell a new optimiser the scores
// of the old one: it asks for the same candidates and ends with the same bits.
package optimise
