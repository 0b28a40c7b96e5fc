package tuning

import (
	"encoding/csv"
	"io"
	"strconv"
)

// WriteHistory writes the course of a search as CSV, one row for each recorded point: games so far, mean score
// since the previous point, and two values for each number: the present one, and the one that the answer would
// have now.
func (r *Result) WriteHistory(w io.Writer) error {
	out := csv.NewWriter(w)
	head := []string{"games", "score"}
	for _, kind := range []string{"current", "answer"} {
		for _, c := range r.Changes {
			head = append(head, kind+" "+c.Path)
		}
	}
	if err := out.Write(head); err != nil {
		return err
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for _, p := range r.Course {
		row := []string{strconv.Itoa(p.Games), number(p.Score)}
		for _, xs := range [][]float64{p.Current, p.Mean} {
			for i := range r.Changes {
				cell := ""
				if i < len(xs) {
					cell = number(xs[i])
				}
				row = append(row, cell)
			}
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
