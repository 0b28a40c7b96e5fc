// Package engines plays abstract board games on a grid. A YAML file combines the rules freely.
//
// Package rules has the content of the file, and package grid the cells of its board. Compile checks [Rules] and
// returns a [Game]: the tables that all games under these rules share. A [State] is a position, a small value that
// plays a [Move] without allocating. A [Position] adds the history, which draws by repetition need.
//
// # Files
//
//   - The words of rules and grid that methods here use: vocabulary.
//   - The Game: load, game, start (starts that are refused), handled (groups of mechanics that fast paths handle),
//     lines, ways (how pieces move), symmetry, exchange, names (of the sides).
//   - The State: state, move, moves and general (legal moves), play, captures, settle (falling), goals, pie; position
//     and tally (repetition).
//   - For evaluations and searches: linecount, linedelta, exposure, arounddelta, tactics, possible, forceddraw.
//   - Random play: playout and its kernels playout_*, select. They read the tables of Game and the fields of State, so
//     they are not a package of their own.
//   - Text: text, picture. Numbers for positions: codec, key, largekey.
package engines
