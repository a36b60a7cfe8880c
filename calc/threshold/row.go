package threshold

import (
	"strconv"

	"github.com/roceplan/roceplan/units"
)

// decoder reads the rows of a list and collects what is wrong with them.
type decoder struct {
	text      []byte
	catalogue Catalogue
	problems  []Problem
}

func (d *decoder) failf(at int, path, format string, args ...any) {
	d.problems = append(d.problems, problemAt(d.text, at, path, format, args...))
}

// fields are the keys that an object may have, with a function for each. Null means absent.
type fields map[string]func(n *node, path string)

// ignored is a field that says nothing to the calculation.
func ignored(*node, string) {}

func (d *decoder) object(n *node, path string, known fields) {
	if !n.isObject() {
		d.failf(n.offset, path, "want an object, found %s", brief(n))
		return
	}
	seen := map[string]bool{}
	for i := range n.members {
		m := &n.members[i]
		read, ok := known[m.key]
		switch {
		case seen[m.key]:
			d.failf(m.offset, path, "field %q is there twice", m.key)
		case !ok:
			d.failf(m.offset, path, "unknown field %q", m.key)
		case !m.value.isNull():
			read(&m.value, path+"."+m.key)
		}
		seen[m.key] = true
	}
}

// nested reads an object with fields of its own.
func (d *decoder) nested(known fields) func(*node, string) {
	return func(n *node, path string) { d.object(n, path, known) }
}

func brief(n *node) string {
	const most = 20
	if len(n.raw) > most {
		return string(n.raw[:most]) + "…"
	}
	return string(n.raw)
}

// whole reads an integer from low to high.
func (d *decoder) whole(n *node, path string, low, high int64) (int64, bool) {
	value, err := strconv.ParseInt(string(n.raw), 10, 64)
	switch {
	case err != nil:
		d.failf(n.offset, path, "want a whole number, found %s", brief(n))
	case value < low || value > high:
		d.failf(n.offset, path, "is %d, want %d to %d", value, low, high)
	default:
		return value, true
	}
	return 0, false
}

// number reads an integer into a field that may stay nil.
//
//go:noinline
func number[T ~int64 | ~int8](d *decoder, field **T, low, high int64) func(*node, string) {
	return func(n *node, path string) {
		if value, ok := d.whole(n, path, low, high); ok {
			typed := T(value)
			*field = &typed
		}
	}
}

func (d *decoder) pool(field **units.Bytes) func(*node, string) { return number(d, field, 0, maxPool) }
func (d *decoder) own(field **units.Bytes) func(*node, string)  { return number(d, field, 0, maxOwn) }

// row is one entry of a list.
type row struct {
	node   *node
	setup  *Setup // nil if the chip is not known
	expect *node  // nil if nothing is asked
}

func (d *decoder) row(n *node, path string) row {
	r := row{node: n}
	var chip, config *node
	keep := func(to **node) func(*node, string) { return func(n *node, _ string) { *to = n } }
	d.object(n, path, fields{
		"chip": keep(&chip), "config": keep(&config), "expect": keep(&r.expect),
		"topology": ignored, "speed_mbps": ignored, "cable_m": ignored, "source": ignored, "note": ignored,
		"predict": ignored, "predict_problems": ignored, // an answered list may be asked again
	})
	if chip == nil {
		d.failf(n.offset, path, "has no chip")
		return r
	}
	name := ""
	if chip.raw[0] == '"' {
		name, _ = strconv.Unquote(string(chip.raw))
	}
	behaviour, err := Lookup(d.catalogue, name)
	if err != nil {
		d.failf(chip.offset, path+".chip", "%s", err)
		return r
	}
	r.setup = NewSetup(behaviour)
	if config != nil {
		d.config(config, path+".config", r.setup)
	}
	return r
}

func (d *decoder) config(n *node, path string, s *Setup) {
	var cell *units.Bytes
	var packet, accounted, pgs *int64
	d.object(n, path, fields{
		"cell_bytes": number(d, &cell, 1, 1<<20),
		"ingress_pool": d.nested(fields{
			"size_bytes": d.pool(&s.PoolSize), "headroom_pool_bytes": d.pool(&s.HeadroomPool),
			"size_means": ignored, // the chip is known, and with it what size means
		}),
		"lossless_ports":        number(d, &s.LosslessPorts, 0, maxPorts),
		"lossless_pgs_per_port": number(d, &pgs, 1, maxLosslessPGs),
		"pg": d.nested(fields{
			"reserved_bytes": d.own(&s.Reserved), "xoff_bytes": d.own(&s.Xoff),
			"dynamic_th": number(d, &s.Alpha, -maxExponent, maxExponent), "xon_offset_bytes": d.own(&s.XonOffset),
		}),
		"lossy_queues_per_port": number(d, &s.LossyQueues, 0, maxQueues),
		"lossy_queue": d.nested(fields{
			"reserved_bytes": d.own(&s.QueueReserved), "dynamic_th": number(d, &s.QueueAlpha, -maxExponent, maxExponent),
		}),
		"egress_lossy_pool":          d.nested(fields{"size_bytes": d.pool(&s.EgressLossyPool)}),
		"packet_bytes":               number(d, &packet, 1, maxPacket),
		"bytes_accounted_per_packet": number(d, &accounted, 1, 1<<20),
	})
	if pgs != nil {
		s.LosslessPGs = *pgs
	}
	if packet != nil {
		s.PacketBytes = *packet
	}
	if cell != nil && s.Behaviour.CellBytes != 1 {
		s.Behaviour.CellBytes = *cell
	}
	if accounted != nil {
		if *accounted < s.PacketBytes {
			d.failf(n.offset, path, "a packet of %d B is accounted as %d B, want at least its length", s.PacketBytes, *accounted)
			return
		}
		s.Behaviour.CellBytes, s.Behaviour.MetadataBytes = 1, units.Bytes(*accounted-s.PacketBytes)
	}
}
