package plan

import "testing"

func TestRanges(t *testing.T) {
	for want, numbers := range map[string][]uint8{
		"": nil, "5": {5}, "0-2": {0, 1, 2}, "0-1,4,6-8": {0, 1, 4, 6, 7, 8}, "1,3,5": {1, 3, 5}, "62-63": {62, 63},
	} {
		if got := Ranges(numbers); got != want {
			t.Errorf("Ranges(%v) = %q, want %q", numbers, got, want)
		}
	}
}
