package patch

import (
	"slices"

	schema "github.com/roceplan/roceplan/format/sonic"
)

// kinds are changes that the updaters of some releases take, and those of others refuse. Names are of the form that compile writes: the
// updater leaves parts of a path with a digit out.
var kinds = []struct {
	what string
	op   Operation
}{
	{"sizes of pools", Operation{"replace", pointer(schema.TableBufferPool, "ingress_lossless_pool", size), Value{Text: "1"}}},
	{"new buffer profiles", Operation{"add", pointer(schema.TableBufferProfile, "new"), Row{size: Value{Text: "1"}}}},
	{"alphas of buffer profiles", Operation{"replace", pointer(schema.TableBufferProfile, "pg_lossless_100000_40m_profile", "dynamic_th"), Value{Text: "1"}}},
	{"headroom of buffer profiles", Operation{"replace", pointer(schema.TableBufferProfile, "pg_lossless_100000_40m_profile", xoff), Value{Text: "1"}}},
	{"trimming of buffer profiles", Operation{"add", pointer(schema.TableBufferProfile, "pg_lossless_100000_40m_profile", "packet_discard_action"), Value{Text: "trim"}}},
	{"thresholds of curves", Operation{"replace", pointer(schema.TableWREDProfile, "ECN_99840_349696_5", "green_min_threshold"), Value{Text: "1"}}},
	{"new curves", Operation{"add", pointer(schema.TableWREDProfile, "new"), Row{"green_min_threshold": Value{Text: "1"}}}},
	{"the PFC watchdog", Operation{"replace", pointer(schema.TablePFCWatchdog, "Ethernet0", "detection_time"), Value{Text: "200"}}},
}

// Upgrade says which changes config apply-patch takes on a switch after another release is installed and not before, and which
// before and not after.
func Upgrade(from, to, hwsku, chip string) (more, less []string) {
	takes := func(release string, op Operation) bool {
		return !slices.ContainsFunc(judgesOf(release, hwsku, chip), func(j judge) bool { return j.refuses(op, j.asic) })
	}
	for _, k := range kinds {
		switch before, after := takes(from, k.op), takes(to, k.op); {
		case after && !before:
			more = append(more, k.what)
		case before && !after:
			less = append(less, k.what)
		}
	}
	return more, less
}
