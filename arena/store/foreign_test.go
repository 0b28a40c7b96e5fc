package store

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"spar/configs/must"
)

// What others have defined in a study would act when Spar writes to it: Spar refuses the study, names the object, and
// leaves the file as it is.
func TestForeignDefinitions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ sql, names string }{
		"trigger": {
			"CREATE TRIGGER evil AFTER INSERT ON games BEGIN DELETE FROM games; END",
			`trigger "evil"`,
		},
		"trigger on a view": {
			"CREATE TRIGGER evil INSTEAD OF INSERT ON results BEGIN DELETE FROM games; END",
			`trigger "evil"`,
		},
		"trigger on another table": {"CREATE TABLE notes (x); CREATE TRIGGER evil AFTER INSERT ON notes BEGIN DELETE " +
			"FROM games; END", `trigger "evil"`},
		"view":                      {"CREATE VIEW extra AS SELECT 1", `view "extra"`},
		"view of Spar's name":       {"DROP VIEW standings; CREATE VIEW standings AS SELECT 1", `view "standings"`},
		"view for a table":          {"DROP TABLE plies; CREATE VIEW plies AS SELECT 1", `view "plies"`},
		"index of others, no harm":  {"CREATE INDEX one ON games (rules)", ""},
		"table of others, no harm":  {"CREATE TABLE notes (x UNIQUE); INSERT INTO notes VALUES (1)", ""},
		"long name":                 {"INSERT INTO agents (name, spec) VALUES (hex(zeroblob(600000)), '')", "1200000 bytes"},
		"layout and comments alone": {"DROP TABLE lines; " + strings.ReplaceAll(schemaV7, "(\n", "( -- as before\n\n"), ""},
	} {
		for version, path := range map[string]string{"old": older(t, 4), "current": filepath.Join(t.TempDir(), "new.db")} {
			if version == "old" && strings.Contains(c.sql, "lines") { // came later
				continue
			}
			t.Run(name+", "+version, func(t *testing.T) {
				if version == "current" {
					db := must.Get(Open(t.Context(), path, Create))(t)
					db.Close()
				}
				plain := must.Get(sql.Open(Driver, path))(t)
				must.Get(plain.Exec(c.sql))(t)
				plain.Close()
				before := must.Get(os.ReadFile(path))(t)
				db, err := Open(t.Context(), path, Create)
				if c.names == "" {
					if err != nil {
						t.Fatal(err)
					}
					db.Close()
					return
				}
				var foreign *ForeignError
				if !errors.As(err, &foreign) || !strings.Contains(err.Error(), c.names) || strings.Contains(err.Error(), "\n") {
					t.Errorf("error %v, want one line with %s", err, c.names)
				}
				if err := Check(t.Context(), path); !errors.As(err, &foreign) {
					t.Errorf("Check: %v", err)
				}
				if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
					t.Error("the file has changed")
				}
			})
		}
	}
}
