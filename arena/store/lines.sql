-- Version 7. Lines that people have looked at beside a game: what might have been played instead.
CREATE TABLE lines (
  game    TEXT PRIMARY KEY,           -- address of its review, which names a stored game, or rules and moves
  moves   TEXT NOT NULL,              -- the game with its lines, each in brackets behind the move that it replaces
  changed TEXT NOT NULL               -- UTC, RFC 3339
) STRICT;
