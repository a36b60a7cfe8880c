package nvue

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
)

// Cumulus Linux 5.9 and 5.14, RDMA over Converged Ethernet, `nv show qos roce`: lossless halves the memory at
// ingress, lossless-single-ipool does not, and lossy has one pool without PFC. 5.14, qos_infra.conf: a pool
// of all memory where PFC alone is on. 5.14, Change RoCE Configuration: shares that the file gives instead.
func TestPoolsByDefault(t *testing.T) {
	const pfc = "pfc: {default-global: {switch-priority: {'3': {}}}}\n"
	for _, c := range []struct{ qos, pools, group, queue string }{
		{"roce: {}\n", "egress-0 50%, egress-1 infinite, ingress-0 50%, ingress-1 50%", "ingress-1 1", "egress-1 none"},
		{"roce: {mode: lossless-single-ipool}\n", "egress-0 100%, egress-1 infinite, ingress-0 100%", "ingress-0 1", "egress-1 none"},
		{"roce: {mode: lossy}\n", "", "", ""},
		{"pfc: {unused: {tx: enable}}\n", "", "", ""},
		{pfc, "egress-0 100%, ingress-0 100%", "ingress-0 1", "egress-0 none"},
		{"roce: {}\ntraffic-pool: {default-lossy: {memory-percent: 40}, roce-lossless: {memory-percent: 60}}\n",
			"egress-0 40%, egress-1 infinite, ingress-0 40%, ingress-1 60%", "ingress-1 1", "egress-1 none"},
		{"roce: {}\nadvance-buffer-config: {default-global: {ingress-lossless-buffer: {shared-alpha: alpha_2}}}\n",
			"egress-0 50%, egress-1 infinite, ingress-0 50%, ingress-1 50%", "ingress-1 2", "egress-1 none"},
	} {
		sw := readFile("nvue.yaml", []byte(under(c.qos)+"    interface:\n      swp1: {}\n")).Switch
		var pools []string
		for _, p := range sw.Pools {
			share := fmt.Sprintf("%d%%", p.Percent)
			if p.Infinite {
				share = "infinite"
			}
			pools = append(pools, p.Name+" "+share)
		}
		group, queue := "", ""
		for _, g := range sw.Ports[0].QoS.PGs {
			if g.Lossless {
				group = g.Pool + " " + bound(g.Limit.Value)
			}
		}
		for _, q := range sw.Ports[0].QoS.Queues {
			if q.ID == 3 && c.pools != "" {
				queue = q.Pool + " " + bound(q.Limit.Value)
			}
		}
		if got := strings.Join(pools, ", "); got != c.pools || group != c.group || queue != c.queue {
			t.Errorf("%s has the pools %q, its lossless group %q, its queue %q", c.qos, got, group, queue)
		}
	}
}

func bound(l plan.Limit) string {
	if l.Dynamic {
		return l.Alpha.String()
	}
	return map[bool]string{true: "none"}[l.Static == plan.NoLimit]
}

// The model in the head of a file is the platform, by the names that ONIE gives these boxes in
// sonic-buildimage; a virtual machine is none.
func TestBox(t *testing.T) {
	for model, want := range map[string]string{"SN5600": "x86_64-nvidia_sn5600-r0", "MSN2700": "x86_64-mlnx_msn2700-r0", "msn3700c": "x86_64-mlnx_msn3700c-r0", "VX": ""} {
		must.Equalf(t, readFile("nvue.yaml", []byte("- header:\n    model: "+model+"\n- set: {qos: {roce: {}}}\n")).Switch.Platform, want, "%s is", model)
	}
}
