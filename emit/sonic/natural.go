package sonic

import "strings"

// Natural compares names as sonic-cfggen sorts them: runs of digits by their value, so
// that Ethernet4 comes before Ethernet12, everything else byte by byte.
func Natural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		if !digit(x[0]) || !digit(y[0]) {
			if x[0] != y[0] {
				return int(x[0]) - int(y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		var m, n string
		m, x = number(x)
		n, y = number(y)
		if len(m) != len(n) {
			return len(m) - len(n)
		}
		if c := strings.Compare(m, n); c != 0 {
			return c
		}
	}
	if c := len(x) - len(y); c != 0 {
		return c
	}
	return strings.Compare(a, b) // leading zeros alone tell them apart
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// number splits the leading digits off, without their leading zeros.
func number(s string) (digits, rest string) {
	i := 0
	for i < len(s) && digit(s[i]) {
		i++
	}
	return strings.TrimLeft(s[:i], "0"), s[i:]
}
