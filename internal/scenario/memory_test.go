package scenario

import (
	"fmt"
	"math"
	"testing"

	"github.com/roceplan/roceplan/model/sim/pattern"
	"github.com/roceplan/roceplan/units"
)

// A memory of 200 Gb/s is read before a message of 1,000 B is sent, after 240 ns, and written after it came: 240 ns and twice 40 ns more. One
// of 200 B goes with its request, and is written in 8 ns. A memory of 50 Gb/s holds back a link of 100.
func TestMemoryOfHosts(t *testing.T) {
	text := ""
	for _, rate := range []string{"", "200Gbps", "50Gbps"} {
		for _, size := range []int{1000, 200, 1} {
			memory := ""
			if rate != "" {
				memory = fmt.Sprintf("memory {\n    rate   = %q\n    fetch  = \"240ns\"\n    inline = \"220B\"\n  }", rate)
			}
			text += fmt.Sprintf("scenario \"s%s-%d\" {\n  %s\n  flow {\n    src = \"leaf-1:Ethernet0\"\n    dst = \"leaf-2:Ethernet0\"\n    message = \"%dB\"\n  }\n}\n", rate, size, memory, size)
		}
	}
	f, p := compiled(t, "dcqcn", text)
	all := jobs(t, p, whole, Traces(nil).All(f)[:9], 10*units.Microsecond)
	for i := range all {
		all[i].Detailed = true
	}
	took := map[string]pattern.Outcome{}
	for _, o := range run(t, all) {
		took[o.Pattern] = o
	}
	for size, more := range map[int]float64{1000: 0.320, 200: 0.008} {
		name := fmt.Sprint("-", size)
		if got := took["s200Gbps"+name].FlowResults[0].DeliveredUS - took["s"+name].FlowResults[0].DeliveredUS; math.Abs(got-more) > 1e-6 {
			t.Errorf("%d B take %v us more, want %v", size, got, more)
		}
	}
	if one, many := took["s-1"].FlowResults[0].DeliveredUS, took["s-200"].FlowResults[0].DeliveredUS; one >= many {
		t.Errorf("1 B takes %v us, 200 B %v", one, many)
	}
	if got, want := took["s50Gbps-1"].Skipped, "lets hosts read their memory at 50Gbps, more slowly than a link of 100Gbps"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
