package scenario

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/units"
)

// servers are 16 machines with 8 GPUs and 4 NICs each, one at each of the four leaves.
const servers = `
server "gpu" {
  switches = "leaf-[1..4]"
  gpus     = 8
  nics     = 4
  nvlink   = "3600Gbps"
}
`

// A collective runs among the GPUs of servers: what stays in a server sends nothing, rails carry their parts, and no more
// servers are simulated than are asked for.
func TestCollectivesOfServers(t *testing.T) {
	const data = 8 << 20
	f, p := compiled(t, "dcqcn", servers+`
scenario "a-tensor" {
  collective {
    operation = all_reduce
    message   = "8MiB"
    group     = 8
    repeat    = 3
    compute   = "10us"
  }
}
scenario "b-data" {
  collective {
    operation = all_reduce
    algorithm = ring
    message   = "8MiB"
    group     = 8
    stride    = 8
  }
}
scenario "c-rails" {
  collective {
    operation = all_gather
    message   = "8MiB"
  }
}
scenario "d-trees" {
  collective {
    operation = all_reduce
    algorithm = tree
    message   = "1MiB"
  }
}
scenario "e-experts" {
  collective {
    operation = all_to_all
    message   = "1MiB"
    group     = 64
    skew      = "100%"
  }
}`)
	if len(p.Servers) != 16 {
		t.Fatalf("%d servers", len(p.Servers))
	}
	all := jobs(t, p, fabric.Size{Edges: 4, HostsPerEdge: 8}, Traces(nil).All(f)[:5], 100*units.Microsecond)
	out := run(t, all)
	for i, want := range []int64{
		0,
		64 * 14 * data / 8,                // 64 GPUs on 8 servers send 2(n-1) chunks of an eighth
		4 * 8 * 63 * (data / 4 / 64),      // 4 channels from each of 8 servers, n-1 chunks of a 64th of a quarter
		4 * 2 * 2 * 7 * (1 << 20) / 4 / 2, // 4 channels, two trees of 8, up and down each edge
		0,
	} {
		o := &out[i]
		if i == 0 {
			if o.Flows != 0 || o.Unfinished != 0 {
				t.Errorf("%s: %d messages", o.Pattern, o.Flows)
			}
			continue
		}
		if o.Skipped != "" || o.Unfinished != 0 || o.LosslessDrops != 0 || want > 0 && o.Bytes != want {
			t.Errorf("%s: skipped %q, %d unfinished, %d lost, %d B, want %d", o.Pattern, o.Skipped, o.Unfinished, o.LosslessDrops, o.Bytes, want)
		}
		if net := all[i].Network; len(net.Hosts) != 32 || len(net.Servers) != 8 {
			t.Errorf("%s: %d hosts, %d servers", o.Pattern, len(net.Hosts), len(net.Servers))
		}
	}
	// A GPU sends to the 56 of the group on other servers, at least 1/64 of it by Zipf's law: all together 7/8.
	if o := &out[4]; o.Flows != 64*56 || o.Bytes < 64*(1<<20)*6/8 || o.Bytes > 64*(1<<20) {
		t.Errorf("experts: %d messages, %d B", o.Flows, o.Bytes)
	}
}

// A stride without a group parts all GPUs: of 64, every eighth is in a group of 8. Nobody is left without messages.
func TestStrideOfAll(t *testing.T) {
	f, p := compiled(t, "dcqcn", servers+`
scenario "a-all" {
  collective {
    operation = all_gather
    message   = "8MiB"
    stride    = 8
  }
}
scenario "b-eight" {
  collective {
    operation = all_gather
    message   = "8MiB"
    group     = 8
    stride    = 8
  }
}`)
	all := jobs(t, p, fabric.Size{Edges: 4, HostsPerEdge: 8}, Traces(nil).All(f)[:2], 100*units.Microsecond)
	_, got := all[0].Build()
	_, want := all[1].Build()
	if got != want || want < 64 {
		t.Errorf("%d messages of every eighth of all GPUs, %d of every eighth in groups of 8", got, want)
	}
}

// TCP cannot repeat a message, so that each of a ring's times is a message of its own, and counts: 2 x 64 x 64 of 100 x 100
// queue pairs; and for 64 GPUs with 16 GB, 120 rounds of 2 slices in each of 126 steps.
func TestEachTimeOfARingCounts(t *testing.T) {
	text := ""
	for name, class := range map[string]string{"lossless": "rdma", "tcp": "rest"} {
		text += fmt.Sprintf(`
scenario "a-ring-%[1]s" {
  ring_all_reduce {
    message     = "16GB"
    queue_pairs = 100
    class       = traffic_class.%[2]s
  }
}
scenario "b-collective-%[1]s" {
  collective {
    operation = all_reduce
    algorithm = ring
    message   = "16GB"
    class     = traffic_class.%[2]s
  }
}
`, name, class)
	}
	f, p := compiled(t, "dcqcn", text)
	for _, job := range jobs(t, p, whole, Traces(nil).All(f)[:4], 100*units.Microsecond) {
		if name := job.Scenario.Name; job.Fits() != strings.HasSuffix(name, "-lossless") {
			t.Errorf("%s fits: %v", name, job.Fits())
		}
	}
}

// Each server has its own NVLink: an all-reduce of 8 MiB inside of one of 8 GPUs moves 14 chunks of 1 MiB, at 3,600 Gb/s or at 36.
func TestNVLinkOfEachServer(t *testing.T) {
	text := `
scenario "a" {
  collective {
    operation = all_reduce
    message   = "8MiB"
    group     = 8
  }
}`
	for leaves, rate := range map[string]string{"1..2": "3600Gbps", "3..4": "36Gbps"} {
		text += fmt.Sprintf(`
server "at-%s" {
  switches = "leaf-[%s]"
  nics     = 8
  rails    = 2
  nvlink   = "%s"
}`, strings.Replace(leaves, "..", "-", 1), leaves, rate)
	}
	f, p := compiled(t, "dcqcn", text)
	sc, _ := jobs(t, p, whole, Traces(nil).All(f)[:1], 100*units.Microsecond)[0].Build()
	times := map[units.Time]int{}
	for _, flow := range sc.Flows {
		if flow.Src == flow.Dst {
			times[flow.Start]++
		}
	}
	fast, slow := (3600 * units.Gbps).CeilTime(14*units.MiB), (36 * units.Gbps).CeilTime(14*units.MiB)
	if len(times) != 2 || times[fast] != 4 || times[slow] != 4 {
		t.Errorf("%v, want 4 of %v and of %v", times, fast, slow)
	}
}

// What NCCL's cost model knows of servers is theirs: an all-reduce of 64 KiB by a ring with LL among four servers takes
// 6.6 + 56·1 + 6·2.7 us and 62/32 of the data at 20.4 GB/s; AMD's CPUs have 2 us instead of 1 and 19 GB/s; six steps over the
// network take 5 us longer each; NVLink SHARP does not change a ring that is asked for.
func TestMachinesOfServers(t *testing.T) {
	for machine, want := range map[string]float64{
		"":                          6.6 + 56*1 + 6*2.7 + 65.536*62/32/20.4,
		"cpu = amd":                 6.6 + 56*2 + 6*2.7 + 65.536*62/32/19,
		"step_latency = \"5us\"":    6.6 + 56*1 + 6*2.7 + 65.536*62/32/20.4 + 6*5,
		"nvls = true\n cpu = intel": 6.6 + 56*1 + 6*2.7 + 65.536*62/32/20.4,
	} {
		f, p := compiled(t, "dcqcn", strings.Replace(servers, "nics ", machine+"\n  nics ", 1)+`
scenario "a" {
  collective {
    operation = all_reduce
    algorithm = ring
    protocol  = ll
    message   = "64KiB"
    group     = 32
  }
}`)
		sc, _ := jobs(t, p, whole, Traces(nil).All(f)[:1], 100*units.Microsecond)[0].Build()
		ends := 0
		for _, flow := range sc.Flows {
			if !flow.Ends {
				continue
			}
			if ends++; math.Abs(float64(flow.Start)/1e6-want) > 0.01 {
				t.Errorf("%q: at least %v, want %.2f us", machine, flow.Start, want)
			}
		}
		if ends == 0 {
			t.Errorf("%q: no operation", machine)
		}
	}
}
