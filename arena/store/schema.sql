-- Version 1. One study: the rules and agents as they were played, and one row a game.
CREATE TABLE events (
  id      INTEGER PRIMARY KEY,
  name    TEXT NOT NULL UNIQUE,
  purpose TEXT NOT NULL,              -- tournament, tuning, validation, balance
  plan    TEXT NOT NULL,              -- canonical JSON; a resumed run must have the same
  seed    INTEGER NOT NULL,
  created TEXT NOT NULL               -- UTC, RFC 3339
) STRICT;

CREATE TABLE rules (
  id        INTEGER PRIMARY KEY,
  name      TEXT NOT NULL UNIQUE,     -- name, with its overrides where there are any
  hash      TEXT NOT NULL,
  canonical TEXT NOT NULL             -- every knob, JSON
) STRICT;

CREATE TABLE agents (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  spec TEXT NOT NULL                  -- JSON
) STRICT;

CREATE TABLE games (
  id            INTEGER PRIMARY KEY,
  event         INTEGER NOT NULL REFERENCES events,
  number        INTEGER NOT NULL,     -- place in the event's schedule; decides the random stream
  rules         INTEGER NOT NULL REFERENCES rules,
  first         INTEGER NOT NULL REFERENCES agents,
  second        INTEGER NOT NULL REFERENCES agents,
  pair          INTEGER NOT NULL,     -- the two games of a pair have the same opening and exchanged seats
  opening       INTEGER NOT NULL,     -- index of the opening
  opening_plies INTEGER NOT NULL,     -- moves of the opening, not chosen by the agents
  seed          INTEGER NOT NULL,
  moves         TEXT NOT NULL,        -- all moves, space-separated
  result        TEXT NOT NULL CHECK (result IN ('first', 'second', 'draw')),
  reason        TEXT NOT NULL,        -- line, full_board, ..., or how the game was adjudicated or forfeited
  detail        TEXT NOT NULL,        -- what an agent did wrong; empty otherwise
  plies         INTEGER NOT NULL,
  first_ms      REAL NOT NULL,
  second_ms     REAL NOT NULL,
  first_nodes   INTEGER NOT NULL,
  second_nodes  INTEGER NOT NULL,
  hash          INTEGER NOT NULL,     -- of rules and moves: equal for equal games
  timed         INTEGER NOT NULL,     -- 1 when a budget of the game depended on the clock
  UNIQUE (event, number)
) STRICT;

-- One row an agent and rules, both seats together.
CREATE VIEW results AS
  SELECT g.id, e.name AS event, g.number, r.name AS rules, a.name AS first, b.name AS second, g.pair, g.opening,
         g.result, g.reason,
         CASE g.result WHEN 'first' THEN 1.0 WHEN 'draw' THEN 0.5 ELSE 0.0 END AS first_score,
         g.plies, g.seed, g.moves, g.first_ms, g.second_ms, g.first_nodes, g.second_nodes, g.detail
  FROM games g JOIN events e ON e.id = g.event JOIN rules r ON r.id = g.rules JOIN agents a ON a.id = g.first
    JOIN agents b ON b.id = g.second;

CREATE VIEW standings AS
  SELECT rules, agent, count(*) AS games, sum(score) AS points, avg(score) AS score,
         sum(score = 1) AS wins, sum(score = 0.5) AS draws, sum(score = 0) AS losses
  FROM (SELECT rules, first AS agent, first_score AS score FROM results
        UNION ALL SELECT rules, second, 1 - first_score FROM results)
  GROUP BY rules, agent ORDER BY rules, score DESC;

CREATE VIEW crosstable AS
  SELECT rules, agent, opponent, count(*) AS games, sum(score) AS points, avg(score) AS score
  FROM (SELECT rules, first AS agent, second AS opponent, first_score AS score FROM results
        UNION ALL SELECT rules, second, first, 1 - first_score FROM results)
  GROUP BY rules, agent, opponent ORDER BY rules, agent, opponent;

CREATE VIEW first_player AS
  SELECT rules, count(*) AS games, sum(result = 'first') AS first, sum(result = 'second') AS second,
         sum(result = 'draw') AS draws,
         avg(first_score) AS first_score, avg(plies) AS mean_plies
  FROM results GROUP BY rules ORDER BY rules;
