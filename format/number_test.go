package format_test

import (
	"fmt"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// The number that a leaf gets, and the finding, at every kind of bound and of rounding.
func TestWrite(t *testing.T) {
	mtu := format.Number{Unit: format.Bytes, Less: 4, Least: 1500, Most: 9412}
	timer := format.Number{Unit: format.Milliseconds, Round: format.Up, Least: 10, Most: 1500, Clamps: true}
	rate := format.Number{Unit: format.KilobitsPerS, Round: format.Up}
	for _, c := range []struct {
		what, want string
		got        func(format.Voice) int64
	}{
		{"whole", "5", write(format.WholePerCent, 5*units.Percent)},
		{"down", "2 warning[r]: a probability of 2.5% is not supported: Box takes whole per cent from 1 to 100, and gets 2%; write 2% in the fabric, so that plan and switch agree", write(format.WholePerCent, 25*units.Percent/10)},
		{"not to nothing", "1 warning[r]: a probability of 0.5% is not supported: Box takes whole per cent from 1 to 100, and gets 1%; write 1% in the fabric, so that plan and switch agree", write(format.WholePerCent, units.Percent/2)},
		{"least", "1500", write(mtu, 1504*units.Byte)},
		{"most", "9412", write(mtu, 9416*units.Byte)},
		{"below", "1500 error[b]: a probability of 1503B is not supported: Box takes 1504B to 9416B; choose a probability from 1504B to 9416B", write(mtu, 1503*units.Byte)},
		{"above", "9412 error[b]: a probability of 9417B is not supported: Box takes 1504B to 9416B; choose a probability from 1504B to 9416B", write(mtu, 9417*units.Byte)},
		{"up", "201 warning[r]: a probability of 200.001ms is not supported: Box takes whole milliseconds from 10 to 1500, and gets 201ms; write 201ms in the fabric, so that plan and switch agree", write(timer, 200*units.Millisecond+units.Microsecond)},
		{"clamped", "1500 warning[r]: a probability of 2s is not supported: Box takes whole milliseconds from 10 to 1500, and gets 1.5s; write 1.5s in the fabric, so that plan and switch agree", write(timer, 2*units.Second)},
		{"unbounded", "2 warning[r]: a probability of 1.001kbps is not supported: Box takes whole kb/s, and gets 2kbps; write 2kbps in the fabric, so that plan and switch agree", write(rate, 1001*units.BitPerSecond)},
	} {
		var list diag.List
		got := fmt.Sprint(c.got(format.Voice{List: &list, System: "Box", Rounded: "r", Range: "b"}))
		for _, d := range list {
			got += fmt.Sprintf(" %s[%s]: %s; %s", d.Severity, d.Code, d.Message, d.Fix)
		}
		must.Equalf(t, got, c.want, "%s:", c.what)
	}
}

func write[Q format.Quantity](n format.Number, v Q) func(format.Voice) int64 {
	return func(to format.Voice) int64 { return format.Write(to, n, "probability", v, diag.Range{}) }
}

// A path is split at its nearest list.
func TestRow(t *testing.T) {
	rows := format.New([]format.Row{{Path: "a/b"}, {Path: "a/c[name]"}, {Path: "a/c[name]/d[x y]/e/f"}})
	for i, want := range []string{"[a b] []   a b 0", "[a c] [name]   a c 1", "[e f] [] a/c[name]/d[x y]  a c d e f 2"} {
		r := &rows[i]
		must.Equalf(t, fmt.Sprint(r.Names(), " ", r.Keys(), " ", r.Around(), "  ", r.Plain(), " ", r.Place()), want, "%s:", r.Path)
	}
}

// Probabilities are rounded down, but to no less than 1 and no more than 100.
func TestWholePerCent(t *testing.T) {
	for ratio, want := range map[units.Ratio]int64{
		0: 1, units.Percent / 2: 1, units.Percent: 1, 2*units.Percent - 1: 1, 2 * units.Percent: 2, units.One - 1: 99, units.One: 100, units.One + units.Percent: 100,
	} {
		if got := format.WholePerCent.Fit(int64(ratio)); got != want {
			t.Errorf("%v is %d %%, want %d", ratio, got, want)
		}
	}
}
