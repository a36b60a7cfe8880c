package units

import (
	"errors"
	"testing"
)

// The example of an error is the author's own number where the unit is nearly right.
func TestParseErrorSuggestsOwnNumber(t *testing.T) {
	rate := func(s string) error { _, err := ParseBitRate(s); return err }
	bytes := func(s string) error { _, err := ParseBytes(s); return err }
	time := func(s string) error { _, err := ParseTime(s); return err }
	length := func(s string) error { _, err := ParseLength(s); return err }
	for _, test := range []struct {
		parse      func(string) error
		text, want string
	}{
		{rate, "25G", "25Gbps"},
		{rate, "25gbps", "25Gbps"},
		{rate, "2.5 GBit/s", "2.5Gbps"},
		{rate, "1T", "1Tbps"},
		{rate, "100M", "100Mbps"},
		{rate, "25", "400Gbps"},
		{rate, "25 parsecs", "400Gbps"},
		{bytes, "32mib", "32MiB"},
		{bytes, "12mb", "12MB"},
		{bytes, "9216b", "9216B"},
		{bytes, "4k", "9216B"}, // KiB or kB
		{time, "1.5US", "1.5us"},
		{time, "3usec", "3us"},
		{time, "0.5PS", "1.5us"}, // finer than a picosecond whatever the case
		{length, "40M", "40m"},
		{length, "40metres", "40m"},
		{length, "1,5m", "1.5m"},
		{length, "2miles", "100m"},
		{rate, "100GE", "100Gbps"},
		{rate, "100gig", "100Gbps"},
		{bytes, "4096byte", "4096B"},
		{bytes, "4,096B", "4096B"}, // 4.096B is none
		{bytes, "4096bits", "9216B"},
		{time, "3sec", "3s"},
		{time, "5min", "1.5us"},
		{length, "40 ft", "100m"},
	} {
		var wrong *ParseError
		if err := test.parse(test.text); !errors.As(err, &wrong) || wrong.Example != test.want {
			t.Errorf("%q: %v, want the example %q", test.text, err, test.want)
		}
	}
}
