// Package tuning searches for better parameters of an agent by playing games: the weights of its evaluation and the
// knobs of its search. It then validates the result on games that the search never saw.
//
// # Terms
//
// The starting agent is the agent as the file has it. A candidate is that agent with some of its parameters changed.
// The training is the search: an optimiser (package optimise) asks for comparisons of candidates, or a learner (package
// fit) asks for games to learn from. The result is the tuned agent. A check is a match of the intermediate result
// against the starting agent, on training openings. A validation (Examination) tests the result against the starting
// agent and against a pool of other agents.
//
// # Data flow
//
// Load reads a Plan and plays some sample games (Probe) to see which weights have an effect. Run asks the
// optimiser or the learner for games, a matchRunner plays and stores them, and their results go back to the
// optimiser. Validate does the same for a validation.
//
// A tuning has no state of its own. Its games are games of a study, numbered in the order in which the search asks for
// them, and the search is a function of the file, the seed and their results. To resume after a crash, Run repeats the
// search: it does not play games again that the study holds. The result is therefore the same after any interruptions
// and on any workers.
//
// Each purpose has its own random numbers, derived from the seed. Training and validation share no openings
// (compared by position, up to the symmetries of the rules).
package tuning
