package cabling

import (
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/units"
)

// lldpd reads `lldpctl -f json` and `-f json0`. In json a list of one is not a list, interfaces are
// keys or have a name, and a chassis is the key of its object; in json0 all are lists and every
// scalar is an object with a value (lldpd, src/client/json_writer.c and
// tests/integration/test_lldpcli.py).
func (r *reader) lldpd(n *posjson.Node) {
	for _, lldp := range documents(n) {
		for _, item := range documents(lldp.Get("interface")) {
			if name := text(item.Get("name")); name != "" && item.Get("port") != nil {
				r.lldpdNeighbour(name, item)
				continue
			}
			for i := range item.Members {
				r.lldpdNeighbour(item.Members[i].Key, &item.Members[i].Value)
			}
		}
	}
}

func (r *reader) lldpdNeighbour(port string, n *posjson.Node) {
	if n.Kind == posjson.Array { // several neighbours behind one port
		for i := range n.Items {
			r.lldpdNeighbour(port, &n.Items[i])
		}
		return
	}
	if via := text(n.Get("via")); n.Kind != posjson.Object || via != "" && via != "LLDP" {
		return
	}
	name, chassis := lldpdChassis(n.Get("chassis"))
	far := first(n.Get("port"))
	b := End{Device: name, Port: text(far.Get("id"))}
	if d := text(far.Get("descr")); d != "" {
		b.Also = portNames(d)
	}
	r.see(Sighting{
		A: End{Device: r.device, Port: port}, B: b, System: text(chassis.Get("descr")),
		Speed: mauSpeed(text(far.Get("auto-negotiation", "current"))), Heard: true, At: r.doc.At(n),
	})
}

// lldpdChassis finds the name of a chassis and its object. One without a name is called by its ID.
func lldpdChassis(n *posjson.Node) (string, *posjson.Node) {
	n = first(n)
	if n.Get("id") != nil || n.Get("name") != nil {
		if name := text(n.Get("name")); name != "" {
			return name, n
		}
		return text(n.Get("id")), n
	}
	if n != nil && len(n.Members) == 1 {
		return n.Members[0].Key, &n.Members[0].Value
	}
	return "", nil
}

// first returns the first of a list, or what is not a list.
func first(n *posjson.Node) *posjson.Node {
	if n != nil && n.Kind == posjson.Array {
		if len(n.Items) == 0 {
			return nil
		}
		return &n.Items[0]
	}
	return n
}

// mauSpeed returns the speed in the name of a MAU type: "10GigBaseLR - R fiber over 1310nm optics".
func mauSpeed(mau string) units.BitRate {
	name, _, _ := strings.Cut(strings.ToLower(mau), "base")
	digits := strings.TrimRight(name, "abcdefghijklmnopqrstuvwxyz")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0
	}
	unit := map[string]string{"": "Mbps", "g": "Gbps", "gig": "Gbps", "gbe": "Gbps"}[strings.TrimPrefix(name, digits)]
	speed, err := units.ParseBitRate(digits + unit)
	if unit == "" || err != nil {
		return 0
	}
	return speed
}

// portNames are names of a port that a description may hold: itself, and what follows the
// colon in DEVICE:PORT.
func portNames(descr string) []string {
	if _, port, ok := strings.Cut(descr, ":"); ok {
		return []string{descr, strings.TrimSpace(port)}
	}
	return []string{descr}
}
