package sweep

import (
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"

	"spar/engines"
)

// WriteRules writes rules as a rules file, after some comments.
func WriteRules(w io.Writer, r engines.Rules, comments ...string) error {
	text, err := yaml.Dump(r)
	if err != nil {
		return fmt.Errorf("rules %s: %w", r.Name, err)
	}
	for _, c := range comments {
		for line := range strings.SplitSeq(c, "\n") {
			if _, err := fmt.Fprintln(w, strings.TrimRight("# "+line, " ")); err != nil {
				return err
			}
		}
	}
	_, err = fmt.Fprintf(w, "%s\n", strings.TrimRight(string(text), "\n"))
	return err
}
