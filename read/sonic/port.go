package sonic

import (
	"slices"
	"strings"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// readPorts lists the ports of PORT, or those that an overlay names.
func (r *reader) readPorts() {
	t := r.table(schema.TablePort)
	if !t.present {
		r.namedPorts()
	}
	for i := range t.rows {
		r.sw.Ports = append(r.sw.Ports, r.readPort(&t.rows[i]))
	}
	sortByName(r.sw.Ports, func(p *plan.Port) string { return p.Name })
	r.checkLanes()
	r.readCables()
	r.readCages()
	for i := range r.sw.Ports {
		if p := &r.sw.Ports[i]; p.MTU > r.sw.MTU.Value {
			r.sw.MTU = got("largest frame", p.MTU, p.MTURange)
		}
	}
}

// namedPorts gathers the ports that the tables of an overlay name.
func (r *reader) namedPorts() {
	seen := map[string]bool{schema.GlobalQoS: true, schema.GlobalWatchdog: true, "CPU": true, "": true}
	for _, name := range []string{
		schema.TablePortQoSMap, schema.TableBufferPG, schema.TableBufferQueue, schema.TableQueue,
		schema.TableBufferPortIngress, schema.TableBufferPortEgress, schema.TablePFCWatchdog,
	} {
		t := r.table(name)
		for i := range t.rows {
			ports, _, ok := splitKey(t.rows[i].key)
			if !ok {
				ports = t.rows[i].key
			}
			for _, port := range strings.Split(ports, ",") {
				if !seen[port] {
					seen[port] = true
					r.sw.Ports = append(r.sw.Ports, plan.Port{Name: port, Range: t.rows[i].at})
				}
			}
		}
	}
}

func (r *reader) readPort(w *row) plan.Port {
	p := plan.Port{Name: w.key, Range: w.at}
	p.Alias, _, _ = r.text(w, "alias")
	p.Peer, _, _ = r.text(w, "description")
	p.FEC, _, _ = r.text(w, "fec")
	if v, _, ok := r.number(w, schema.PortSubport); ok {
		p.Cage.Subport = int(v)
	}
	if v, _, ok := r.number(w, schema.PortIndex); ok {
		p.Index, p.Numbered = int(v), true
	}
	if v, _, ok := r.number(w, schema.PortSpeed); ok {
		p.Speed = units.BitRate(schema.Of(schema.PortSpeed).Means(v))
	}
	mtu := schema.Of(schema.PortMTU)
	if v, at, ok := r.number(w, schema.PortMTU); ok {
		p.MTU, p.MTURange = units.Bytes(mtu.Means(v)), at
	}
	if w.fields.Get(mtu.Name()) == nil {
		p.MTU = units.Bytes(mtu.Default())
	}
	if s, at, ok := r.text(w, "lanes"); ok && s != "" {
		for _, lane := range strings.Split(s, ",") {
			if v, ok := r.parseNumber("a lane", lane, at, 0, 65535); ok {
				p.Lanes = append(p.Lanes, int(v))
			}
		}
	}
	return p
}

// readCages reads BREAKOUT_CFG. A row is called by the first port of a cage, which need
// not be there, and the ports up to the next row are in it.
func (r *reader) readCages() {
	rows := slices.Clone(r.table(schema.TableBreakout).rows)
	stable.Sort(rows, func(a, b row) int { return natural.Compare(a.key, b.key) })
	var cage plan.Cage
	for i := range r.sw.Ports {
		p := &r.sw.Ports[i]
		for len(rows) > 0 && natural.Compare(rows[0].key, p.Name) <= 0 {
			mode, _, _ := r.text(&rows[0], "brkout_mode")
			cage = plan.Cage{Port: rows[0].key, Mode: mode}
			rows = rows[1:]
		}
		if cage.Mode == "" {
			p.Cage.Subport = 0 // of what, the file does not say
			continue
		}
		p.Cage.Port, p.Cage.Mode = cage.Port, cage.Mode
	}
}

// readCables reads CABLE_LENGTH, whose one row holds a length for each port.
func (r *reader) readCables() {
	lengths := make(map[string]units.Length, len(r.sw.Ports))
	places := make(map[string]diag.Range, len(r.sw.Ports))
	for w := range r.table(schema.TableCableLength).all() {
		for f := range w.fields.All() {
			f.Value.Used = true
			s, at, ok := r.scalar(&f.Value)
			if !ok {
				continue
			}
			number, inMetres := strings.CutSuffix(s, "m")
			if !inMetres {
				r.found.Errorf(Number, at, "a cable length is whole metres such as \"40m\", not %q", posjson.Clip(s)).Fixf("write whole metres with their unit, such as \"40m\"")
				continue
			}
			if v, ok := r.parseNumber("a cable length in metres", number, at, 0, 100_000_000); ok {
				lengths[f.Key], places[f.Key] = units.Length(v)*units.Metre, at
			}
			if r.table(schema.TablePort).present && r.table(schema.TablePort).row(f.Key) == nil {
				r.found.Errorf(Reference, r.doc.KeyAt(f), "%s names the port %q, which PORT does not have", w.table, posjson.Clip(f.Key)).Fixf("add %s to PORT, or remove it here", posjson.Clip(f.Key))
			}
		}
	}
	for i := range r.sw.Ports {
		p := &r.sw.Ports[i]
		p.Cable, p.CableRange = lengths[p.Name], places[p.Name]
	}
}

// readPortQoS gives each port its settings in the tables. Ports with the same settings share one
// plan.PortQoS, whose ranges are those of the first.
func (r *reader) readPortQoS() {
	pgs := r.portRows(schema.TableBufferPG, 7)
	queues := r.portRows(schema.TableBufferQueue, 15)
	sending := r.portRows(schema.TableQueue, 15)
	perPort := r.portMaps()
	for _, name := range []string{schema.TableBufferPortEgress, schema.TableBufferPortIngress} {
		for i := range r.table(name).rows {
			r.knownPort(&r.table(name).rows[i], r.table(name).rows[i].key)
		}
	}
	misnamed := make(map[string]bool)
	for i := range r.sw.Ports {
		p := &r.sw.Ports[i]
		r.checkNames(p, pgs[p.Name], misnamed)
		about := aboutPort{p.Name, pgs[p.Name], queues[p.Name], sending[p.Name], perPort[p.Name], r.watched(p.Name), p.Range}
		key := r.signature(about)
		if key == "" {
			continue
		}
		k, known := r.kinds[key]
		if !known {
			k = kind{r.buildQoS(about), about}
			r.kinds[key] = k
		} else {
			r.markAs(k.first, about)
		}
		p.QoS = k.qos
	}
}

// A kind is ports of which the tables say the same.
type kind struct {
	qos   *plan.PortQoS
	first aboutPort
}

// markAs marks what the tables say of a port as what they say of the first of its kind,
// which has been read.
func (r *reader) markAs(first, same aboutPort) {
	rows := func(a, b []portRow) {
		for i := range min(len(a), len(b)) {
			markFields(a[i].row, b[i].row)
		}
	}
	rows(first.pgs, same.pgs)
	rows(first.queues, same.queues)
	rows(first.sending, same.sending)
	markFields(first.maps, same.maps)
	for _, name := range []string{schema.TableBufferPortEgress, schema.TableBufferPortIngress} {
		markFields(r.table(name).row(first.name), r.table(name).row(same.name))
	}
}

func markFields(from, to *row) {
	if from == nil || to == nil || from == to {
		return
	}
	for i := range min(len(from.fields.Members), len(to.fields.Members)) {
		if from.fields.Members[i].Value.Used {
			to.fields.Members[i].Value.Used = true
		}
	}
}

// aboutPort is what the tables say of a port.
type aboutPort struct {
	name                 string
	pgs, queues, sending []portRow
	maps                 *row
	watched              bool
	at                   diag.Range
}

func (r *reader) watched(port string) bool {
	return r.table(schema.TablePFCWatchdog).row(port) != nil
}

// portMaps finds the rows of PORT_QOS_MAP by port.
func (r *reader) portMaps() map[string]*row {
	t := r.table(schema.TablePortQoSMap)
	rows := make(map[string]*row, len(t.rows))
	for w := range t.all() {
		if w.key == schema.GlobalQoS {
			continue
		}
		for _, port := range strings.Split(w.key, ",") {
			if r.knownPort(w, port) {
				rows[port] = w
			}
		}
	}
	return rows
}

// signature is equal for ports of which the file says the same, empty where it says
// nothing.
func (r *reader) signature(a aboutPort) string {
	var b strings.Builder
	rows := func(kind string, rows []portRow) {
		for _, w := range rows {
			b.WriteString(kind)
			b.WriteString(w.index)
			fields(&b, w.row)
		}
	}
	rows("\x00pg", a.pgs)
	rows("\x00queue", a.queues)
	rows("\x00sending", a.sending)
	for _, name := range []string{schema.TableBufferPortEgress, schema.TableBufferPortIngress} {
		if w := r.table(name).row(a.name); w != nil {
			b.WriteString("\x00" + name)
			fields(&b, w)
		}
	}
	if a.maps != nil {
		b.WriteString("\x00maps")
		fields(&b, a.maps)
	}
	if a.watched {
		b.WriteString("\x00watched")
	}
	return b.String()
}

func fields(b *strings.Builder, w *row) {
	for f := range w.fields.All() {
		b.WriteByte(0)
		b.WriteString(f.Key)
		b.WriteByte(1)
		b.WriteString(plainName(f.Value.Text))
	}
}

func (r *reader) buildQoS(a aboutPort) *plan.PortQoS {
	qos := &plan.PortQoS{Watchdog: a.watched, Pools: r.portPools(a.name)}
	for _, w := range a.pgs {
		if pg, ok := r.pg(w.row); ok {
			for id := w.first; id <= w.last; id++ {
				pg.ID, pg.Range = id, w.row.at
				qos.PGs = append(qos.PGs, pg)
			}
		}
	}
	qos.PGs = unique(qos.PGs, func(pg *plan.PG) uint8 { return pg.ID })
	qos.Queues = r.buildQueues(a)
	if a.maps != nil {
		r.applyMaps(qos, a.maps)
	}
	whole := r.table(schema.TablePort).present && r.table(schema.TablePortQoSMap).present // an overlay may leave the row to the file below
	if a.maps == nil && whole {
		r.found.Warnf(MapMissing, a.at, "%s has buffers, but no row in PORT_QOS_MAP: all of its packets have the chip's default class", a.name).Fixf("add the row %s to PORT_QOS_MAP, with its dscp_to_tc_map", a.name)
	}
	r.checkPFC(qos, a)
	return qos
}

// buildQueues joins what BUFFER_QUEUE and QUEUE say of the same queue.
func (r *reader) buildQueues(a aboutPort) []plan.Queue {
	var queues [16]plan.Queue
	var used [16]bool
	for _, w := range a.queues {
		s, at, ok := r.text(w.row, "profile")
		if !ok || s == "" {
			continue
		}
		p := r.profile(s, at, plan.Egress)
		for id := w.first; id <= w.last && p != nil; id++ {
			if !used[id] {
				used[id] = true
				queues[id].Pool, queues[id].Reserved, queues[id].Limit, queues[id].Range = p.pool, p.reserved, p.limit, w.row.at
				queues[id].Trims = p.trims
			}
		}
	}
	for _, w := range a.sending {
		for id := w.first; id <= w.last; id++ {
			used[id] = true
			r.sending(w.row, &queues[id])
		}
	}
	var list []plan.Queue
	for id := range queues {
		if used[id] {
			queues[id].ID = uint8(id)
			list = append(list, queues[id])
		}
	}
	return list
}

// unwatched returns the priorities in which packets are sent back to the other switch of a pair, as
// SONiC's templates leave them out: those of a switch with a tunnel, and 2 and 6 in addition to 3
// and 4 above it.
func (r *reader) unwatched(qos *plan.PortQoS, watched uint8) uint8 {
	const all, sent = 1<<2 | 1<<3 | 1<<4 | 1<<6, 1<<3 | 1<<4
	left := qos.PFC &^ watched
	if !qos.Watchdog || watched&qos.PFC == 0 || watched&^qos.PFC != 0 || r.sw.Tunnel == nil && (qos.PFC != all || watched != sent) {
		return 0
	}
	return left
}

// applyMaps reads PORT_QOS_MAP of a port.
func (r *reader) applyMaps(qos *plan.PortQoS, w *row) {
	qos.PFC, qos.Range, _ = r.priorities(w, "pfc_enable")
	qos.Trust = r.trust(w, r.table(schema.TablePortQoSMap).row(schema.GlobalQoS))
	qos.DSCPToTC, qos.TCToQueue = r.ownClassifier(w), r.ownQueues(w)
	qos.Rewritten = r.rewrite(w, qos.Trust)
	watched, at, ok := r.priorities(w, "pfcwd_sw_enable")
	qos.Unwatched = r.unwatched(qos, watched)
	switch {
	case !qos.Watchdog || watched == qos.PFC&^qos.Unwatched:
	case watched == 0:
		// sonic-swss orchagent/pfcwdorch.cpp, registerInWdDb: without a priority it says
		// "No lossless TC found on port", and watches nothing.
		qos.Watchdog = false
		r.found.Warnf(WatchdogDiffers, at, "%s has a row in PFC_WD, but pfcwd_sw_enable names no priority, so nothing is watched", w.key).
			Fixf("add \"pfcwd_sw_enable\" with the priorities of pfc_enable")
	case ok:
		r.found.Warnf(WatchdogDiffers, at, "the PFC watchdog of %s watches other priorities than those with PFC; the plan's watchdog watches all of them", w.key).Fixf("watch the priorities that pfc_enable of the port has")
	}
	for field, what := range map[string]string{"scheduler": "a scheduler of the whole port", "dot1p_to_tc_map": "classification by 802.1p priority"} {
		if n := w.fields.Get(field); n != nil {
			r.found.Warnf(NotModelled, r.doc.At(n), "%s has %s, which a plan cannot hold", w.key, what)
		}
	}
}
