package units_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// 800 Gb/s for 100 us is 10 MB; the product in bits·ps is 8e19 and leaves int64.
func TestRateTimesTimeIsExactBeyond64Bits(t *testing.T) {
	if got := (800 * units.Gbps).CeilBytes(100 * units.Microsecond); got != 10_000_000 {
		t.Errorf("800G for 100us = %d B, want 10,000,000", got)
	}
	if got := (800 * units.Gbps).CeilTime(1); got != 10*units.Picosecond {
		t.Errorf("one byte at 800G = %d ps, want 10", got)
	}
}

func TestEveryEthernetRateDividesAByteExactly(t *testing.T) {
	for _, gbps := range []units.BitRate{1, 10, 25, 40, 50, 100, 200, 400, 800, 1600} {
		rate := gbps * units.Gbps
		if rate.CeilTime(1) != rate.FloorTime(1) {
			t.Errorf("a byte at %v is not a whole number of picoseconds", rate)
		}
	}
}

func TestRoundingGoesTheWayItsNameSays(t *testing.T) {
	if up, down := units.Bytes(257).CeilCells(256), units.Bytes(257).FloorCells(256); up != 2 || down != 1 {
		t.Errorf("257 B in cells of 256: ceil %d floor %d", up, down)
	}
	if up, down := units.Bytes(1025).CeilTo(1024), units.Bytes(2047).FloorTo(1024); up != 2048 || down != 1024 {
		t.Errorf("CeilTo %d FloorTo %d", up, down)
	}
	must.Equalf(t, units.Alpha(-3).FloorOf(15), 1, "1/8 of 15 =")
}

func TestParse(t *testing.T) {
	for text, want := range map[string]units.Bytes{"9216B": 9216, "32MiB": 32 << 20, "1.5KiB": 1536, "12MB": 12_000_000, " 0 B": 0} {
		if got, err := units.ParseBytes(text); err != nil || got != want {
			t.Errorf("ParseBytes(%q) = %d, %v", text, got, err)
		}
	}
	if got, err := units.ParseTime("1.5us"); err != nil || got != 1500*units.Nanosecond {
		t.Errorf("1.5us = %d, %v", got, err)
	}
	if got, err := units.ParseRatio("0.898%"); err != nil || got != 8_980_000 || got.String() != "0.898%" {
		t.Errorf("0.898%% = %d, %v", got, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, word := range map[string]string{
		"9216": "unit is missing", "9216 m": "unknown", "B": "start with a number", "-1B": "negative",
		"0.5B": "finer", "9000000000GiB": "largest", "1.2.3B": "decimal", "": "start with a number",
		strings.Repeat("9", 1000) + "B": "digits",
	} {
		_, err := units.ParseBytes(text)
		var parse *units.ParseError
		if !errors.As(err, &parse) || !strings.Contains(parse.Problem, word) {
			t.Errorf("ParseBytes(%.20q): %v, want a problem with %q", text, err, word)
		}
	}
}

func TestPrintAndParseAreInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1e11).Draw(t, "n")
		if got, err := units.ParseBytes(units.Bytes(n).String()); err != nil || got != units.Bytes(n) {
			t.Fatalf("bytes %d: %v %v", n, got, err)
		}
		if got, err := units.ParseBitRate(units.BitRate(n).String()); err != nil || got != units.BitRate(n) {
			t.Fatalf("rate %d: %v %v", n, got, err)
		}
		if got, err := units.ParseTime(units.Time(n).String()); err != nil || got != units.Time(n) {
			t.Fatalf("time %d: %v %v", n, got, err)
		}
		if got, err := units.ParseLength(units.Length(n).String()); err != nil || got != units.Length(n) {
			t.Fatalf("length %d: %v %v", n, got, err)
		}
		if got, err := units.ParseRatio(units.Ratio(n % 1e12).String()); err != nil || got != units.Ratio(n%1e12) {
			t.Fatalf("ratio %d: %v %v", n, got, err)
		}
		a := units.Alpha(rapid.IntRange(-10, 10).Draw(t, "alpha"))
		if got, err := units.ParseAlpha(a.String()); err != nil || got != a {
			t.Fatalf("alpha %d: %v %v", a, got, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("9216B")
	f.Add("1e9Gbps")
	f.Fuzz(func(_ *testing.T, s string) {
		units.ParseBytes(s)
		units.ParseBitRate(s)
		units.ParseTime(s)
		units.ParseLength(s)
		units.ParseRatio(s)
		units.ParseAlpha(s)
	})
}
