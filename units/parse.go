package units

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// symbol is one spelling of a unit: its name and how many base units it is. A
// hidden one is read but never printed.
type symbol struct {
	name   string
	scale  int64
	hidden bool
}

// dimension is a kind of quantity with the spellings that its texts may use. The
// first spelling whose multiple is exact and at least one prints a value.
type dimension struct {
	name    string // as diagnostics name it: "a length"
	example string // a text that parses
	symbols []symbol
	max     int64 // largest value accepted from text, in base units
}

var (
	bytesDim = dimension{"an amount of bytes", "9216B", []symbol{
		{"GiB", int64(GiB), true}, {"MiB", int64(MiB), true}, {"KiB", int64(KiB), true},
		{"GB", int64(GB), true}, {"MB", int64(MB), true}, {"kB", int64(KB), true}, {"KB", int64(KB), true},
		{"B", 1, false},
	}, 1 << 50}
	rateDim = dimension{"a data rate", "400Gbps", []symbol{
		{"Tbps", int64(Tbps), true}, {"Gbps", int64(Gbps), false}, {"Mbps", int64(Mbps), false},
		{"kbps", int64(Kbps), false}, {"Tb/s", int64(Tbps), true}, {"Gb/s", int64(Gbps), true},
		{"Mb/s", int64(Mbps), true}, {"kb/s", int64(Kbps), true}, {"Kbps", int64(Kbps), true},
		{"b/s", 1, true}, {"bps", 1, false},
	}, int64(1000 * Tbps)}
	timeDim = dimension{"a time", "1.5us", []symbol{
		{"s", int64(Second), false}, {"ms", int64(Millisecond), false}, {"us", int64(Microsecond), false},
		{"µs", int64(Microsecond), true}, {"ns", int64(Nanosecond), false}, {"ps", 1, false},
	}, int64(10000 * Second)}
	lengthDim = dimension{"a length", "100m", []symbol{
		{"km", int64(Kilometre), false}, {"m", int64(Metre), false}, {"cm", 10, true}, {"mm", 1, false},
	}, int64(100000 * Kilometre)}
	ratioDim = dimension{"a share", "5%", []symbol{{"%", int64(Percent), false}, {"ppm", 1000, false}, {"ppb", 1, false}}, 1000 * int64(One)}
)

// A ParseError says why a text is not a quantity, in words that finish the sentence
// "… is not a length:", and how it should be spelt.
type ParseError struct {
	Text    string // the text found
	Kind    string // the expected kind: "a length"
	Problem string // the fault
	Example string // a spelling that would be right: of the same number where the unit is nearly right
	Meant   string // the quantity that the text most likely means; empty where that is open
	NoUnit  bool   // the text is a number and nothing else
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("%q is not %s: %s; write it like %q", e.Text, e.Kind, e.Problem, e.Example)
}

// parse reads a decimal number followed by a unit of d and returns base units. The
// value must be exact in the base unit: "0.5ps" is refused, not rounded.
func (d *dimension) parse(text string) (int64, error) {
	fail := func(format string, args ...any) (int64, error) {
		return 0, &ParseError{Text: text, Kind: d.name, Problem: fmt.Sprintf(format, args...), Example: d.example}
	}
	body := strings.TrimSpace(text)
	cut := len(body)
	for i, c := range body {
		if (c < '0' || c > '9') && c != '.' && c != '_' && !(i == 0 && c == '-') {
			cut = i
			break
		}
	}
	number, unit := body[:cut], strings.TrimSpace(body[cut:])
	if number == "" {
		return fail("it does not start with a number")
	}
	if len(number) > 40 {
		return fail("the number has %d digits", len(number))
	}
	if unit == "" {
		return 0, &ParseError{Text: text, Kind: d.name, Problem: "the unit is missing", Example: d.example, NoUnit: true}
	}
	scale := int64(0)
	for _, s := range d.symbols {
		if s.name == unit {
			scale = s.scale
			break
		}
	}
	if scale == 0 {
		return 0, d.unknown(text, number, unit)
	}
	value, ok := new(big.Rat).SetString(strings.ReplaceAll(number, "_", ""))
	if !ok {
		return fail("%q is not a decimal number", number)
	}
	value.Mul(value, new(big.Rat).SetInt64(scale))
	if value.Sign() < 0 {
		return fail("it is negative")
	}
	if !value.IsInt() {
		return fail("it is finer than the base unit 1%s", d.symbols[len(d.symbols)-1].name)
	}
	if value.Cmp(new(big.Rat).SetInt64(d.max)) > 0 {
		return fail("it is above the largest value, %s", d.format(d.max))
	}
	return value.Num().Int64(), nil
}

// unknown refuses a unit, with what was likely meant. GB/s are bytes, eight times as many bits.
func (d *dimension) unknown(text, number, unit string) error {
	wrong := &ParseError{Text: text, Kind: d.name, Problem: fmt.Sprintf("the unit %q is unknown; it must be one of %s", unit, d.spellings()), Example: d.example}
	if bytes := bytesPerSecond.FindStringSubmatch(unit); bytes != nil && d == &rateDim {
		if rate, err := d.parse(number + bytes[1] + "bps"); err == nil {
			wrong.Problem = fmt.Sprintf("the unit %q counts bytes, and a data rate counts bits", unit)
			wrong.Meant = d.format(8 * rate)
		}
	} else if rest, comma := strings.CutPrefix(unit, ","); comma {
		for _, sign := range []string{".", ""} { // a point or, as "4,096B", nothing
			if v, err := d.parse(number + sign + rest); err == nil {
				wrong.Meant = d.format(v)
				break
			}
		}
	} else if meant := d.nearest(unit); meant != "" {
		if _, err := d.parse(number + meant); err == nil {
			wrong.Meant = number + meant
		}
	}
	if wrong.Meant != "" {
		wrong.Example = wrong.Meant
	}
	return wrong
}

var bytesPerSecond = regexp.MustCompile(`^([kMGT])B(?:/s|ps)$`)

// nearest returns the unit that was likely meant by one that is unknown: by another case
// ("gbps"), by its beginning ("G"), by one that begins alike ("Gbit"), or as a word ("metres").
// A rate needs only its first letter ("GE"). Bits are no bytes, and miles no metres. Where that leaves several sizes, such as KiB and kB for "k", there is none.
func (d *dimension) nearest(unit string) string {
	unit = strings.ToLower(unit)
	if d != &rateDim && (strings.HasPrefix(unit, "bit") || strings.HasPrefix(unit, "mi")) && !strings.HasPrefix(unit, "mib") {
		return ""
	}
	for _, alike := range []func(known string) bool{
		func(known string) bool { return known == unit },
		func(known string) bool { return strings.HasPrefix(known, unit) },
		func(known string) bool { return len(known) > 1 && len(unit) > 1 && known[:2] == unit[:2] },
		func(known string) bool { return strings.HasPrefix(unit, known) },
		func(known string) bool { return d == &rateDim && known[0] == unit[0] },
	} {
		var found []symbol
		for _, s := range d.symbols {
			if alike(strings.ToLower(s.name)) {
				found = append(found, s)
			}
		}
		if len(found) == 0 {
			continue
		}
		for _, s := range found {
			if s.scale != found[0].scale {
				return ""
			}
		}
		return found[0].name
	}
	return ""
}

func (d *dimension) spellings() string {
	names := make([]string, len(d.symbols))
	for i, s := range d.symbols {
		names[i] = s.name
	}
	return strings.Join(names, ", ")
}

// format prints v in the largest unit that needs no more than three decimals and
// loses nothing; parse reads the same value back.
func (d *dimension) format(v int64) string {
	sign, abs := "", v
	if v < 0 {
		sign, abs = "-", -v
	}
	for _, s := range d.symbols {
		if abs < s.scale || s.hidden {
			continue
		}
		if text, ok := decimal(abs, s.scale); ok {
			return sign + text + s.name
		}
	}
	return fmt.Sprintf("%s%d%s", sign, abs, d.symbols[len(d.symbols)-1].name)
}

// decimal prints v/scale with at most three decimals when that is exact.
func decimal(v, scale int64) (string, bool) {
	whole, rest := v/scale, v%scale
	thousandths, exact := MulDiv(rest, 1000, scale)
	if !exact {
		return "", false
	}
	if thousandths == 0 {
		return fmt.Sprint(whole), true
	}
	return strings.TrimRight(fmt.Sprintf("%d.%03d", whole, thousandths), "0"), true
}

// ParseBytes reads "9216B", "32MiB", "1.5KiB", "12MB". At most 1 PiB.
func ParseBytes(s string) (Bytes, error) { v, err := bytesDim.parse(s); return Bytes(v), err }

// ParseBitRate reads "400Gbps", "2.5Gb/s", "500Mbps". At most 1000 Tb/s.
func ParseBitRate(s string) (BitRate, error) { v, err := rateDim.parse(s); return BitRate(v), err }

// ParsePortSpeed reads a rate as ports are called too: "400G" is "400Gbps".
func ParsePortSpeed(s string) (BitRate, error) {
	if called := strings.TrimSpace(s); strings.HasSuffix(called, "G") {
		s = called + "bps"
	}
	return ParseBitRate(s)
}

// PortSpeed returns a rate as ports are called: "400G".
func (r BitRate) PortSpeed() string { return strings.TrimSuffix(r.String(), "bps") }

// ParseTime reads "1.5us", "200ms", "614.4ns". At most 10,000 s.
func ParseTime(s string) (Time, error) { v, err := timeDim.parse(s); return Time(v), err }

// WithUnit adds the unit that a bare number has in a table: "40" with "m" is "40m". Blanks around
// it are ignored; a text that is not a bare number is returned as it is.
func WithUnit(s, unit string) string {
	s = strings.TrimSpace(s)
	if s != "" && strings.Trim(s, "0123456789.") == "" {
		return s + unit
	}
	return s
}

// ParseLength reads "100m", "0.5m", "2km". At most 100,000 km.
func ParseLength(s string) (Length, error) { v, err := lengthDim.parse(s); return Length(v), err }

// ParseRatio reads "5%", "0.898%", "20ppm". At most 100,000 %.
func ParseRatio(s string) (Ratio, error) { v, err := ratioDim.parse(s); return Ratio(v), err }

// ParseAlpha reads a power of two as engineers write it, from "1/128" to "128".
func ParseAlpha(s string) (Alpha, error) {
	for a := Alpha(-10); a <= 10; a++ {
		if a.String() == strings.TrimSpace(s) {
			return a, nil
		}
	}
	return 0, &ParseError{Text: s, Kind: "an alpha", Problem: "it is not a power of two between 1/1024 and 1024", Example: "1/8"}
}

// The String methods print a text that the matching Parse function reads back.

func (b Bytes) String() string   { return bytesDim.format(int64(b)) }
func (r BitRate) String() string { return rateDim.format(int64(r)) }
func (t Time) String() string    { return timeDim.format(int64(t)) }
func (l Length) String() string  { return lengthDim.format(int64(l)) }

// String prints a ratio in per cent where three decimals hold it.
func (q Ratio) String() string {
	if text, ok := decimal(max(int64(q), 0), int64(Percent)); ok && q >= 0 {
		return text + "%"
	}
	return ratioDim.format(int64(q))
}

// String prints a count of cells.
func (c Cells) String() string { return fmt.Sprintf("%d cells", int64(c)) }
