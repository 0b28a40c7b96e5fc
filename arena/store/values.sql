-- Version 3. What positions are worth, by one fixed evaluator (arena/oracle), so that a report made again need not
-- search again.
CREATE TABLE oracles (
  id    INTEGER PRIMARY KEY,
  name  TEXT NOT NULL,
  rules INTEGER NOT NULL REFERENCES rules,
  spec  TEXT NOT NULL,                -- what decides the values, JSON: agent, seed, form of the values
  exact INTEGER NOT NULL,             -- 1 = values of the solved game
  seed  INTEGER NOT NULL,
  UNIQUE (rules, spec)
) STRICT;

CREATE TABLE position_values (
  oracle   INTEGER NOT NULL REFERENCES oracles,
  game     INTEGER NOT NULL REFERENCES games,
  ply      INTEGER NOT NULL,          -- plies played: 0 is the start
  side     INTEGER NOT NULL,          -- to move: 0 = first, 1 = second
  value    REAL NOT NULL,             -- expected score of the first player, 0 to 1
  again    REAL,                      -- the same from a second seed; NULL for exact values
  best     TEXT NOT NULL,             -- the move that the oracle would play
  best_value REAL NOT NULL,           -- of that move, for the side to move, 0 to 1
  played_value REAL,                  -- of the move played, for the side to move; NULL when not known
  legal    INTEGER NOT NULL,          -- legal moves
  near     REAL,                      -- share of them that are near the best; NULL when not known
  variance REAL,                      -- of the values of the moves; NULL when not known
  -- chance that one ply of look-ahead makes the oracle's choice; NULL when not known
  shallow  REAL,
  PRIMARY KEY (oracle, game, ply)
) STRICT, WITHOUT ROWID;
