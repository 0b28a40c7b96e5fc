-- Version 2. What the agents thought, one row for each ply that an agent chose, where the plan asks for it
-- (record_plies).
CREATE TABLE plies (
  game  INTEGER NOT NULL REFERENCES games,
  ply   INTEGER NOT NULL,             -- from 1
  score REAL,                         -- expected score of the mover, 0 to 1; NULL when the agent has none
  depth INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  ms    REAL NOT NULL,
  legal INTEGER NOT NULL,             -- legal moves
  PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
