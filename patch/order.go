package patch

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/stable"
)

// An edit changes one row or one field. With no field it makes the row, or removes it
// where fields is nil; with one it sets it, or removes it where value is nil.
type edit struct {
	phase             phase
	table, row, field string
	fields            Row
	value             *Value
	late              bool // after others of its row and phase
}

// A planner finds the edits between two configurations, each with its phase.
type planner struct {
	from, to      DB
	before, after *pausing
	edits         []edit
	// Priorities of a port that lose PFC before their PG's row changes.
	early map[string]uint8
}

func newPlanner(from, to DB) *planner {
	return &planner{from: from, to: to, before: pausingOf(from), after: pausingOf(to), early: make(map[string]uint8)}
}

// order gives the edits in order.
func order(from, to DB) []edit {
	p := newPlanner(from, to)
	p.planPriorityGroups() // finds early, which planPFC needs
	for _, o := range owned {
		switch o.table {
		case schema.TableBufferPG:
		case schema.TablePortQoSMap:
			p.planPortMaps()
		default:
			p.planTable(o.table)
		}
	}
	stable.Sort(p.edits, func(a, b edit) int {
		ranks := cmp.Compare(rank(a.table), rank(b.table))
		if a.phase == discard {
			ranks = -ranks // rows go before those that they refer to
		}
		return cmp.Or(cmp.Compare(a.phase, b.phase), ranks, natural.Compare(a.row, b.row), later(a, b), natural.Compare(a.field, b.field))
	})
	return p.edits
}

// interruptions counts, by priority, the ports that are without PFC for it on the way
// although it is on at both ends.
func interruptions(from, to DB) (ports [8]int) {
	p := newPlanner(from, to)
	p.planPriorityGroups()
	for port, early := range p.early {
		if after := p.after.ports[port]; after != nil {
			for priority := range ports {
				if p.before.ports[port].pfc&after.pfc&early&(1<<priority) != 0 {
					ports[priority]++
				}
			}
		}
	}
	return ports
}

func later(a, b edit) int {
	switch {
	case a.late == b.late:
		return 0
	case a.late:
		return 1
	}
	return -1
}

func (p *planner) makeRow(at phase, table, key string) {
	p.edits = append(p.edits, edit{phase: at, table: table, row: key, fields: p.to[table][key]})
}

func (p *planner) removeRow(at phase, table, key string) {
	p.edits = append(p.edits, edit{phase: at, table: table, row: key})
}

func (p *planner) setField(at phase, table, key, field string, value *Value, late bool) {
	p.edits = append(p.edits, edit{phase: at, table: table, row: key, field: field, value: value, late: late})
}

// planTable finds the edits of a table whose rows are independent of one another.
func (p *planner) planTable(table string) {
	for key := range p.from[table] {
		if _, stays := p.to[table][key]; !stays {
			p.removeRow(p.removal(table, key), table, key)
		}
	}
	for key, row := range p.to[table] {
		old, ok := p.from[table][key]
		if !ok {
			p.makeRow(creation(table), table, key)
			continue
		}
		p.changedFields(old, row, func(field string, value *Value) {
			at, late := change(table, field, old, row)
			was, now := number(old[field].Text), number(row[field].Text)
			switch {
			case table == schema.TableTCToPG && p.diverts(was, now):
				at = divert
			case table == schema.TableDSCPToTC && p.vacates(was, now):
				at = vacate
			}
			p.setField(at, table, key, field, value, late)
		})
	}
}

// changedFields calls do for each field that differs, with nil where it goes.
func (p *planner) changedFields(old, row Row, do func(field string, value *Value)) {
	for field := range old {
		if _, stays := row[field]; !stays {
			do(field, nil)
		}
	}
	for field, value := range row {
		if was, ok := old[field]; !ok || !was.equal(value) {
			do(field, &value)
		}
	}
}

// creation returns the phase in which new rows of a table come.
func creation(table string) phase {
	switch table {
	case schema.TableBufferPortIngress, schema.TableBufferPortEgress, schema.TableBufferQueue, schema.TableQueue, schema.TableCableLength:
		return bind
	case schema.TableTunnel, schema.TableSystemDefaults:
		return classify // its queues are lossless by then
	case schema.TablePFCWatchdog, schema.TablePort:
		return finish
	}
	return create
}

// removal returns the phase in which a row goes.
func (p *planner) removal(table, key string) phase {
	switch {
	case table == schema.TablePFCWatchdog:
		return quiet
	case (table == schema.TableBufferQueue || table == schema.TableQueue) && overlaps(p.added(table), key):
		return clear
	}
	return discard
}

// change returns the phase in which a field of a row that stays changes. Late ones come after
// others of the row.
func change(table, field string, old, row Row) (at phase, late bool) {
	was, now := number(old[field].Text), number(row[field].Text)
	switch {
	case table == schema.TableBufferPool && (field == xoff || field == size):
		return changePool(field, old, row)
	case table == schema.TableBufferProfile && (field == xoff || field == size):
		// Reserve and headroom of NVIDIA's chips are one buffer: the reserve is the
		// first to grow and the last to shrink.
		if _, had := old[field]; now > was || !had {
			return raise, field == xoff
		}
		return lower, field == size
	case table == schema.TableCableLength && now < was:
		return ease, false
	case table == schema.TableCableLength:
		return bind, false
	case table == schema.TableBufferQueue, table == schema.TableBufferPortIngress, table == schema.TableBufferPortEgress:
		return bind, false
	case table == schema.TablePFCToPG, table == schema.TablePFCToQueue:
		return remap, false
	case table == schema.TablePort && now < was, field == poll && now < was:
		return quiet, false
	case table == schema.TablePort, field == poll:
		return finish, false
	case table == schema.TableWREDProfile:
		// The maximum may at no time be below the minimum.
		return classify, strings.HasSuffix(field, "_min_threshold") == (now > was)
	}
	return classify, false
}

// changePool orders the parts of a pool: parts that shrink make room for parts that grow, and where
// the size counts the headroom pool too, it is never the smaller of the two.
func changePool(field string, old, row Row) (at phase, late bool) {
	if number(row[field].Text) > number(old[field].Text) {
		return widen, field == xoff
	}
	return shrink, field == size
}

// diverts reports whether traffic of a PG that loses its headroom somewhere can go to its
// new PG at once, because every port has that already.
func (p *planner) diverts(from, to int64) bool {
	goes := false
	for port, at := range p.before.ports {
		after := p.after.ports[port]
		goes = goes || at.pgs[from&15].lossless && (after == nil || !after.pgs[from&15].lossless)
		if at.used() && at.pgs[to&15].pool == "" {
			return false
		}
	}
	return goes
}

// vacates reports whether packets of a traffic class that stops being lossless can join their new class
// before PFC goes: at every port that class is already what it will be.
func (p *planner) vacates(from, to int64) bool {
	stops := false
	for port, at := range p.before.ports {
		after := p.after.ports[port]
		if after == nil || !at.used() {
			continue
		}
		if at.holds(to) != after.holds(to) || at.pgs[at.classes[to&7]].pool == "" {
			return false
		}
		stops = stops || at.holds(from) && !after.holds(from)
	}
	return stops
}

// added returns the keys of a table that are new.
func (p *planner) added(table string) (keys []string) {
	for key := range p.to[table] {
		if _, had := p.from[table][key]; !had {
			keys = append(keys, key)
		}
	}
	return keys
}

// overlaps reports whether one of the keys claims an index of a key's.
func overlaps(keys []string, key string) bool {
	port, set := indices(key)
	return slices.ContainsFunc(keys, func(other string) bool {
		name, claimed := indices(other)
		return name == port && claimed&set != 0
	})
}

// planPriorityGroups finds the edits of BUFFER_PG. Where a row has to go before it comes
// back, or another one comes, PFC is off meanwhile.
func (p *planner) planPriorityGroups() {
	const table = schema.TableBufferPG
	for _, key := range slices.SortedFunc(maps.Keys(p.from[table]), natural.Compare) {
		port, set := indices(key)
		row, stays := p.to[table][key]
		was := p.from[table][key]
		old, now := headroomOf(p.from, was), headroomOf(p.to, row)
		switch {
		case !stays:
			p.early[port] |= p.pausedIn(port, set)
			p.removeRow(clear, table, key)
			continue
		case row.equal(was):
			continue
		case old.lossless && !now.lossless:
			p.early[port] |= p.pausedIn(port, set)
			p.setField(clear, table, key, profileOf, profileIn(row), false)
			continue
		case p.crossing(was, row, old, now):
			p.early[port] |= p.pausedIn(port, set)
			p.removeRow(clear, table, key)
			p.makeRow(bind, table, key)
			continue
		}
		at := ease
		if now.lossless && (!old.lossless || now.bytes > old.bytes) {
			at = bind
		}
		p.setField(at, table, key, profileOf, profileIn(row), false)
	}
	for _, key := range p.added(table) {
		p.makeRow(bind, table, key)
	}
}

// crossing reports whether a PG that changes its profile would hold too little or too much
// on the way, because the profile that it leaves or the one that it joins changes in
// place meanwhile. Such a PG goes and comes back.
func (p *planner) crossing(was, row Row, old, now headroom) bool {
	left, stays := p.to[schema.TableBufferProfile][plain(was[profileOf].Text)]
	joined, had := p.from[schema.TableBufferProfile][plain(row[profileOf].Text)]
	leaves, joins := number(left[xoff].Text), number(joined[xoff].Text)
	switch {
	case now.computed:
		return stays && leaves < old.bytes
	case now.bytes > old.bytes: // leaves after profiles have shrunk and grown
		return stays && (leaves < old.bytes || leaves > now.bytes)
	}
	return stays && leaves < now.bytes || had && joins < now.bytes // leaves between
}

func profileIn(row Row) *Value {
	v, ok := row[profileOf]
	if !ok {
		return nil
	}
	return &v
}

// pausedIn returns the priorities that pause PGs of a set.
func (p *planner) pausedIn(port string, set uint16) (found uint8) {
	at := p.before.ports[port]
	for priority, group := range at.groups {
		if at.pfc&(1<<priority) != 0 && set&(1<<group) != 0 {
			found |= 1 << priority
		}
	}
	return found
}

// planPortMaps finds the edits of PORT_QOS_MAP.
func (p *planner) planPortMaps() {
	const table = schema.TablePortQoSMap
	for key, old := range p.from[table] {
		row, stays := p.to[table][key]
		p.planPFC(key, priorities(old[pfcEnable].Text), row)
		p.planWatched(key, priorities(old[watched].Text), row)
		if !stays {
			p.removeRow(release, table, key)
			continue
		}
		p.changedFields(old, row, func(field string, value *Value) {
			switch field {
			case pfcEnable, watched:
			case pfcToPG, pfcToQueue:
				at := pair
				if value == nil {
					at = unpair
				}
				p.setField(at, table, key, field, value, false)
			default:
				p.setField(classify, table, key, field, value, false)
			}
		})
	}
	for _, key := range p.added(table) {
		p.makeRow(enable, table, key)
	}
}

// planPFC takes pfc_enable of a port from one end to the other: first what goes, and
// what must be off on the way, last what comes. A row that goes takes it along.
func (p *planner) planPFC(port string, old uint8, row Row) {
	if row == nil {
		return
	}
	now := priorities(row[pfcEnable].Text)
	between := old & now &^ p.early[port]
	if between != old {
		p.setSet(release, port, pfcEnable, between, row)
	}
	if now != between {
		p.setSet(enable, port, pfcEnable, now, row)
	}
}

// planWatched stops watching what is not paused any more at the beginning, and watches
// what is new at the end.
func (p *planner) planWatched(port string, old uint8, row Row) {
	if row == nil {
		return
	}
	now := priorities(row[watched].Text)
	if both := old & now; both != old {
		p.setSet(quiet, port, watched, both, row)
		old = both
	}
	if now != old {
		p.setSet(finish, port, watched, now, row)
	}
}

// setSet sets a field that lists priorities; it goes where it would be empty.
func (p *planner) setSet(at phase, port, field string, set uint8, row Row) {
	value := Value{Text: listed(set)}
	if final, ok := row[field]; ok && priorities(final.Text) == set {
		value = final
	}
	if set == 0 {
		p.setField(at, schema.TablePortQoSMap, port, field, nil, false)
		return
	}
	p.setField(at, schema.TablePortQoSMap, port, field, &value, false)
}
