package store

import (
	"context"
	"fmt"

	"spar/arena/evidence"
)

// Maximum sizes of what a study's rows may hold, in bytes: any row; the moves or a text of one game, or a name.
const (
	mostText = 64 << 20
	mostGame = 1 << 20
)

// shortText is a text of a game, as it is read from a row.
type shortText string

// Scan reads a text, or returns an error if it is longer than any text of a game.
func (s *shortText) Scan(stored any) error {
	t, ok := stored.(string)
	if !ok || len(t) > mostGame {
		return fmt.Errorf("expected a text of at most %d bytes", mostGame)
	}
	*s = shortText(t)
	return nil
}

// rowError says that a row of the study has values that Spar never writes.
func rowError(row string, err error) error {
	return fmt.Errorf("%s of the study cannot be read (%w); spar verify STUDY.db lists such rows", row, err)
}

// BadRows describes at most 20 rows of the SQL tables games and tables that Spar cannot read.
func (db *DB) BadRows(ctx context.Context) ([]string, error) {
	return list(ctx, db.sql, oneText,
		`SELECT 'game ' || id || ': ' || CASE WHEN marks NOT BETWEEN 0 AND ?1 THEN 'its marks are ' || marks
		WHEN timed NOT IN (0, 1) THEN 'the column timed is ' || timed ELSE 'its texts have too many bytes' END
		FROM games WHERE marks NOT BETWEEN 0 AND ?1 OR timed NOT IN (0, 1)
		OR max(octet_length(moves), octet_length(reason), octet_length(detail)) > ?2
		UNION ALL SELECT 'the game played by people ' || id || ' is not JSON' FROM tables WHERE NOT json_valid(state) LIMIT 20`,
		1<<len(evidence.Names())-1, mostGame)
}
