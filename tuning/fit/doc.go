// Package fit learns weights of a linear evaluation from recorded games: logistic regression of results on
// features (Texel tuning), with the ridge penalty chosen by cross-validation,
// and temporal-difference updates. It reads no files and plays no games.
//
// # The model
//
// A position with features f is won with probability p = 1/(1+exp(-w.f)), where w are the weights of its phase.
// Features and result must be from the view of the same side: the first player or the mover. The model has no
// intercept: for one, add a feature that is always 1.
//
// Weights are penalised, and compared, in standard units: times the root mean square of their feature (its
// standard deviation, if the feature is as often for as against).
package fit
