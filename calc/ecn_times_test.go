package calc_test

import (
	"os"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// withCurves computes the example ucloud-pod with marking curves in its class of RDMA.
func withCurves(t *testing.T, curves string) (*plan.Plan, diag.List) {
	t.Helper()
	text := must.Get(os.ReadFile("../examples/ucloud-pod/fabric.hcl"))(t)
	const class = `congestion_control = "dcqcn"`
	if !strings.Contains(string(text), class) {
		t.Fatal("the example has no class with DCQCN")
	}
	return compute(t, strings.Replace(string(text), class, class+curves, 1), "../examples/ucloud-pod")
}

// Kmin and Kmax given as times are what each port drains in them: 25 Gb/s times 40 us is
// 125,000 B, 100 Gb/s 500,000 B, in whole cells of 256 B.
func TestCurveAsTimes(t *testing.T) {
	p := must.Sound(withCurves(t, `
  ecn {
    kmin = "40us"
    kmax = "60us"
    pmax = "1%"
  }
`))(t)
	want := map[units.BitRate][2]units.Bytes{25 * units.Gbps: {124_928, 187_392}, 100 * units.Gbps: {499_968, 749_824}}
	seen := map[units.BitRate]bool{}
	for _, sw := range p.Switches {
		for _, port := range sw.Ports {
			for _, q := range port.QoS.Queues {
				if q.ECN == nil || sw.Cell != 256 {
					continue
				}
				seen[port.Speed] = true
				must.Equalf(t, [2]units.Bytes{q.ECN.KMin.Value, q.ECN.KMax.Value}, want[port.Speed], "%s %s at %v:", sw.Names[0], port.Name, port.Speed)
			}
		}
	}
	if len(seen) < 2 {
		t.Errorf("speeds %v, want both", seen)
	}
}

// A curve for a speed is that of its ports, and the others have that of the block without one.
func TestCurveBySpeed(t *testing.T) {
	p, found := withCurves(t, `
  ecn {
    kmin = "25600B"
    kmax = "51200B"
    pmax = "2%"
  }
  ecn {
    speed = "100Gbps"
    kmin  = "102400B"
    kmax  = "20us" # 250,000 B at 100G: 976 cells of 256 B
    pmax  = "1%"
  }
`)
	if p == nil {
		t.Fatal(found)
	}
	want := map[units.BitRate][3]int64{
		25 * units.Gbps:  {25600, 51200, int64(2 * units.Percent)},
		100 * units.Gbps: {102400, 976 * 256, int64(units.Percent)},
	}
	seen := map[units.BitRate]bool{}
	for _, sw := range p.Switches {
		for i := range sw.Ports {
			port := &sw.Ports[i]
			for _, q := range port.QoS.Queues {
				if q.ECN == nil {
					continue
				}
				seen[port.Speed] = true
				if got := [3]int64{int64(q.ECN.KMin.Value), int64(q.ECN.KMax.Value), int64(q.ECN.PMax.Value)}; got != want[port.Speed] {
					t.Errorf("%s %s at %v: %v, want %v", sw.Names[0], port.Name, port.Speed, got, want[port.Speed])
				}
			}
		}
	}
	must.Equalf(t, len(seen), 2, "speeds %v:", seen)
}
