package patch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/plan"
)

// A Guard judges the states between two ends of a change.
type Guard struct{ ends [2]*pausing }

// NewGuard looks at the ends.
func NewGuard(from, to DB) *Guard { return &Guard{[2]*pausing{pausingOf(from), pausingOf(to)}} }

// Hazards says what is wrong with a state on the way:
//   - PFC is on for a priority whose PG holds no headroom;
//   - a PG that is paused has less headroom than both ends give it;
//   - a headroom pool is smaller than both ends demand for the PGs that it serves;
//   - a row refers to one that is not there;
//   - two rows claim one PG or queue.
//
// Each is a sentence without a full stop. An end can have hazards of its own.
func (g *Guard) Hazards(state DB) map[string]bool {
	found := make(map[string]bool)
	s := pausingOf(state)
	for name, p := range s.ports {
		g.headroom(s, name, p, found)
	}
	for pool, held := range s.pools {
		if !g.suffices(s, pool, held) {
			found[fmt.Sprintf("the headroom pool of %s holds %d B, less than its priority groups need", pool, held)] = true
		}
	}
	dangling(state, found)
	claimedTwice(state, found)
	return found
}

func (g *Guard) headroom(s *pausing, name string, p *portPausing, found map[string]bool) {
	for priority := range 8 {
		if p.pfc&(1<<priority) == 0 {
			continue
		}
		group := p.groups[priority]
		pg := p.pgs[group]
		if !pg.lossless {
			found[fmt.Sprintf("PFC priority %d of %s pauses PG %d, which has no headroom", priority, name, group)] = true
			continue
		}
		if need, ok := g.least(name, group); ok && !pg.computed && pg.bytes < need {
			found[fmt.Sprintf("PG %d of %s has %d B of headroom and needs %d B", group, name, pg.bytes, need)] = true
		}
	}
}

// least returns the smaller headroom that an end gives a PG; ok is false where none says.
func (g *Guard) least(port string, group uint8) (bytes int64, ok bool) {
	for _, end := range g.ends {
		p := end.ports[port]
		if p == nil || !p.paused(group) || !p.pgs[group].lossless || p.pgs[group].computed {
			continue
		}
		if !ok || p.pgs[group].bytes < bytes {
			bytes, ok = p.pgs[group].bytes, true
		}
	}
	return bytes, ok
}

// suffices reports whether a headroom pool is as large as that of an end, while no PG
// takes more from it than that end gives it.
func (g *Guard) suffices(s *pausing, pool string, held int64) bool {
	for _, end := range g.ends {
		if held >= end.pools[pool] && s.within(end, pool) {
			return true
		}
	}
	return false
}

// within reports whether no PG of a pool has more headroom than at the end.
func (s *pausing) within(end *pausing, pool string) bool {
	for name, p := range s.ports {
		for i := range p.pgs {
			pg := &p.pgs[i]
			if !pg.lossless || pg.pool != pool || pg.computed {
				continue
			}
			e := end.ports[name]
			if e == nil || !e.pgs[i].lossless || !e.pgs[i].computed && e.pgs[i].bytes < pg.bytes {
				return false
			}
		}
	}
	return true
}

// pausing has a configuration's settings of PFC and headroom.
type pausing struct {
	ports map[string]*portPausing
	pools map[string]int64 // headroom pool, B
}

type portPausing struct {
	pfc     uint8    // priorities with PFC on
	groups  [8]uint8 // PG of each priority; of a port without maps, nothing
	classes [8]uint8 // PG of each traffic class, as groups
	pgs     [16]headroom
}

// headroom is the headroom of a PG.
type headroom struct {
	lossless bool
	computed bool // by the switch, in the dynamic buffer model
	bytes    int64
	pool     string
}

// paused reports whether a priority pauses a PG.
func (p *portPausing) paused(group uint8) bool {
	for priority, g := range p.groups {
		if g == group && p.pfc&(1<<priority) != 0 {
			return true
		}
	}
	return false
}

// holds reports whether packets of a traffic class are lossless.
func (p *portPausing) holds(class int64) bool {
	group := p.classes[class&7]
	return p.paused(group) && p.pgs[group].lossless
}

// used reports whether the port has any PG.
func (p *portPausing) used() bool {
	return slices.ContainsFunc(p.pgs[:], func(h headroom) bool { return h.pool != "" })
}

func pausingOf(db DB) *pausing {
	s := &pausing{make(map[string]*portPausing, len(db[schema.TablePort])), make(map[string]int64)}
	for name, row := range db[schema.TableBufferPool] {
		s.pools[name] = number(row[xoff].Text)
	}
	for key, row := range db[schema.TablePortQoSMap] {
		p := s.port(key)
		p.pfc = priorities(row[pfcEnable].Text)
		p.groups = groups(db[schema.TablePFCToPG][row[pfcToPG].Text])
		p.classes = groups(db[schema.TableTCToPG][row[tcToPG].Text])
	}
	for key, row := range db[schema.TableBufferPG] {
		name, set := indices(key)
		p, h := s.port(name), headroomOf(db, row)
		for i := range p.pgs {
			if set&(1<<i) != 0 {
				p.pgs[i] = h
			}
		}
	}
	return s
}

func (s *pausing) port(name string) *portPausing {
	p := s.ports[name]
	if p == nil {
		p = new(portPausing)
		s.ports[name] = p
	}
	return p
}

// groups returns the PGs of the priorities or traffic classes of a port, by a map: without a row, of the same number.
func groups(table Row) (to [8]uint8) {
	for i := range to {
		to[i] = uint8(i)
		if v, ok := table[strconv.Itoa(i)]; ok {
			to[i] = uint8(number(v.Text)) & 7
		}
	}
	return to
}

// headroomOf resolves the profile of a row of BUFFER_PG.
func headroomOf(db DB, row Row) headroom {
	name := plain(row[profileOf].Text)
	if name == schema.NullProfile {
		return headroom{lossless: true, computed: true, pool: plan.LosslessPool}
	}
	profile := db[schema.TableBufferProfile][name]
	_, holds := profile[xoff]
	computed := profile["headroom_type"].Text == "dynamic"
	return headroom{
		lossless: holds || computed, computed: computed && !holds, bytes: number(profile[xoff].Text), pool: plain(profile["pool"].Text),
	}
}

// dangling finds references to rows that are not there.
func dangling(db DB, found map[string]bool) {
	for _, ref := range references {
		for key, row := range db[ref.table] {
			for name := range strings.SplitSeq(row[ref.field].Text, ",") {
				name = plain(name)
				if name == "" || name == schema.NullProfile && ref.table == schema.TableBufferPG || db[ref.to][name] != nil {
					continue
				}
				found[fmt.Sprintf("%s|%s refers to %s, which %s does not have", ref.table, key, name, ref.to)] = true
			}
		}
	}
}

// claimedTwice finds indices of a port that two rows claim.
func claimedTwice(db DB, found map[string]bool) {
	for _, o := range owned {
		if o.kind != byIndices {
			continue
		}
		claimed := make(map[string]uint16, len(db[schema.TablePort]))
		for key := range db[o.table] {
			port, set := indices(key)
			if claimed[port]&set != 0 {
				found[fmt.Sprintf("two rows of %s claim the same index of %s", o.table, port)] = true
			}
			claimed[port] |= set
		}
	}
}
