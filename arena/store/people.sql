-- Version 5. Games of people: those in hand and how they were played, and what was said of them afterwards. Finished
-- ones are games of an event of purpose human, too.
CREATE TABLE tables (
  id      TEXT PRIMARY KEY,           -- as in the address of its page
  state   TEXT NOT NULL,              -- JSON: rules, seats, moves with their times, assists used
  changed TEXT NOT NULL,              -- UTC, RFC 3339
  game    INTEGER REFERENCES games    -- the finished game; NULL while it goes on
) STRICT;

CREATE TABLE opinions (
  id        INTEGER PRIMARY KEY,
  game      INTEGER NOT NULL REFERENCES games,
  fun       INTEGER NOT NULL CHECK (fun BETWEEN 1 AND 5),
  again     INTEGER NOT NULL CHECK (again IN (0, 1)),
  confusing TEXT NOT NULL,            -- what was not clear, in the person's words; may be empty
  said      TEXT NOT NULL             -- when, UTC, RFC 3339
) STRICT;
