package calc_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// gpus is a pod of 1,024 GPUs at 400G on Tomahawk 5 with two lossless classes, 3 m of copper
// to the hosts and 500 m to the spines.
const gpus = `fabric "gpus" {
  mtu             = "9216B"
  lossless_frame  = "4200B"
  expected_delay  = "5us"
  tolerable_delay = "20us"
  # more
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "8Gbps"
}
traffic_class "rdma" {
  dscp               = [26]
  queue              = 3
  pfc                = 3
  weight             = 60
  congestion_control = "dcqcn"
  queue_pairs        = 16
}
traffic_class "storage" {
  dscp               = [34]
  queue              = 4
  pfc                = 4
  weight             = 20
  congestion_control = "dcqcn"
  queue_pairs        = 16
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 20
}
nic "cx7" {
  model    = "connectx-7"
  roce_mtu = "4096B"
}
switch "leaf-[01..16]" {
  chip = "tomahawk5"
  os   = "sonic"
  port_group "gpus" {
    ports  = "Ethernet[0..252/4]"
    speed  = "400Gbps"
    lanes  = 4
    first_lane = 1
    cable  = "3m"
    medium = dac
    peer   = nic.cx7
  }
  port_group "spines" {
    ports  = "Ethernet[256..504/8]"
    speed  = "800Gbps"
    lanes  = 8
    first_lane = 257
    cable  = "500m"
    medium = fiber
    peer   = switch.spine
  }
}
switch "spine-[01..08]" {
  chip = "tomahawk5"
  os   = "sonic"
  port_group "leaves" {
    ports  = "Ethernet[0..504/8]"
    speed  = "800Gbps"
    lanes  = 8
    first_lane = 1
    cable  = "500m"
    medium = fiber
    peer   = switch.leaf
  }
}
clos "pod" {
  lower          = switch.leaf
  upper          = switch.spine
  lower_ports    = "spines"
  upper_ports    = "leaves"
  links_per_pair = 4
}
`

// Both classes with headroom of their own for 500 m are more than the chip has. Each change
// that the message names is made, alone at the switch that it is named for, and helps there.
func TestWaysOutAreCompiled(t *testing.T) {
	_, found := compute(t, gpus, "")
	ways := map[string]string{}
	for _, d := range found {
		if d.Code == calc.BufferExceeded {
			ways[regexp.MustCompile(`(leaf|spine)-`).FindString(d.Message)] = d.Fix
		}
	}
	if len(ways) != 2 {
		t.Fatalf("%v, want leaf and spine to be without room", ways)
	}
	for at, fix := range ways {
		cable := regexp.MustCompile(`cables of at most (\d+m) in port group "(\w+)"`).FindStringSubmatch(fix)
		sharing := regexp.MustCompile(`headroom_sharing = "\d+:1"`).FindString(fix)
		if cable == nil || sharing == "" || !strings.Contains(fix, "one lossless class instead of 2") {
			t.Errorf("%s: %q does not name a cable, a ratio and fewer classes", at, fix)
			continue
		}
		group := strings.Index(gpus, `port_group "`+cable[2])
		shorter := gpus[:group] + strings.Replace(gpus[group:], `"500m"`, `"`+cable[1]+`"`, 1)
		single := strings.Replace(strings.Replace(gpus, "  pfc                = 4\n", "", 1), "  priority_group     = 4\n", "", 1)
		for what, text := range map[string]string{cable[1]: shorter, sharing: strings.Replace(gpus, "# more", sharing, 1), "one class": single} {
			_, found := compute(t, text, "")
			for _, d := range found {
				if d.Code == calc.BufferExceeded && strings.Contains(d.Message, at) {
					t.Errorf("%s with %s: %s", at, what, d.Message)
				}
			}
		}
	}
}

// A pool for sixteen groups at once takes 16 times the largest headroom in each of the two
// parts, and the switches can be planned.
func TestHeadroomForSoManyGroups(t *testing.T) {
	p := must.Sound(compute(t, strings.Replace(gpus, "# more", `headroom_sharing = "16 groups"`, 1), ""))(t)
	for _, sw := range p.Switches {
		largest := sw.Ports[len(sw.Ports)-1].QoS.PGs[1].Headroom.Value // 800G and 500 m
		for _, pool := range sw.Pools {
			if pool.Name == calc.IngressPool && pool.Headroom.Value != 16*2*largest {
				t.Errorf("%s: a pool of %v for 16 groups of %v in each of two parts", sw.Names[0], pool.Headroom.Value, largest)
			}
		}
		must.Equalf(t, sw.PausedPGs, 16, "%s: groups are declared to be paused at once:", sw.Names[0])
	}
}

// Which pipes the ports of a Tomahawk are at is not known, so one part of its buffer may have the
// groups of 16 of the 32 ports: a pool for n groups at once has n of the largest in each of the four
// parts, and for 16 and more it is what needs no sharing.
func TestHeadroomForSoManyGroupsOfPorts(t *testing.T) {
	text := must.Get(os.ReadFile("../examples/tomahawk-eos-pod/fabric.hcl"))(t)
	pool := func(sharing string) (size, each units.Bytes) {
		own := regexp.MustCompile(`(?m)^  headroom_sharing.*\n`).ReplaceAllString(string(text), "")
		p := must.Sound(compute(t, strings.Replace(own, "\n  expected_delay", "\n  "+sharing+"\n  expected_delay", 1), ""))(t)
		spine := p.Switches[1]
		for _, pg := range spine.Ports[0].QoS.PGs {
			each = max(each, pg.Headroom.Value)
		}
		for _, pool := range spine.Pools {
			size = max(size, pool.Headroom.Value)
		}
		return size, each
	}
	whole, each := pool("")
	if whole != 4*16*each {
		t.Errorf("without sharing the pool is %v, want 16 of %v in each of four parts", whole, each)
	}
	// a ratio is one to the pool that needs no sharing: 1:1 shares nothing
	for sharing, groups := range map[string]units.Bytes{"8 groups": 8, "12 groups": 12, "16 groups": 16, "20 groups": 16, "1:1": 16, "2:1": 8, "4:1": 4} {
		if got, _ := pool(`headroom_sharing = "` + sharing + `"`); got != 4*groups*each {
			t.Errorf("%s: the pool is %v, want %d of %v in each of four parts", sharing, got, groups, each)
		}
	}
}

// Where neither fewer classes nor shorter cables alone are enough, both together are named, and
// fit at the switch for which they are.
func TestWaysOutTogether(t *testing.T) {
	far := strings.Replace(gpus, `"500m"`, `"9000m"`, 1) // the leaves' cables up
	_, found := compute(t, far, "")
	together := regexp.MustCompile(`one lossless class instead of 2, with cables of at most (\d+m) in port group "spines"`)
	for _, d := range found {
		if d.Code != calc.BufferExceeded || !strings.Contains(d.Message, "leaf-") {
			continue
		}
		way := together.FindStringSubmatch(d.Fix)
		if way == nil {
			t.Fatalf("%s", d.Fix)
		}
		fits := strings.Replace(strings.Replace(far, "  pfc                = 4\n", "", 1), `"9000m"`, `"`+way[1]+`"`, 1)
		_, found := compute(t, fits, "")
		for _, d := range found {
			if d.Code == calc.BufferExceeded && strings.Contains(d.Message, "leaf-") {
				t.Errorf("with one class and %s: %s", way[1], d.Message)
			}
		}
		return
	}
	t.Errorf("cables of 9 km fit: %v", found)
}
