// Package fit learns weights of a linear evaluation from recorded games: logistic
// regression of results on features (Texel tuning), with ridge chosen by cross-validation,
// standard errors that respect that the positions of one game share one result, and
// temporal-difference updates. It reads nothing and plays nothing.
//
// # The model
//
// A position with features f and phase rho in 0..1 is won with probability
//
//	p = 1/(1+exp(-K v)),   v = sum over phases j of h_j(rho) (w_j . f)
//
// where h_j are hat functions with their tops at rho = j/(phases-1): with two
// phases v = (1-rho) w_0.f + rho w_1.f. A position whose phase is exactly a top
// belongs to that phase alone, so sets of weights that switch abruptly are fitted
// by giving the tops as phases. Features and result are seen from the same side, be it
// the first player's or the mover's. There is no intercept: add a feature that is
// always 1 for one.
//
// Weights are penalised, and compared, in standard units: times the root mean
// square of their feature (its standard deviation, if the feature is as often for
// as against).
package fit
