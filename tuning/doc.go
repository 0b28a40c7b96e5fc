// Package tuning searches for better numbers of an agent (the weights of its evaluation, the knobs of its search) by playing
// games, and proves what it found on games that the search never saw.
//
// # One source of truth
//
// A tuning has no state of its own. Its games are ordinary games of a study, numbered in the order in which the search wants
// them, and the search is a function of the file, the seed and their results. To go on after a crash is to run the same search
// again: games that the study holds are not played again. The result is therefore the same after any number of interruptions,
// and on any number of workers.
//
// # Disjoint games
//
// Every use of games draws from streams of its own, derived from the seed and the purpose: training and the final examination
// share neither random numbers nor openings (compared by position, up to the symmetries of the rules).
package tuning
