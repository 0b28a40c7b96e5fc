// Package ratings turns tables of game results into ratings, intervals and
// tests. It is pure statistics: a Table goes in, numbers and warnings come out;
// nothing is read, written, logged or remembered between calls.
//
// # Scale
//
// Every rating printed is on the exact 400-point logistic scale, here called
// score-Elo: a gap of x means an expected score of 1/(1+10^(-x/400)) with a draw
// counted as half. Draw models estimate strengths in another unit; they are
// reported both raw and converted.
//
// # Order of work
//
// A Builder aggregates games to counts, so the cost of everything after it
// depends on the number of pairings and not of games. Fit first decides what the
// table can say (connectivity, separation, whether the first-player advantage is
// identified), rates by maximum likelihood what has a maximum, falls back to a
// N(0, 400) prior for what has none, and says which it did through Status
// values and Warnings. A draw model whose draw parameter has no maximum gives way
// to the score model. No result ever holds a NaN or an infinity: a side on which an
// interval is unbounded is marked as open.
//
// # Errors
//
// The games of a colour-swapped pair share an opening and are not
// independent. When the table knows its pairs the default interval is the
// cluster-robust sandwich over pairs; see ErrorKind for the others.
package ratings
