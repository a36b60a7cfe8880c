package observe

import (
	"strings"
	"testing"
	"time"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/units"
)

// suggested applies what a report suggests to the text of its fabric.
func suggested(t *testing.T, text string, rows ...Row) (after string, edits []Edit) {
	t.Helper()
	edits = check(t, text, rows...).Suggest(diag.Sources{"fabric.hcl": []byte(text)})
	return string(Apply("fabric.hcl", []byte(text), edits)), edits
}

// What is suggested compiles, and by it the same rows refute nothing.
func carries(t *testing.T, after string, rows ...Row) {
	t.Helper()
	if r := check(t, after, rows...); len(r.Conclusions) != 0 {
		t.Errorf("after the change: %v\n%s", r.Findings(), after)
	}
}

// The response of these NICs is declared, so it is what is corrected, in a line of its own in the
// port group. 127,232 B are TestHeadroomExceeded's: 1107 ns; 128,512 B, 5 cells more, take
// 5 · 84 B / 0.01250125 B/ps = 33,597 ps longer: 38,892 + 420 = 39,312 B in 3,144,646 ps, less
// 2,004,475 ps: 1,140,171 ps. One line for the group, with the larger figure.
func TestSuggestResponse(t *testing.T) {
	rows := []Row{reading("leaf-1", onGroup("Ethernet0"), GroupHeadroom, 0, 127_232), reading("leaf-2", onGroup("Ethernet4"), GroupHeadroom, 0, 128_512)}
	after, edits := suggested(t, pod2, rows...)
	if len(edits) != 1 || edits[0].Attribute != "pause_response" || edits[0].Value != `"1141ns"` && edits[0].Value != `"1.141us"` || edits[0].Block != `switch "leaf-[1..2]" port_group "servers"` {
		t.Fatalf("%+v", edits)
	}
	if !strings.Contains(after, "    speed = \"100Gbps\"\n    pause_response = \"1.141us\"\n") {
		t.Errorf("%s", after)
	}
	carries(t, after, rows...)
}

// Both ends see the cable: it is as long as the larger use says, at both. 139,520 B are 545 cells,
// 511 · 84 = 42,924 B in 3,433,577 ps, less 2,974,475 ps: 459,102 ps, 45.9 m; 139,264 B a cell less.
func TestSuggestCable(t *testing.T) {
	rows := []Row{reading("leaf-1", onGroup("Ethernet96"), GroupHeadroom, 0, 139_520), reading("spine-1", onGroup("Ethernet0"), GroupHeadroom, 0, 139_264)}
	after, edits := suggested(t, pod2, rows...)
	if len(edits) != 2 || edits[0].Value != `"46m"` || edits[1].Value != `"46m"` || edits[0].Was != `"30m"` {
		t.Fatalf("%+v", edits)
	}
	carries(t, after, rows...)
	f, _ := plantest.Text(t, catalogue(), after)
	must.Equalf(t, f.Switches[1].Groups[0].Cable.Value, 46*units.Metre, "the spine's cable is")
}

// A length that a variable gives cannot be replaced where it stands: the response takes the
// difference.
func TestSuggestBesideVariables(t *testing.T) {
	text := "variable \"reach\" { default = \"30m\" }\n" + strings.ReplaceAll(strings.ReplaceAll(pod2, `= "30m"`, "= var.reach"), "    pause_response = \"1us\"\n", "")
	rows := []Row{reading("leaf-1", onGroup("Ethernet96"), GroupHeadroom, 0, 200_000), reading("spine-1", onGroup("Ethernet0"), GroupHeadroom, 0, 199_936)}
	after, edits := suggested(t, text, rows...)
	if len(edits) != 2 || edits[0].Attribute != "pause_response" || edits[1].Attribute != "pause_response" {
		t.Fatalf("%+v", edits)
	}
	if r := check(t, after, rows...); len(r.Conclusions) != 0 {
		t.Errorf("%v", r.Findings())
	}
	if _, edits := suggested(t, pod2); len(edits) != 0 {
		t.Errorf("of nothing: %+v", edits)
	}
}

// What passes between two readings that are not of one time: 1 Gb/s is 125,000 B in a
// millisecond, and 25 Gb/s 3.125 B in a nanosecond, of which the fourth has begun.
func TestPassed(t *testing.T) {
	for _, c := range []struct {
		rate units.BitRate
		gap  time.Duration
		want uint64
	}{{units.Gbps, time.Millisecond, 125_000}, {25 * units.Gbps, time.Nanosecond, 4}, {10 * units.Gbps, time.Second, 1_250_000_000}, {400 * units.Gbps, 0, 0}} {
		must.Equalf(t, passed(c.rate, c.gap), c.want, "%v for %v: B:", c.rate, c.gap)
	}
}
