package sonic

import (
	"strings"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// scopeOf returns the part of the switch that a field can reach, by its row.
func (r *reader) scopeOf(table, key, field string) read.Scope {
	switch table {
	case schema.TablePort, schema.TablePFCWatchdog, schema.TableBufferPortIngress, schema.TableBufferPortEgress, schema.TablePortQoSMap:
		return r.portScope(key)
	case schema.TableCableLength:
		return r.portScope(field)
	case schema.TableBufferPG, schema.TableBufferQueue, schema.TableQueue:
		return r.indexScope(table, key)
	case schema.TableBufferProfile, schema.TableScheduler, schema.TableWREDProfile:
		return r.users(table, key)
	}
	return read.Scope{}
}

// portScope returns the ports of a key such as "Ethernet0,Ethernet4"; of one that names a port
// which the file does not have, as GLOBAL, the whole switch.
func (r *reader) portScope(key string) (s read.Scope) {
	for port := range strings.SplitSeq(key, ",") {
		if r.hasPort(port) {
			s.Ports = append(s.Ports, port)
		}
	}
	return s
}

func (r *reader) hasPort(name string) bool {
	if t := r.table(schema.TablePort); t.present {
		return t.row(name) != nil
	}
	for i := range r.sw.Ports {
		if r.sw.Ports[i].Name == name {
			return true
		}
	}
	return false
}

// indexScope returns the port and the queues or groups of a key such as "Ethernet0|3-4".
func (r *reader) indexScope(table, key string) read.Scope {
	ports, index, ok := splitKey(key)
	if !ok {
		return read.Scope{}
	}
	s := r.portScope(ports)
	low, high, isRange := strings.Cut(index, "-")
	if !isRange {
		high = low
	}
	first, okFirst := parseIndex(low, 15)
	last, okLast := parseIndex(high, 15)
	for i := first; okFirst && okLast && i <= last; i++ {
		if table == schema.TableBufferPG {
			s.PGs |= 1 << (i & 7)
		} else {
			s.Queues |= 1 << i
		}
	}
	return s
}

// references are the fields that name rows of other tables; side is that of pools of such profiles.
var references = [...]struct {
	table, field, to string
	side             plan.Direction
}{
	{schema.TableBufferPG, "profile", schema.TableBufferProfile, plan.Ingress}, {schema.TableBufferQueue, "profile", schema.TableBufferProfile, plan.Egress},
	{schema.TableBufferPortIngress, "profile_list", schema.TableBufferProfile, plan.Ingress}, {schema.TableBufferPortEgress, "profile_list", schema.TableBufferProfile, plan.Egress},
	{schema.TableQueue, "scheduler", schema.TableScheduler, 0}, {schema.TableQueue, "wred_profile", schema.TableWREDProfile, 0},
}

// users is every port, queue and group that refers to a row.
func (r *reader) users(table, key string) read.Scope {
	if r.usersOf == nil {
		r.usersOf = make(map[[2]string]read.Scope)
		for _, from := range references {
			r.gatherUsers(from.table, from.field, from.to)
		}
	}
	s := r.usersOf[[2]string{table, key}]
	if s.PGs != 0 && s.Queues != 0 {
		return read.Scope{Ports: s.Ports} // groups and queues
	}
	return s
}

func (r *reader) gatherUsers(table, field, to string) {
	for w := range r.table(table).all() {
		n := w.fields.Get(field)
		if n == nil {
			continue
		}
		user := [2]string{to, plainName(n.Text)}
		of, one := r.usersOf[user], r.indexScope(table, w.key)
		if len(of.Ports) == 0 || of.Ports[len(of.Ports)-1] != first(one.Ports) {
			of.Ports = append(of.Ports, one.Ports...)
		}
		of.Queues |= one.Queues
		of.PGs |= one.PGs
		r.usersOf[user] = of
	}
}

func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}
