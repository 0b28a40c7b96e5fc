package enginetest

import (
	"os"
	"strings"
	"testing"
)

// Mistakes compares the errors of a file reader with a golden file. Each paragraph of the golden file begins with
// a line "> CHANGES"; the expected error follows. CHANGES are overrides separated by " | ", or empty for the
// unchanged file. If update is set, Mistakes writes the errors to the golden file. To add a case, add a line ">
// CHANGES".
func Mistakes(t *testing.T, path string, update bool, read func(changes ...string) error) {
	t.Helper()
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(old)) {
		change, ok := strings.CutPrefix(strings.TrimSpace(line), "> ")
		if !ok {
			continue
		}
		if out.Len() > 0 {
			out.WriteString("\n")
		}
		out.WriteString("> " + change + "\n")
		if err := read(strings.Split(change, " | ")...); err != nil {
			out.WriteString(err.Error() + "\n")
		} else {
			out.WriteString("no mistake\n")
		}
	}
	if got := out.String(); update {
		err = os.WriteFile(path, []byte(got), 0o644)
	} else if got != string(old) {
		t.Errorf("%s differs (run with -update and read it):\n%s", path, got)
	}
	if err != nil {
		t.Fatal(err)
	}
}
