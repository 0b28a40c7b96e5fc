// Package fit learns weights of a linear evaluation from recorded games: logistic regression of results on
// features (Texel tuning), with the ridge penalty chosen by cross-validation, standard errors clustered by opening,
// and temporal-difference updates. It reads no files and plays no games.
//
// # The model
//
// A position with features f and phase rho in 0..1 is won with probability
//
//	p = 1/(1+exp(-K v)),   v = sum over phases j of h_j(rho) (w_j . f)
//
// where h_j are hat functions with their tops at rho = j/(phases-1): with two phases v = (1-rho) w_0.f + rho
// w_1.f. A position whose phase is exactly a top belongs to that phase alone, so sets of weights that switch
// abruptly are fitted by giving the tops as phases. Features and result must be from the view of the same side:
// the first player or the mover. The model has no intercept: for one, add a feature that is always 1.
//
// Weights are penalised, and compared, in standard units: times the root mean square of their feature (its
// standard deviation, if the feature is as often for as against).
package fit
