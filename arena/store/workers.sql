-- Version 6. The machines that have played games of the study, see the column worker of games. Times are UTC, RFC 3339.
CREATE TABLE workers (
  id       TEXT PRIMARY KEY,
  system   TEXT NOT NULL,      -- operating system and processor
  slots    INTEGER NOT NULL,   -- games at a time
  speed    REAL NOT NULL,      -- random games a second of one core, measured when it joined
  games    INTEGER NOT NULL,   -- handed in, those that were not needed any more among them
  faults   INTEGER NOT NULL,   -- games that a fault of an agent ended
  late     INTEGER NOT NULL,   -- games that were given to others because nothing moved
  checked  INTEGER NOT NULL,   -- games that somebody else has played again, alike
  differed INTEGER NOT NULL,   -- games that were played again, and were others
  barred   TEXT NOT NULL,      -- why it gets no more games; empty: it does
  joined   TEXT NOT NULL,
  seen     TEXT NOT NULL
) STRICT, WITHOUT ROWID;
