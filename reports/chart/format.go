package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Text writes a number in a unit, with the given number of decimals (of the percentage, for Percent; Integer and
// Log2 ignore it). A value that is not finite is written as a dash.
func Text(v float64, u Unit, decimals int) string {
	if !finite(v) {
		return "–"
	}
	if math.Abs(v) >= 1e9 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	switch u {
	case Percent:
		return fixed(100*v, decimals) + " %"
	case Signed:
		s := fixed(v, decimals)
		if !strings.HasPrefix(s, "-") && strings.Trim(s, "0.") != "" {
			return "+" + s
		}
		return s
	case Log2:
		return power(v)
	case Integer:
		return group(fixed(v, 0))
	default:
		return group(fixed(v, decimals))
	}
}

func fixed(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.HasPrefix(s, "-") && strings.Trim(s, "-0.") == "" {
		return s[1:]
	}
	return s
}

// group inserts thin spaces between thousands from 10 000 on.
func group(s string) string {
	rest := strings.TrimPrefix(s, "-")
	whole, fraction, _ := strings.Cut(rest, ".")
	if len(whole) < 5 {
		return s
	}
	var b strings.Builder
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return s[:len(s)-len(rest)] + b.String() + fraction
}

// power formats two to the power of v.
func power(v float64) string {
	if v != math.Trunc(v) {
		return Text(math.Exp2(v), Number, 0)
	}
	switch {
	case v >= 30:
		return fmt.Sprintf("%.0fG", math.Exp2(v-30))
	case v >= 20:
		return fmt.Sprintf("%.0fM", math.Exp2(v-20))
	case v >= 14:
		return fmt.Sprintf("%.0fk", math.Exp2(v-10))
	case v < 0:
		return fmt.Sprintf("1/%.0f", math.Exp2(-v))
	}
	return strconv.FormatFloat(math.Exp2(v), 'f', 0, 64)
}

// auto formats a number with three significant digits.
func auto(v float64, u Unit) string {
	w := math.Abs(v)
	if u == Percent {
		w *= 100
	}
	switch {
	case w >= 99.95 || u == Integer || u == Log2 || u == Signed && w >= 9.95:
		return Text(v, u, 0)
	case w >= 9.995 || u == Percent || u == Signed && w >= 0.995:
		return Text(v, u, 1)
	case w == 0:
		return Text(v, u, 0)
	}
	return Text(v, u, 2)
}
