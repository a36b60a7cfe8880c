package patch

import (
	"fmt"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/diag"
	emitter "github.com/roceplan/roceplan/emit/sonic"
	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/plan"
)

// A makePort is a port that the switch may not have yet.
type makePort struct {
	*plan.Port
	row Row    // of PORT
	was string // the mode of its cage before, "" where it is not known
}

// over adds the steps over a change of ports. Ports that are made anew carry nothing while they are
// made: their settings are removed first, all others of the switch stay. Without such ports there
// is one way.
func (p *Patch) over(from *Running, old, new *plan.Switch, updaters []judge, judge Judge) (after *Running, interrupted diag.List, worst string) {
	at := new.Range
	ports := madePorts(old, new, p.Target)
	if ports == nil {
		return p.lead(speeds(from, p.Target, old, new), p.Target, updaters, judge, at)
	}
	gone := map[string]bool{}
	for i := range old.Ports {
		gone[old.Ports[i].Name] = true
	}
	for i := range new.Ports {
		delete(gone, new.Ports[i].Name)
	}
	for _, port := range ports {
		gone[port.Name] = true
	}
	from, interrupted, worst = p.lead(from, from.DB.without(gone), updaters, judge, at)
	if worst != "" {
		return nil, nil, worst
	}
	p.Steps = append(p.Steps, Step{Title: "make ports", Operations: []Operation{}, Undo: []Operation{}, ports: ports})
	p.Between = append(p.Between, Passed{"before ports are made", from.src})
	there := from.DB.clone()
	for _, port := range ports {
		there.set(schema.TablePort, port.Name, maps.Clone(p.Target[schema.TablePort][port.Name]))
	}
	made := again(there)
	p.Between = append(p.Between, Passed{"ports are made", made.src})
	after, more, worst := p.lead(speeds(made, p.Target, old, new), p.Target, updaters, judge, at)
	return after, append(interrupted, more...), worst
}

// madePorts returns the ports that are new, or on other lanes than before, nil where there are none.
func madePorts(old, new *plan.Switch, target DB) (ports []makePort) {
	was := map[string]*plan.Port{}
	for i := range old.Ports {
		was[old.Ports[i].Name] = &old.Ports[i]
	}
	for i := range new.Ports {
		port := &new.Ports[i]
		before := was[port.Name]
		if before != nil && slices.Equal(before.Lanes, port.Lanes) && before.Cage == port.Cage {
			continue
		}
		made := makePort{Port: port, row: rowOf(new, port, target[schema.TablePort][port.Name])}
		if cage := was[port.Cage.Port]; cage != nil {
			made.was = cage.Cage.Mode
		}
		ports = append(ports, made)
	}
	return ports
}

// rowOf returns the row of PORT of a port that is made: its settings by patches, and all of compile's.
func rowOf(sw *plan.Switch, port *plan.Port, told Row) Row {
	row := maps.Clone(told)
	for _, f := range emitter.PortRow(sw, port) {
		if f.Value != "" {
			row[f.Name] = Value{Text: f.Value}
		}
	}
	return row
}

// without returns a configuration in which ports have no QoS.
func (db DB) without(ports map[string]bool) DB {
	to := db.clone()
	for _, o := range owned {
		for _, key := range sorted(db[o.table]) {
			port := key
			switch o.kind {
			case byIndices:
				port, _ = indices(key)
			case byField:
				maps.DeleteFunc(to[o.table][key], func(field string, _ Value) bool { return ports[field] })
				continue
			case byPort:
			default:
				continue
			}
			if ports[port] {
				to.drop(o.table, key)
			}
		}
	}
	return to
}

// speeds lets the speed and the error correction of ports that stay be part of the change. SONiC's
// port manager reads them from tables that patches otherwise leave alone.
func speeds(from *Running, target DB, old, new *plan.Switch) *Running {
	is := map[string]*plan.Port{}
	for i := range new.Ports {
		is[new.Ports[i].Name] = &new.Ports[i]
	}
	db := from.DB.clone()
	changed := false
	for i := range old.Ports {
		was := &old.Ports[i]
		now := is[was.Name]
		if now == nil || was.Speed == now.Speed || !slices.Equal(was.Lanes, now.Lanes) || was.Cage != now.Cage {
			continue
		}
		changed = true
		rows := [2]Row{db[schema.TablePort][was.Name], target[schema.TablePort][was.Name]}
		for i, port := range []*plan.Port{was, now} {
			rows[i]["speed"] = Value{Text: emitter.Speed(port)}
			if was.FEC != now.FEC && was.FEC != "" && now.FEC != "" {
				rows[i]["fec"] = Value{Text: port.FEC}
			}
		}
	}
	if !changed {
		return from
	}
	return again(db)
}

// again returns a configuration that was made here, with its text.
func again(db DB) *Running {
	running, found := Read(emitter.OverlayPath, indented(db))
	if found != nil {
		panic(fmt.Sprintf("tables of rows are no ConfigDB: %v", found))
	}
	return running
}

// portFunctions ask which lanes a port runs on, none where it is not there, and stop.
const portFunctions = `runs() { [ "$(sonic-db-cli CONFIG_DB HGET "PORT|$1" lanes | tr -d ' ')" = "$2" ]; }
stop() { echo "$1 does not run on $2 lanes: break its cage out first (config interface breakout)" >&2; exit 1; }`

// portFiles returns the script of a step that makes ports, what it loads, and its undo. A port that
// is there with its lanes stays as it is. Where the platform's ways to use a cage are known,
// SONiC's own command changes them; else the row of the port is enough for its port manager
// (sonic-swss orchagent/portsorch.cpp, doPortTask: it makes ports of rows with lanes).
func portFiles(name string, ports []makePort) []File {
	rows := DB{}
	lines, back := []string{portFunctions}, []string(nil)
	cages := map[string]bool{}
	for _, port := range ports {
		rows.set(schema.TablePort, port.Name, port.row)
		lanes := quoted(emitter.Lanes(port.Port))
		switch cage := port.Cage; {
		case cage.Mode != "":
			lines = append(lines, fmt.Sprintf("runs %s %s || config interface breakout %s %s -y", quoted(port.Name), lanes, quoted(cage.Port), quoted(cage.Mode)))
			if port.was != "" && port.was != cage.Mode && !cages[cage.Port] {
				back = append(back, fmt.Sprintf("config interface breakout %s %s -y", quoted(cage.Port), quoted(port.was)))
			}
			cages[cage.Port] = true
		case len(port.Lanes) > 0:
			lines = append(lines, fmt.Sprintf("runs %s %s || runs %s '' || stop %s %s", quoted(port.Name), lanes, quoted(port.Name), quoted(port.Name), lanes))
		default:
			lines = append(lines, fmt.Sprintf("! runs %s '' || stop %s its", quoted(port.Name), quoted(port.Name)))
		}
	}
	lines = append(lines, "config load -y "+quoted(loadFile(name)))
	return []File{
		{name, script("make ports", lines)},
		{loadFile(name), indented(rows)},
		{"undo/" + name, script("undo: make ports. Ports that are there and carry no lossless class do no harm", back)},
	}
}
