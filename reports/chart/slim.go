package chart

import (
	"fmt"
	"math"
	"reflect"
)

// Slim returns a copy of a chart for narrow screens: width Half, no colour bar.
func Slim(c Chart) Chart {
	if g, ok := c.(*Grid); ok {
		d := *g
		d.NoBar = true
		if d.Width = Half; d.square {
			d.Width = 0
		}
		return &d
	}
	d := reflect.New(reflect.TypeOf(c).Elem())
	d.Elem().Set(reflect.ValueOf(c).Elem())
	if n, ok := d.Interface().(interface{ narrow() }); ok {
		n.narrow()
	}
	return d.Interface().(Chart)
}

// Constant reports whether all values of a chart are the same. It also returns the sentence that replaces such a
// figure.
func Constant(c Chart) (string, bool) {
	all := newSpread()
	n, unit := 0, Number
	add := func(v float64) {
		if finite(v) {
			all.add(v)
			n++
		}
	}
	limits := newSpread()
	switch c := c.(type) {
	case *Lines:
		unit = c.Y.Unit
		for _, l := range c.Lines {
			for _, p := range l.Points {
				if p.Y.Open() != "" { // a bound is no constant value
					return "", false
				}
				add(value(p.Y))
				limits.add(Ends(p.Y))
			}
		}
	case *Histogram:
		unit = c.X.Unit
		for _, b := range c.Bins {
			for _, k := range b.Counts {
				if k > 0 {
					if b.Hi-b.Lo > 1 { // a range of values
						return "", false
					}
					add((b.Lo + b.Hi) / 2)
				}
			}
		}
		n = max(n, 2*min(n, 1))
	case *Grid:
		unit = c.Scale.Unit
		for _, r := range c.Cells {
			for _, x := range r {
				add(x.Value)
			}
		}
	case *Stack:
		return c.constant()
	}
	if n < 2 || all.lo != all.hi {
		return "", false
	}
	words := auto(all.lo, unit) + " throughout"
	if !limits.empty() && limits.lo < limits.hi {
		words += fmt.Sprintf(" (intervals from %s to %s)", auto(limits.lo, unit), auto(limits.hi, unit))
	}
	return words, true
}

// constant reports whether every bar consists of only one part.
func (s *Stack) constant() (string, bool) {
	whole, games := -1, 0.0
	for _, b := range s.Bars {
		for i, v := range b.Values {
			if v > 0 {
				if whole >= 0 && whole != i {
					return "", false
				}
				whole, games = i, games+v
			}
		}
	}
	if whole < 0 || whole >= len(s.Parts) {
		return "", false
	}
	words := s.Parts[whole].Name + " throughout"
	if games > 1 && games == math.Trunc(games) {
		words += fmt.Sprintf(" (%.0f games)", games)
	}
	return words, true
}
