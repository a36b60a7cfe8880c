// Package natural orders names and counts things as people do. In an order digits are numbers, so that
// Ethernet4 comes before Ethernet12.
package natural

import (
	"cmp"
	"strings"
)

// Compare is a total order: names that differ only in leading zeros (leaf-1, leaf-01)
// are ordered by their bytes.
func Compare(a, b string) int {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if !digit(a[i]) || !digit(b[j]) {
			if c := cmp.Compare(a[i], b[j]); c != 0 {
				return c
			}
			i, j = i+1, j+1
			continue
		}
		m, n := endOfDigits(a, i), endOfDigits(b, j)
		if c := compareNumbers(a[i:m], b[j:n]); c != 0 {
			return c
		}
		i, j = m, n
	}
	return cmp.Or(cmp.Compare(len(a)-i, len(b)-j), strings.Compare(a, b))
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func endOfDigits(s string, from int) int {
	for from < len(s) && digit(s[from]) {
		from++
	}
	return from
}

// compareNumbers compares digits of any length by value.
func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}
