package sonic

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// maps are the rows of the map tables that the plan is read from, nil where the file
// has none.
type maps struct {
	dscpToTC, tcToQueue, tcToPG, pfcToQueue, pfcToPG, tcToDSCP *row

	tunnel      [4]*row             // in the order of schema.TunnelMaps
	classifiers map[*row]*[64]uint8 // of ports that have their own
	queues      map[*row]*plan.QueueMap
}

// mapKind is one kind of map: its table and the field of PORT_QOS_MAP that uses it.
type mapKind struct {
	field, table string
	keys, values int64 // largest code points
}

var (
	dscpToTC   = mapKind{"dscp_to_tc_map", schema.TableDSCPToTC, 63, 7}
	tcToQueue  = mapKind{"tc_to_queue_map", schema.TableTCToQueue, 7, 9}
	tcToPG     = mapKind{"tc_to_pg_map", schema.TableTCToPG, 7, 7}
	pfcToQueue = mapKind{"pfc_to_queue_map", schema.TablePFCToQueue, 7, 7}
	pfcToPG    = mapKind{"pfc_to_pg_map", schema.TablePFCToPG, 7, 7}
	tcToDSCP   = mapKind{"tc_to_dscp_map", schema.TableTCToDSCP, 7, 63}
)

// readMaps fills the maps of the plan. Where there is none, a chip maps traffic
// classes and priorities to the queue and the PG of the same number, DSCPs to traffic
// class 0 and traffic classes to PG 0.
func (r *reader) readMaps() {
	m := &r.sw.Maps
	for i := range uint8(8) {
		m.PFCToQueue[i], m.PFCToPG[i] = i, i
		if !r.table(schema.TableTCToQueue).present {
			m.TCToQueue[i] = i
		}
	}
	at := &r.sw.Places
	r.openTunnel()
	r.maps.tcToDSCP, r.maps.classifiers, r.maps.queues = r.mainMap(tcToDSCP), map[*row]*[64]uint8{}, map[*row]*plan.QueueMap{}
	r.maps.tcToQueue, r.maps.tcToPG = r.readMap(tcToQueue, m.TCToQueue[:], at.TCToQueue[:]), r.readMap(tcToPG, m.TCToPG[:], at.TCToPG[:])
	r.maps.dscpToTC = r.readMap(dscpToTC, m.DSCPToTC[:], at.DSCPToTC[:])
	r.maps.pfcToQueue, r.maps.pfcToPG = r.readMap(pfcToQueue, m.PFCToQueue[:], at.PFCToQueue[:]), r.readMap(pfcToPG, m.PFCToPG[:], at.PFCToPG[:])
	r.readTunnel()
}

func (r *reader) readMap(k mapKind, into []uint8, places []diag.Range) *row {
	w := r.mainMap(k)
	if w != nil {
		w.used = true
		r.fillMap(k, w, into, places)
		r.readTwins(k, w)
	}
	return w
}

// readTwins reads maps that ports use instead of the one that most use, where they say the same,
// and those of PFC priorities, of which each port asks those that it has PFC for: see differing.
func (r *reader) readTwins(k mapKind, main *row) {
	t, users := r.table(k.table), r.mapUsers(k)
	for i := range t.rows {
		if w := &t.rows[i]; w != main && users[w.key] > 0 && (k == pfcToQueue || k == pfcToPG || sameMap(k, w, main)) {
			w.used = true
			r.fillMap(k, w, make([]uint8, k.keys+1), nil)
		}
	}
}

// sameMap reports whether two rows map every key alike.
func sameMap(k mapKind, a, b *row) bool {
	for key := range max(k.keys, 15) + 1 {
		if mapEntry(a, key) != mapEntry(b, key) {
			return false
		}
	}
	return true
}

// mapUsers counts the rows of PORT_QOS_MAP that use each row of a table of maps.
func (r *reader) mapUsers(k mapKind) map[string]int {
	users := make(map[string]int)
	for w := range r.table(schema.TablePortQoSMap).all() {
		if n := w.fields.Get(k.field); n != nil {
			users[plainName(n.Text)]++
		}
	}
	return users
}

// fillMap reads a row into a table and notes the place of each entry, unless places is nil.
func (r *reader) fillMap(k mapKind, w *row, into []uint8, places []diag.Range) {
	for f := range w.fields.All() {
		at := r.doc.KeyAt(f)
		from, ok := parseIndex(f.Key, 15)
		if k.keys == 63 {
			from, ok = parseIndex(f.Key, 63)
		}
		if !ok {
			r.found.Errorf(Number, at, "%q is not a code point from 0 to %d", posjson.Clip(f.Key), k.keys).Fixf("write a code point from 0 to %d", k.keys)
			continue
		}
		f.Value.Used = true
		s, valueAt, ok := r.scalar(&f.Value)
		if !ok {
			continue
		}
		if from > k.keys {
			if !r.keeps(from) {
				r.neutral(&f.Value, ruleHighTC)
			}
			continue
		}
		if tc, valid := parseIndex(s, 15); k == dscpToTC && valid && tc > k.values {
			// Dual-ToR templates have class 8, for packets that keep their code point in a tunnel.
			if as, ok := r.carriedAs(w, tc); ok {
				into[from] = as
				if places != nil {
					places[from] = at
				}
				continue
			}
			r.unmodelled(&f.Value, read.Scope{DSCPs: 1 << from}, "DSCP %d has traffic class %d, beyond the 8 that a plan has", from, tc)
			continue
		}
		if to, ok := r.parseNumber("the value of "+k.table, s, valueAt, 0, k.values); ok {
			into[from] = uint8(to)
			if places != nil {
				places[from] = at
			}
		}
	}
}

// mainMap chooses the map that most ports use: of equals the one that comes first in natural order.
// Ports that are not trusted have a map of their own. Where each port may have a map of its own, it
// is the one with the name of the switch's.
func (r *reader) mainMap(k mapKind) *row {
	t := r.table(k.table)
	users := r.mapUsers(k)
	var names []string
	for w := range t.all() {
		if k == dscpToTC && w.key == schema.EdgeMap || slices.Contains(r.maps.tunnel[:], w) && users[w.key] == 0 {
			continue
		}
		names = append(names, w.key)
	}
	if len(names) == 0 {
		return nil
	}
	slices.SortFunc(names, func(a, b string) int {
		if (k == dscpToTC || k == tcToQueue) && (a == schema.MainMap || b == schema.MainMap) && users[schema.MainMap] > 0 {
			return map[bool]int{true: -1, false: 1}[a == schema.MainMap] // others are of ports by themselves
		}
		return cmp.Or(users[b]-users[a], natural.Compare(a, b))
	})
	return t.row(names[0])
}

// readMarking rebuilds the rules of ports that do not trust the sender.
func (r *reader) readMarking() {
	w := r.table(schema.TableDSCPToTC).row(schema.EdgeMap)
	if w == nil {
		return
	}
	w.used = true
	var edge [64]uint8
	r.fillMap(dscpToTC, w, edge[:], nil)
	m := &plan.Marking{DefaultTC: mostFrequent(edge[:]), Range: w.at}
	for dscp, tc := range edge {
		if tc != m.DefaultTC {
			m.Rules = append(m.Rules, plan.MarkRule{DSCP: uint8(dscp), TC: tc})
		}
	}
	if rewrite := r.maps.tcToDSCP; rewrite != nil {
		field := strconv.Itoa(int(m.DefaultTC))
		if s, at, ok := r.text(rewrite, field); ok {
			v, _ := r.parseNumber(field, s, at, 0, tcToDSCP.values)
			m.Default = uint8(v)
		}
	}
	r.sw.Marking = m
}

// rewrite returns the marks that a port writes into packets that leave it; nil where it writes nothing,
// or what follows from the marking rules.
func (r *reader) rewrite(w *row, trust plan.Trust) plan.Rewritten {
	var row *row
	if r.table(schema.TableTCToDSCP).present {
		row = r.reference(w, tcToDSCP.field, tcToDSCP.table)
	}
	switch {
	case row == nil && r.sw.Marking != nil && trust == plan.TrustDSCP:
		return plan.Rewritten{Rewrite: &plan.Rewrite{}} // nothing, though there are rules
	case row == nil:
		return plan.Rewritten{}
	}
	if rewritten, known := r.rewrites[row]; known {
		return rewritten
	}
	rewrite, at := r.codePoints(row)
	out := plan.Rewritten{Rewrite: &rewrite, RewriteRange: at}
	if m := r.sw.Marking; m != nil && rewrite == m.Rewriting(&r.sw.Maps) {
		out = plan.Rewritten{}
	}
	r.rewrites[row] = out
	return out
}

// codePoints reads a row of TC_TO_DSCP_MAP.
func (r *reader) codePoints(w *row) (out plan.Rewrite, set [8]diag.Range) {
	r.fillMap(tcToDSCP, w, out.DSCP[:], set[:])
	for tc := range set {
		if set[tc].Filename != "" {
			out.TCs |= 1 << tc
		}
	}
	return out, set
}

// mostFrequent returns the value that occurs most often, of equals the smallest.
func mostFrequent(values []uint8) uint8 {
	var count [256]int
	best := uint8(0)
	for _, v := range values {
		count[v]++
	}
	for v := range count {
		if count[v] > count[best] {
			best = uint8(v)
		}
	}
	return best
}

// trust says what a port believes, and reports maps that the plan was not read from.
func (r *reader) trust(w, global *row) plan.Trust {
	trust := plan.TrustDSCP
	for _, use := range r.mapUses() {
		if !r.table(use.table).present {
			continue // an overlay, or a chip without such a map
		}
		holder := w
		if holder.fields.Get(use.field) == nil && global != nil && global.fields.Get(use.field) != nil {
			holder = global
		}
		used := r.reference(holder, use.field, use.table)
		switch {
		case used == nil:
			r.mapMissing(w, use.mapKind)
		case use.mapKind == dscpToTC && used.key == schema.EdgeMap:
			trust = plan.TrustNone
		case used != use.main && use.mapKind == dscpToTC && holder == w:
			r.classifier(used) // a map of the port's own, which the plan has
		case used != use.main && use.mapKind == tcToQueue && holder == w:
			r.queueMap(used)
		case used != use.main && r.differing(use.mapKind, used, use.main, w) != 0:
			r.found.Warnf(MapDiffers, r.doc.At(holder.fields.Get(use.field)), "%s uses the %s %q, but most ports use %q, and only that one is read", w.key, use.field, used.key, use.main.key).Fixf("give all ports the same %s, or remove the wrong one", use.field)
		}
	}
	return trust
}

// mapMissing reports a port without a map that others have: its packets all get the
// chip's default. Most chips have no map from PFC priority to PG, and need none where each
// priority is the PG of its number.
func (r *reader) mapMissing(w *row, k mapKind) {
	if k == pfcToPG && r.sw.Maps.PFCToPG == identity() || k == pfcToQueue && r.sw.Maps.PFCToQueue == identity() {
		if n := w.fields.Get("pfc_enable"); k == pfcToPG || n == nil || n.Text == "" {
			return
		}
	}
	if w.fields.Get(k.field) == nil {
		r.found.Warnf(MapMissing, w.at, "%s no %s", withHave(w.key), k.field).Fixf("add \"%s\": \"%s\"", k.field, schema.MainMap)
	}
}

// withHave shortens the ports of a key, and adds the verb that fits them.
func withHave(key string) string {
	if name, _, many := strings.Cut(key, ","); many {
		return name + " and others have"
	}
	return key + " has"
}

func identity() (m [8]uint8) {
	for i := range m {
		m[i] = uint8(i)
	}
	return m
}

// readClasses reads the classes that packets can be in: traffic classes that a DSCP maps to. A
// class is lossless where a port pauses its PG and its queue together.
func (r *reader) readClasses() {
	if r.maps.dscpToTC == nil {
		return
	}
	m := &r.sw.Maps
	for tc := range uint8(8) {
		c := plan.Class{TrafficClass: tc, Queue: m.TCToQueue[tc], PG: m.TCToPG[tc], Range: r.maps.dscpToTC.at}
		for dscp, to := range m.DSCPToTC {
			if to == tc {
				c.DSCPs = append(c.DSCPs, uint8(dscp))
			}
		}
		if len(c.DSCPs) == 0 {
			continue
		}
		for p := range uint8(8) {
			if m.PFCToPG[p] == c.PG && !c.Lossless && r.stops(p, &c) {
				c.Lossless, c.PFC = true, p
			}
		}
		r.sw.Classes = append(r.sw.Classes, c)
	}
}

// stops reports whether a priority stops, on a port that has PFC for it, the queue that a class has
// there.
func (r *reader) stops(p uint8, c *plan.Class) bool {
	for _, k := range r.kinds {
		if k.qos.PFC>>p&1 == 1 && r.sw.Maps.PFCToQueue[p] == k.qos.QueueOf(c) {
			return true
		}
	}
	return false
}
