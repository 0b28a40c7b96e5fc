// Package ratings turns game results into ratings, intervals and tests. It contains only statistics: it reads no
// files and writes no logs.
//
// # Terms
//
//   - Player: who plays; any name. Agents are players.
//   - Pair: two games of the same players from the same opening with the seats swapped.
//   - Seat: first or second player. The first-player advantage is what the first seat is worth, in Elo.
//   - Stratum: a set of games that may have an advantage of its own, normally the games of one rules file.
//   - Pairing: the games of one ordered match-up in one stratum. A match-up is unordered.
//   - Cluster: games that may depend on each other: a pair, or all games from one opening. Clusters are independent.
//   - Group: players who met, directly or through others. Ratings of different groups cannot be compared.
//   - Elo: here always the exact 400-point logistic scale. A gap of x means an expected score of 1/(1+10^(-x/400)),
//     with a draw counted as half. Draw models estimate strengths in another unit; Raw fields hold it, Elo fields the
//     conversion.
//   - LOS: the likelihood of superiority, one minus a one-sided p-value.
//   - SPRT: a sequential probability ratio test; it stops as soon as one of two hypotheses is accepted.
//
// # Flow of data
//
// A [Builder] takes games and counts them. Its [Table] holds counts only, so that later costs depend on the number
// of pairings and not of games. [Table.Fit] checks what the table identifies (connected groups, players who won or
// lost everything, the first-player advantage), estimates what has a maximum of the likelihood, and uses a N(0,
// 400) prior for the rest; [Status] values and Fit.Warnings name which. [Fit.Difference], [Fit.HeadToHead],
// [Fit.Ranks], [Fit.LackOfFit] and [Fit.Interactions] work from the fit. [AnalyzeMatch], [Wilson], [ClopperPearson] and
// [ConfidenceSequence] take plain counts, and so do the sequential tests [SPRT] and [Tracker].
//
// Every result with an interval is an [Estimate]: value, interval, what n counts, and the method. No result holds
// a NaN or an infinity; an unbounded side of an interval is marked as open.
//
// # Errors
//
// The games of a pair share an opening, so they are not independent. If the table knows its pairs, the default
// interval is the cluster-robust sandwich over pairs. [ErrorKind] lists the alternatives.
package ratings
