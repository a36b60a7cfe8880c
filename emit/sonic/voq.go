package sonic

import (
	"strings"

	"github.com/roceplan/roceplan/emit"
	schema "github.com/roceplan/roceplan/format/sonic"
)

// Where packets wait in virtual output queues at ingress, a row for a queue names the card
// and the chip whose port it leads to: keys of BUFFER_QUEUE and QUEUE have four parts, and
// those of three are malformed (sonic-swss orchagent/bufferorch.cpp, qosorch.cpp).

// SplitSKU splits the name of hardware that has several chips, each with its own database,
// as sonic-buildimage's folders have it: "Arista-7280DR3A-36/1" is chip asic1.
func SplitSKU(sku string) (hardware, asic string) {
	hardware, number, several := strings.Cut(sku, "/")
	if !several {
		return sku, schema.FirstASIC
	}
	return hardware, "asic" + number
}

// queueKey returns the key of a queue's row, or of several queues'.
func (e *emitter) queueKey(port, ids string) string {
	if !e.sw.VOQ {
		return port + "|" + ids
	}
	_, asic := SplitSKU(e.sw.HwSKU)
	return emit.Mark + "|" + asic + "|" + port + "|" + ids
}

// writeVirtual prints what of the switch's identity decides how keys are read.
func (e *emitter) writeVirtual() {
	if e.sw.VOQ {
		e.w.text("switch_type", schema.SwitchVOQ)
	}
}

// checkVirtual reports the parts of a chassis outside these tables.
func (e *emitter) checkVirtual() {
	if e.sw.VOQ {
		e.found.Warnf(SystemPorts, e.sw.Range, "the switch has virtual output queues: rows for queues to ports of other cards, switch_id, max_cores and SYSTEM_PORT are the chassis', and not in this file").
			Fixf("merge the file into the configuration of the card; give the queues to other cards the same profiles")
	}
}
