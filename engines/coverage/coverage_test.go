package coverage

import (
	"slices"
	"testing"

	"spar/configs"
)

// What is called shipped is shipped, and what is not says what expresses it or what it lacks.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	files := append(configs.Names(configs.Games), configs.Names(configs.Large)...)
	for _, e := range Table() {
		ok := map[string]bool{
			Shipped: slices.Contains(files, e.Rules) && e.Missing == "", Expressible: e.Rules == "" && e.How != "",
			Missing: e.Rules == "" && e.Missing != "",
		}[e.Status]
		if !ok || seen[e.Game] {
			t.Errorf("%+v", e)
		}
		seen[e.Game] = true
	}
}
