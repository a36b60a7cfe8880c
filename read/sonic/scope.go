package sonic

import (
	"strings"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/read"
)

// scopeOf is the part of the switch that a field can reach, by the row that it stands in.
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

// portScope is the ports of a key such as "Ethernet0,Ethernet4"; of one that names a port
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

// indexScope is the port and the queues or groups of a key such as "Ethernet0|3-4".
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

// users is every port, queue and group that refers to a row.
func (r *reader) users(table, key string) read.Scope {
	if r.usersOf == nil {
		r.usersOf = make(map[[2]string]read.Scope)
		for _, from := range []struct{ table, field, to string }{
			{schema.TableBufferPG, "profile", schema.TableBufferProfile}, {schema.TableBufferQueue, "profile", schema.TableBufferProfile},
			{schema.TableQueue, "scheduler", schema.TableScheduler}, {schema.TableQueue, "wred_profile", schema.TableWREDProfile},
		} {
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
	for i := range r.table(table).rows {
		w := &r.table(table).rows[i]
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
