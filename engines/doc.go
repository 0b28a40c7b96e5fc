// Package engines plays abstract board games on a grid. A YAML file combines the rules freely.
//
// Package rules has the content of the file, and package grid the cells of its board. Compile checks [Rules] and
// returns a [Game]: the tables that all games under these rules share. A [State] is a position, a small value that
// plays a [Move] without allocating. A [Position] adds the history, which draws by repetition need.
//
// # Files
//
//   - The words of rules and grid that methods here use: vocabulary.
//   - The Game: load, game, start (starts that are refused), lines, ways (how pieces move), symmetry, exchange, names (of
//     the sides).
//   - The State: state, move, moves, movesets and general (legal moves), play, captures, settle (falling), goals, pie;
//     position (repetition).
//   - For evaluations and searches: linecount, linedelta, around, tactics, possible, forceddraw.
//   - Text: text, picture. Numbers for positions: codec, key, largekey.
//
// Random play is in package playout, exact values in solve, the rules in words in explain.
package engines
