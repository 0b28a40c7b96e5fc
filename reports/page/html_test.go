package page

import (
	"fmt"
	"strings"
	"testing"
)

// Hexagons are placed by classes, one for each number of columns and rows: boards have up to 16 of each in the build
// for large boards.
func TestEverySizeOfHexagons(t *testing.T) {
	t.Parallel()
	for n := 2; n <= 16; n++ {
		for _, rule := range []string{
			fmt.Sprintf(".hex.w%d{--cols:%d}", n, n), fmt.Sprintf(".hex.r%d{--rows:%d}", n, n),
			fmt.Sprintf(".hex tr:nth-child(%d){--y:%d}", n, n-1),
		} {
			if !strings.Contains(Styles(), rule) {
				t.Errorf("no rule %s", rule)
			}
		}
	}
}
