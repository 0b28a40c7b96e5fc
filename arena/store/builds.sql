-- Version 8. The programs and machines that went on with an event, and how many games it had when each began: those up
-- to the next are its own. The columns of events say the first.
CREATE TABLE builds (
  id          INTEGER PRIMARY KEY,
  event       INTEGER NOT NULL REFERENCES events,
  games       INTEGER NOT NULL,       -- of the event before it
  since       TEXT NOT NULL,          -- UTC, RFC 3339
  version     TEXT NOT NULL,
  commit_hash TEXT NOT NULL,          -- with +changes, or "program HASH" where none was stamped in
  go_version  TEXT NOT NULL,
  cpu         TEXT NOT NULL,
  command     TEXT NOT NULL           -- as it was typed, but for quotes
) STRICT;
INSERT INTO builds (event, games, since, version, commit_hash, go_version, cpu, command)
  SELECT id, 0, started, version, commit_hash, go_version, cpu, '' FROM events WHERE version <> '' ORDER BY id;
