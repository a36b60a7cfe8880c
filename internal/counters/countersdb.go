package counters

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/observe"
	"github.com/roceplan/roceplan/observe/intake"
)

// A Switch is COUNTERS_DB of a switch at a time. Of the ports that were simulated it has the priority groups and queues
// that carry a class; others are not there, as where create_only_config_db_buffers is set.
type Switch struct {
	Name   string
	Hashes map[string]map[string]string // by key
}

// switchState is a switch while it is recorded.
type switchState struct {
	name  string
	node  int
	net   *fabric.Network
	ports []switchPort
	pools []object // that have a headroom pool; id is the index of the ingress pool
	maps  map[string]map[string]string
	marks map[mark]int64 // the highest watermark so far
}

// mark is a watermark in a table.
type mark struct {
	table, oid string
	counter    observe.Counter
}

// switchPort is a port of a switch.
type switchPort struct {
	oid    string
	port   int // in the simulator
	groups []object
	queues []object
}

// An object is a priority group, a queue or a pool.
type object struct {
	oid     string
	id      int
	classes []uint8 // that it carries
}

// The type of an object is in the bits of its identifier from 48 on (sonic-sairedis
// meta/VirtualObjectIdManager.cpp), numbered as in SAI's saitypes.h.
const (
	portOID  = 0x01 << 48
	queueOID = 0x15 << 48
	poolOID  = 0x18 << 48
	groupOID = 0x1a << 48
)

func oid(kind uint64, n int) string { return fmt.Sprintf("oid:0x%x", kind+uint64(n)) }

func newSwitchState(net *fabric.Network, name string, node int) *switchState {
	s := &switchState{name: name, node: node, net: net, maps: map[string]map[string]string{}, marks: map[mark]int64{}}
	for i, pool := range net.Scenario.Silicon[node].Config.IngressPools {
		if pool.HeadroomCells > 0 {
			own := object{oid: oid(poolOID, len(s.pools)+1), id: i}
			s.pools = append(s.pools, own)
			s.entry(intake.PoolNames, pool.Name, own.oid)
		}
	}
	return s
}

// add takes a port of the simulator with the groups and queues that carry a class.
func (s *switchState) add(net *fabric.Network, name string, port int) {
	b := net.Scenario.Silicon[s.node]
	p := switchPort{oid: oid(portOID, len(s.ports)+1), port: port}
	groups, queues, chipPort := map[int][]uint8{}, map[int][]uint8{}, 0
	if b.Own != nil {
		chipPort = net.ChipPort(port)
	}
	for class := uint8(1); int(class) <= net.Classes; class++ {
		groups[int(b.PG[class])] = append(groups[int(b.PG[class])], class)
		queues[int(b.QueueAt(chipPort, class))] = append(queues[int(b.QueueAt(chipPort, class))], class)
	}
	s.entry(intake.PortNames, name, p.oid)
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		o := object{oid(groupOID, 8*len(s.ports)+id+1), id, groups[id]}
		p.groups = append(p.groups, o)
		s.entry(intake.GroupNames, name+":"+strconv.Itoa(id), o.oid)
		s.entry(intake.GroupPorts, o.oid, p.oid)
		s.entry(intake.GroupIndices, o.oid, strconv.Itoa(id))
	}
	for _, id := range slices.Sorted(maps.Keys(queues)) {
		o := object{oid(queueOID, 16*len(s.ports)+id+1), id, queues[id]}
		p.queues = append(p.queues, o)
		s.entry(intake.QueueNames, name+":"+strconv.Itoa(id), o.oid)
		s.entry(intake.QueuePorts, o.oid, p.oid)
		s.entry(intake.QueueIndices, o.oid, strconv.Itoa(id))
		s.entry(intake.QueueTypes, o.oid, intake.UnicastQueue)
	}
	s.ports = append(s.ports, p)
}

// entry adds to a map of names.
func (s *switchState) entry(table, key, value string) {
	if s.maps[table] == nil {
		s.maps[table] = map[string]string{}
	}
	s.maps[table][key] = value
}
