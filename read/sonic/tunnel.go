package sonic

import (
	"slices"
	"strconv"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// openTunnel finds the tunnel whose four maps the file has. Code points inside must stay
// (pipe): in uniform mode that of the outside is copied in, which a plan does not hold.
func (r *reader) openTunnel() {
	maps, ok := r.tunnelMaps()
	if !ok {
		delete(r.tables, schema.TableTunnel) // nothing of it is modelled
		return
	}
	w := &r.table(schema.TableTunnel).rows[0]
	for _, m := range schema.TunnelMaps {
		w.fields.Get(m.Field).Used = true
	}
	w.fields.Get("dscp_mode").Used = true
	r.maps.tunnel = maps
	r.sw.Tunnel = &plan.Tunnel{Name: w.key, Range: w.at}
}

func (r *reader) tunnelMaps() (maps [4]*row, ok bool) {
	t := r.table(schema.TableTunnel)
	if len(t.rows) != 1 {
		return maps, false
	}
	w := &t.rows[0]
	if mode := w.fields.Get("dscp_mode"); mode == nil || mode.Text != schema.Pipe {
		return maps, false
	}
	for i, m := range schema.TunnelMaps {
		n := w.fields.Get(m.Field)
		if n == nil || !r.table(m.Table).present {
			return maps, false
		}
		if maps[i] = r.table(m.Table).row(plainName(n.Text)); maps[i] == nil {
			return maps, false
		}
	}
	return maps, true
}

// readTunnel fills the maps of the tunnel.
func (r *reader) readTunnel() {
	t := r.sw.Tunnel
	if t == nil {
		return
	}
	for _, w := range r.maps.tunnel {
		w.used = true
	}
	t.TCToPG, t.TCToQueue = r.sw.Maps.TCToPG, r.sw.Maps.TCToQueue // what a row leaves out
	r.fillMap(dscpToTC, r.maps.tunnel[0], t.DSCPToTC[:], nil)
	r.fillMap(tcToPG, r.maps.tunnel[1], t.TCToPG[:], nil)
	r.fillMap(tcToQueue, r.maps.tunnel[2], t.TCToQueue[:], nil)
	t.Outer, _ = r.codePoints(r.maps.tunnel[3])
}

// keeps reports whether the file has a traffic class beyond those of queues because packets
// keep their code point in the tunnel.
func (r *reader) keeps(tc int64) bool {
	return r.sw.Tunnel != nil && mapEntry(r.maps.tunnel[3], tc) != ""
}

// carriedAs finds the traffic class of queues that a class beyond them is carried as: one
// with the same queue and group, outside the tunnel and in it, that some code point has. It
// must keep one code point.
func (r *reader) carriedAs(w *row, tc int64) (as uint8, ok bool) {
	if r.sw.Tunnel == nil || r.maps.tcToQueue == nil || r.maps.tcToPG == nil {
		return 0, false
	}
	dscp, kept := parseIndex(mapEntry(r.maps.tunnel[3], tc), 63)
	if !kept || mapEntry(w, dscp) != strconv.FormatInt(tc, 10) {
		return 0, false
	}
	if slices.Contains(r.sw.Tunnel.Kept, uint8(dscp)) { // by the map of the switch
		return r.sw.Maps.DSCPToTC[dscp], true
	}
	used := map[string]bool{}
	for i := range w.fields.Members {
		used[w.fields.Members[i].Value.Text] = true
	}
	for as := range uint8(8) {
		if used[strconv.Itoa(int(as))] && r.alike(tc, int64(as)) {
			if w == r.mainMap(dscpToTC) {
				at, _ := slices.BinarySearch(r.sw.Tunnel.Kept, uint8(dscp)) // it is not there: see above
				r.sw.Tunnel.Kept = slices.Insert(r.sw.Tunnel.Kept, at, uint8(dscp))
			}
			return as, true
		}
	}
	return 0, false
}

func (r *reader) alike(a, b int64) bool {
	for _, w := range []*row{r.maps.tcToQueue, r.maps.tcToPG, r.maps.tunnel[1], r.maps.tunnel[2]} {
		if mapEntry(w, a) == "" || mapEntry(w, a) != mapEntry(w, b) {
			return false
		}
	}
	return true
}

// classifier reads the map of ports that classify by themselves.
func (r *reader) classifier(w *row) *[64]uint8 {
	if r.maps.classifiers[w] == nil {
		w.used = true
		r.maps.classifiers[w] = new([64]uint8)
		r.fillMap(dscpToTC, w, r.maps.classifiers[w][:], nil)
		r.claimKept(w, r.maps.classifiers[w])
	}
	return r.maps.classifiers[w]
}

// claimKept says of the map of a port where it keeps a code point that a plan does not keep from
// there, or the other way round: a plan keeps one wherever it has the class of the switch's map.
func (r *reader) claimKept(w *row, own *[64]uint8) {
	if r.sw.Tunnel == nil {
		return
	}
	for dscp, tc := range own {
		n := w.fields.Get(strconv.Itoa(dscp))
		if n == nil {
			continue
		}
		plain, _ := parseIndex(n.Text, 15)
		kept := slices.Contains(r.sw.Tunnel.Kept, uint8(dscp)) && tc == r.sw.Maps.DSCPToTC[dscp]
		if _, told := r.claims[n]; !told && kept != (plain > dscpToTC.values) {
			r.unmodelled(n, read.Scope{DSCPs: 1 << dscp}, "DSCP %d is kept in the tunnel from some ports, but not from others", dscp)
		}
	}
}

// ownClassifier returns the map of a port that has its own; nil where it is that of the switch.
func (r *reader) ownClassifier(w *row) *[64]uint8 {
	n := w.fields.Get(dscpToTC.field)
	if n == nil {
		return nil
	}
	own := r.maps.classifiers[r.table(schema.TableDSCPToTC).row(plainName(n.Text))]
	if own == nil || *own == r.sw.Maps.DSCPToTC {
		return nil
	}
	return own
}

// claimPair says of what makes two switches a pair that the maps of their tunnel are known.
func (r *reader) claimPair(root *posjson.Node) {
	if r.sw.Tunnel == nil {
		return
	}
	w := r.table(schema.TableTunnel).row(r.sw.Tunnel.Name)
	for _, field := range []string{"src_ip", "dst_ip", "ttl_mode", "ecn_mode", "encap_ecn_mode", "tunnel_type"} {
		r.neutral(w.fields.Get(field), rulePair)
	}
	for i := range r.sw.Ports { // a row of MUX_CABLE names the servers behind a port
		p := &r.sw.Ports[i]
		p.Server = root.Get("MUX_CABLE", p.Name) != nil
	}
	for _, name := range []string{"PEER_SWITCH", "MUX_CABLE"} {
		eachLeaf(root.Get(name), func(n *posjson.Node) { r.neutral(n, rulePair) })
	}
	if n := root.Get(schema.TableSystemDefaults, schema.TunnelRemap, "status"); n != nil && n.Text == "enabled" {
		r.neutral(n, rulePair)
	}
}

func eachLeaf(n *posjson.Node, f func(*posjson.Node)) {
	for m := range n.All() {
		eachLeaf(&m.Value, f)
	}
	if n != nil && len(n.Members) == 0 {
		f(n)
	}
}
