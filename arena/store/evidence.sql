-- Version 4. What each game counts for, who played it and on what, what agents without weights of their own were, and
-- views that count as the standings do.
ALTER TABLE games ADD COLUMN worker TEXT NOT NULL DEFAULT '';    -- who played it; empty: the process that stored it
-- what is peculiar about it, bits of evidence.Marks: see the view results
ALTER TABLE games ADD COLUMN marks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE plies ADD COLUMN pv TEXT NOT NULL DEFAULT '';        -- expected continuation, separated by spaces
CREATE INDEX games_rules ON games (rules);

ALTER TABLE events ADD COLUMN version TEXT NOT NULL DEFAULT '';  -- of the program that began it
ALTER TABLE events ADD COLUMN commit_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN go_version TEXT NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN cpu TEXT NOT NULL DEFAULT '';      -- where it was begun
ALTER TABLE events ADD COLUMN started TEXT NOT NULL DEFAULT '';  -- first games, UTC, RFC 3339; empty: not known
ALTER TABLE events ADD COLUMN ended TEXT NOT NULL DEFAULT '';    -- end of the last run of it
ALTER TABLE events ADD COLUMN wall_s REAL NOT NULL DEFAULT 0;    -- of all runs together
ALTER TABLE events ADD COLUMN cpu_s REAL NOT NULL DEFAULT 0;

-- An agent under some rules, every knob and weight stated: the agent's own spec leaves weights to the program. One name
-- is one player; another build of it is refused.
CREATE TABLE effective_specs (
  agent INTEGER NOT NULL REFERENCES agents,
  rules INTEGER NOT NULL REFERENCES rules,
  spec  TEXT NOT NULL,                -- JSON; empty where games were played before this was kept
  hash  TEXT NOT NULL,                -- of spec; empty with it
  PRIMARY KEY (agent, rules)
) STRICT, WITHOUT ROWID;
INSERT INTO effective_specs SELECT first, rules, '', '' FROM games UNION SELECT second, rules, '', '' FROM games;

DROP VIEW standings;
DROP VIEW crosstable;
DROP VIEW first_player;
DROP VIEW results;

-- One row a game, with names. Marks are listed as words and, where they decide much, as 0 or 1.
CREATE VIEW results AS
  SELECT g.id, e.name AS event, e.purpose, g.number, r.name AS rules, a.name AS first, b.name AS second, g.pair,
         g.opening, g.opening_plies,
         g.result, g.reason, CASE g.result WHEN 'first' THEN 1.0 WHEN 'draw' THEN 0.5 ELSE 0.0 END AS first_score,
         g.plies, g.seed, g.moves, g.hash, g.first_ms, g.second_ms, g.first_nodes, g.second_nodes, g.detail, g.timed,
         g.worker,
         rtrim(iif(g.marks & 1, 'mirror,', '') || iif(g.marks & 2, 'forfeit,', '') ||
               iif(g.marks & 4, 'repeated,', '') || iif(g.marks & 8, 'training,', '') ||
               iif(g.marks & 16, 'surplus,', '') || iif(g.marks & 32, 'timed,', '') ||
               iif(g.marks & 64, 'human,', '') || iif(g.marks & 128, 'superseded,', '') ||
               iif(g.marks & 256, 'pending,', ''), ',') AS marks,
         (g.marks & 1) <> 0 AS mirror, (g.marks & 2) <> 0 AS forfeit, (g.marks & 4) <> 0 AS repeated,
         (g.marks & 8) <> 0 AS training,
         -- 477: mirror, repeated, training, surplus, human, superseded, pending
         (g.marks & 477) = 0 AS counts_for_strength,
         (g.marks & 478) = 0 AS counts_for_balance    -- 478: forfeit in place of mirror
  FROM games g JOIN events e ON e.id = g.event JOIN rules r ON r.id = g.rules JOIN agents a ON a.id = g.first
    JOIN agents b ON b.id = g.second;

-- One row an agent and rules, both seats together: the games that "spar standings" counts.
CREATE VIEW standings AS
  WITH counted AS MATERIALIZED (
    SELECT rules, first, second, count(*) AS games, sum(result = 'first') AS won, sum(result = 'draw') AS drawn
    FROM games WHERE (marks & 477) = 0 GROUP BY rules, first, second),
  seats AS (
    SELECT rules, first AS agent, games, won, drawn FROM counted
    UNION ALL SELECT rules, second, games, games - won - drawn, drawn FROM counted),
  totals AS (SELECT rules, agent, sum(games) AS games, sum(won) AS wins, sum(drawn) AS draws FROM seats
    GROUP BY rules, agent)
  SELECT r.name AS rules, a.name AS agent, games, wins + draws * 0.5 AS points, (wins + draws * 0.5) / games AS score,
         wins, draws, games - wins - draws AS losses
  FROM totals t JOIN rules r ON r.id = t.rules JOIN agents a ON a.id = t.agent ORDER BY r.name, score DESC, a.name;

-- One row an agent, its opponent and rules, both seats together, of the same games.
CREATE VIEW crosstable AS
  WITH counted AS MATERIALIZED (
    SELECT rules, first, second, count(*) AS games, sum(result = 'first') AS won, sum(result = 'draw') AS drawn
    FROM games WHERE (marks & 477) = 0 GROUP BY rules, first, second),
  seats AS (
    SELECT rules, first AS agent, second AS opponent, games, won, drawn FROM counted
    UNION ALL SELECT rules, second, first, games, games - won - drawn, drawn FROM counted),
  totals AS (SELECT rules, agent, opponent, sum(games) AS games, sum(won) AS wins, sum(drawn) AS draws FROM seats
    GROUP BY rules, agent, opponent)
  SELECT r.name AS rules, a.name AS agent, o.name AS opponent, games, wins + draws * 0.5 AS points,
         (wins + draws * 0.5) / games AS score
  FROM totals t JOIN rules r ON r.id = t.rules JOIN agents a ON a.id = t.agent JOIN agents o ON o.id = t.opponent
    ORDER BY r.name, a.name, o.name;

-- One row a set of rules: what its games came to, of all games that count as play, an agent against itself among them.
CREATE VIEW first_player AS
  WITH totals AS (
    SELECT rules, count(*) AS games, sum(result = 'first') AS first, sum(result = 'second') AS second,
           sum(result = 'draw') AS draws, avg(plies) AS mean_plies
    FROM games WHERE (marks & 478) = 0 GROUP BY rules)
  SELECT r.name AS rules, games, first, second, draws, (first + draws * 0.5) / games AS first_score, mean_plies
  FROM totals t JOIN rules r ON r.id = t.rules ORDER BY r.name;
