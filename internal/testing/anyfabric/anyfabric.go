// Package anyfabric draws fabrics of leaves and spines for tests and studies: chips, cards, speeds,
// oversubscription and cables, with nothing said of curves, thresholds and constants. A seed always gives
// the same fabric.
package anyfabric

import (
	"fmt"
	"math/rand/v2"
)

// A Fabric is one that was drawn.
type Fabric struct {
	About string // "tomahawk3, eos; 16 connectx-6 at 100G a leaf, 2:1 over 4x200G; 3m, 100m; 4 queue pairs"
	Text  string // HCL
}

// A box is a chip with what it is used for: speeds in Gb/s of servers' ports and of ports between switches.
type box struct {
	chip        string
	os          []string
	servers, up []int
}

func boxes() []box {
	xgs, sonic := []string{"sonic", "eos"}, []string{"sonic"}
	return []box{
		{"trident3", xgs, []int{25, 100}, []int{100}},
		{"trident4-x11", xgs, []int{25, 50, 100}, []int{100, 400}},
		{"tomahawk", xgs, []int{25, 50, 100}, []int{100}},
		{"tomahawk2", xgs, []int{25, 100}, []int{100}},
		{"tomahawk3", xgs, []int{50, 100, 200}, []int{200, 400}},
		{"tomahawk4", xgs, []int{100, 200, 400}, []int{400}},
		{"tomahawk5", xgs, []int{100, 200, 400, 800}, []int{400, 800}},
		{"tomahawk6", sonic, []int{400, 800}, []int{800}},
		{"spectrum1", sonic, []int{25, 50, 100}, []int{100}},
		{"spectrum2", sonic, []int{25, 50, 100}, []int{200}},
		{"spectrum3", sonic, []int{25, 100, 200}, []int{200, 400}},
		{"spectrum4", sonic, []int{100, 200, 400}, []int{400, 800}},
		{"spectrum5", sonic, []int{400, 800}, []int{800}},
		{"teralynx10", sonic, []int{100, 400}, []int{400, 800}},
	}
}

// cards returns the cards that have ports of a speed.
func cards(speed int) []string {
	switch {
	case speed <= 25:
		return []string{"connectx-4", "connectx-5", "connectx-6", "bluefield-2", "e810", "thor", "thor2"}
	case speed <= 100:
		return []string{"connectx-5", "connectx-6", "connectx-7", "bluefield-2", "e810", "thor", "pollara-400"}
	case speed <= 200:
		return []string{"connectx-6", "connectx-7", "bluefield-2", "bluefield-3", "thor", "thor2"}
	case speed <= 400:
		return []string{"connectx-7", "connectx-8", "bluefield-3", "thor2", "pollara-400", "thor-ultra"}
	}
	return []string{"connectx-8", "thor-ultra"}
}

func one[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// Draw draws the fabric of a seed.
func Draw(seed uint64) Fabric {
	r := rand.New(rand.NewPCG(seed, 0x666162726963))
	b := one(r, boxes()...)
	os, speed, up := one(r, b.os...), one(r, b.servers...), one(r, b.up...)
	card, hosts, ratio := one(r, cards(speed)...), one(r, 8, 12, 16), one(r, 1, 1, 2, 3, 4)
	uplinks := max(1, (hosts*speed+ratio*up-1)/(ratio*up))
	spines := min(uplinks, 4)
	each := (uplinks + spines - 1) / spines
	near, far := one(r, 1, 3, 5, 15), one(r, 10, 30, 100, 300)
	pairs, mtu := one(r, 1, 1, 4, 16), one(r, 1024, 4096)
	if speed < 100 {
		pairs = min(pairs, 4) // their CNPs would take more than a strict class may have of such a port
	}
	first := map[string]int{"sonic": 0, "eos": 1}[os]
	ports := func(from, n int) string { return fmt.Sprintf("Ethernet[%d..%d]", from+first, from+first+n-1) }
	return Fabric{
		About: fmt.Sprintf("%s, %s; %d %s at %dG a leaf, %d:1 over %dx%dG; %dm, %dm; %d queue pairs of %d B", b.chip, os, hosts, card, speed, ratio, spines*each, up, near, far, pairs, mtu),
		Text:  fmt.Sprintf(text, seed, pairs, card, mtu, b.chip, os, ports(0, hosts), speed, near, ports(hosts, spines*each), up, far, spines, ports(0, 4*each), each, 40*speed),
	}
}

const text = `fabric "drawn-%[1]d" {
  mtu = "9216B"
}

traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "%[16]dMbps"
}

traffic_class "rdma" {
  dscp        = [26]
  queue       = 3
  pfc         = 3
  weight      = 60
  queue_pairs = %[2]d
}

traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 40
}

nic "card" {
  model    = "%[3]s"
  roce_mtu = "%[4]dB"
  cnp_dscp = 48
  cnp_pfc  = 6
}

switch "leaf-[1..4]" {
  chip = "%[5]s"
  os   = %[6]s
  role = "leaf"

  port_group "servers" {
    ports = "%[7]s"
    speed = "%[8]dGbps"
    cable = "%[9]dm"
    peer  = nic.card
  }
  port_group "spines" {
    ports = "%[10]s"
    speed = "%[11]dGbps"
    cable = "%[12]dm"
    peer  = switch.spine
  }
}

switch "spine-[1..%[13]d]" {
  chip = "%[5]s"
  os   = %[6]s
  role = "spine"

  port_group "leaves" {
    ports = "%[14]s"
    speed = "%[11]dGbps"
    cable = "%[12]dm"
    peer  = switch.leaf
  }
}

clos "pod" {
  lower          = switch.leaf
  upper          = switch.spine
  lower_ports    = "spines"
  upper_ports    = "leaves"
  links_per_pair = %[15]d
}
`
