package patch

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/diag"
	schema "github.com/roceplan/roceplan/emit/sonic"
	"github.com/roceplan/roceplan/plan"
)

// A Load is the way without the generic config updater: with the ports drained, tables are
// cleared as a whole and loaded again. New and Old are these tables after and before it, with
// what others have set in them, and roceplan's part of tables that are not cleared.
type Load struct{ New, Old DB }

func newLoad(from, to DB) *Load {
	return &Load{New: loaded(to), Old: loaded(from)}
}

// mplsMap is not roceplan's, and `config qos clear` clears it with the others (sonic-utilities
// config/main.py, _clear_qos).
const mplsMap = "MPLS_TC_TO_TC_MAP"

func loaded(db DB) DB {
	part := make(DB)
	take := func(table string, mine func(field string) bool) {
		for key, row := range db[table] {
			fields := make(Row)
			for field, value := range row {
				if mine(field) {
					fields[field] = value
				}
			}
			if len(fields) > 0 || len(row) == 0 {
				part.set(table, key, fields)
			}
		}
	}
	for _, o := range owned {
		take(o.table, func(field string) bool { return o.cleared() || isOwned(o.table, field) })
	}
	take(mplsMap, func(string) bool { return true })
	return part
}

// cleared reports whether the script clears the table: with the ports' watchdogs, the tables of
// QoS, or by itself. Others have rows that must stay.
func (o ownedTable) cleared() bool { return o.kind != mtuOnly && o.kind != onlyGrows }

// consult asks the updater of the switch's release. Where it refuses an operation, or the
// way back over it, no step is to be taken: a switch that stops on the way has PFC off.
func (p *Patch) consult(sw *plan.Switch, running *Running, at diag.Range) (found diag.List) {
	if len(p.Steps) == 0 {
		return nil
	}
	said := cmp.Or(sw.Release, releaseOf(running.DB))
	judges := judgesOf(said, cmp.Or(running.DB.text(schema.TableDeviceMetadata, schema.Localhost, "hwsku"), sw.HwSKU), sw.Chip)
	var told []string
	for i := range judges {
		if all, counts := counted(judges[i].refusals(p.Steps)); all > 0 {
			told = append(told, fmt.Sprintf("that of %s refuses %d: %s", judges[i].release, all, counts))
		}
	}
	switch {
	case len(told) == 0:
	case said == "" && len(told) < len(judges):
		found.Warnf(UpdaterRefuses, at, "config apply-patch takes the %d operations and their undo on some releases only: %s", len(p.Operations()), strings.Join(told, "; ")).
			Fixf("say which release the switch runs: --release, or release in the fabric")
	default:
		found.Warnf(UpdaterRefuses, at, "config apply-patch does not take the %d operations and their undo, so no step is written: %s", len(p.Operations()), strings.Join(told, "; ")).
			Fixf("drain the ports and load the tables again; --steps writes the files, and a script that puts the old ones back where it fails")
		p.Load = newLoad(running.DB, p.Target)
	}
	return found
}
