package scenario

import (
	"math"
	"testing"

	"github.com/roceplan/roceplan/units"
)

// Two all-reduces of 8 GPUs over 16,000,000 B, which compute 100 us before each: each sends 14/8 of the data. By what nccl-tests calls bus bandwidth
// that is no more than a port of 100 Gb/s carries, 12.5 GB/s, and with headers and steps that wait for others not less than 10. An
// all-gather sends 7/8.
func TestBusBandwidth(t *testing.T) {
	f, p := compiled(t, "dcqcn", `
scenario "reduce" {
  hosts = ["leaf-1:Ethernet[0..28/4]"]
  collective {
    operation = all_reduce
    algorithm = ring
    message   = "16MB"
    repeat    = 2
    compute   = "100us"
  }
}
scenario "gather" {
  hosts = ["leaf-1:Ethernet[0..28/4]"]
  collective {
    operation = all_gather
    message   = "16MB"
  }
}
`)
	list := Traces(nil).All(f)[:2]
	for _, o := range run(t, jobs(t, p, whole, list, 100*units.Microsecond)) {
		b := &o.Completion.Blocks[0]
		want := 16e6 * 7 / 8 / b.Duration / 1e3
		if o.Pattern == "reduce" {
			want = 16e6 * 2 * 7 / 8 / (b.Duration/2 - 100) / 1e3
		}
		if got := b.BusBandwidth; math.Abs(got/want-1) > 1e-9 || got < 10 || got > 12.5 {
			t.Errorf("%s: %v GB/s in %v us, want %v", o.Pattern, got, b.Duration, want)
		}
	}
}
