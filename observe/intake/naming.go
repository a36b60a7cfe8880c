package intake

import (
	"maps"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/observe"
)

// A sample is one value under a name and labels, as telemetry carries it.
type sample struct {
	name   string            // of the metric, or the last part of a path
	labels map[string]string // by the words of the source
	value  string
	until  time.Time
	source string
	at     diag.Range
}

// Labels by which sources call the same thing.
func deviceLabels() []string {
	return []string{"device", "switch", "hostname", "host", "host.name", "net.host.name", "source", "target", "nodename", "instance"}
}

// hftObject is the label of SONiC's high-frequency telemetry: Ethernet0, Ethernet0|3, or a pool (sonic-swss,
// crates/countersyncd/src/message/otel.rs; SONiC, doc/high-frequency-telemetry, HIGH_FREQUENCY_TELEMETRY_GROUP).
const hftObject = "object_name"

func portLabels() []string {
	return []string{"port", "interface", "ifname", "interface_name", "interface-id", "device_port", "name", hftObject}
}

func indexLabels(kind observe.ObjectKind) []string {
	if kind == observe.Group {
		return []string{"pg", "priority_group", "group", "index"}
	}
	return []string{"queue", "tc", "traffic_class", "index"}
}

func first(labels map[string]string, names []string) string {
	for _, name := range names {
		if v := labels[name]; v != "" {
			return v
		}
	}
	return ""
}

// sample makes a row of a value whose name is known; it reports whether it is.
func (r *reader) sample(s sample) bool {
	counter, kind, ok := counterOf(s.name, s.labels)
	if !ok {
		return false
	}
	if card := s.labels["device"]; card != "" && strings.HasPrefix(s.name, "node_") { // node_exporter's is a card of the host
		if port := s.labels["port"]; port != "" {
			card += "/" + port
		}
		s.labels = maps.Clone(s.labels)
		delete(s.labels, "device")
		s.labels["link"] = card
	}
	object := observe.Object{Kind: kind, Name: first(s.labels, portLabels())}
	switch kind {
	case observe.Pool:
		object.Name = first(s.labels, []string{"pool", "name", hftObject})
	case observe.NIC:
		object.Name = first(s.labels, []string{"link", "nic", "ifname", "interface", "port"})
	case observe.Group, observe.Queue:
		id := first(s.labels, indexLabels(kind))
		for _, separator := range []string{"|", ":"} {
			if port, index, cut := cutLast(object.Name, separator); cut && id == "" {
				object.Name, id = port, index
			}
		}
		if _, index, cut := cutLast(id, ":"); cut {
			id = index
		}
		n, err := strconv.ParseUint(strings.TrimLeft(id, "UCPGTuc"), 10, 8)
		if err != nil {
			return false
		}
		object.ID = uint8(n)
	}
	if object.Name == "" && kind != observe.NIC {
		return false
	}
	value, ok := r.wholeText(s.value, s.name, s.at)
	if !ok {
		return true
	}
	device := first(s.labels, deviceLabels())
	if host, port, cut := cutLast(device, ":"); cut && strings.Trim(port, "0123456789") == "" {
		device = host // an instance is HOST:PORT
	}
	r.add(observe.Row{Device: device, Object: object, Counter: counter, Value: value, Until: s.until, Source: s.source, At: s.at})
	return true
}

// counterOf finds the counter that a source calls by a name of its own.
func counterOf(name string, labels map[string]string) (observe.Counter, observe.ObjectKind, bool) {
	spelt := strings.TrimSuffix(name, "_total")
	for kind := observe.Port; kind <= observe.NIC; kind++ {
		for _, c := range observe.Known(kind) {
			if strings.EqualFold(string(c), spelt) || kind == observe.NIC && (spelt == "rdma_"+string(c) || spelt == "node_infiniband_"+string(c) || spelt == "mlx5_"+string(c)) {
				return c, kind, true
			}
		}
	}
	if name, ok := strings.CutPrefix(spelt, "node_ethtool_"); ok {
		c, known := nicCounter(ethtoolName(name))
		return c, observe.NIC, known
	}
	c, kind, ok := cumulusCounter(spelt, labels)
	return c, kind, ok
}

// cumulusCounter returns the metrics of Cumulus Linux (NVIDIA, Cumulus Linux 5.13, Open Telemetry
// Export). Their occupancy of a priority group is shared buffer and headroom in one, so it is
// neither counter.
func cumulusCounter(name string, labels map[string]string) (observe.Counter, observe.ObjectKind, bool) {
	name, ok := strings.CutPrefix(name, "nvswitch_interface_")
	if !ok {
		return "", 0, false
	}
	switch name {
	case "tc_tx_frames":
		return observe.QueueSent, observe.Queue, true
	case "tc_tx_octet":
		return observe.QueueSentBytes, observe.Queue, true
	case "tc_tx_ecn_marked_tc":
		return observe.QueueMarked, observe.Queue, true
	case "tc_tx_no_buffer_discard_uc":
		return observe.QueueDropped, observe.Queue, true
	case "shared_buffer_port_tc_watermark", "shared_buffer_port_tc_watermark_recorded_max":
		return observe.QueueShared, observe.Queue, true
	case "pg_rx_shared_buffer_discard":
		return observe.GroupDropped, observe.Group, true
	case "sp_tx_pause", "sp_rx_pause":
		p, err := strconv.ParseUint(first(labels, []string{"sp", "switch_priority", "priority"}), 10, 8)
		if err != nil || p > 7 {
			return "", 0, false
		}
		if name == "sp_tx_pause" {
			return observe.PFCSent(uint8(p)), observe.Port, true
		}
		return observe.PFCReceived(uint8(p)), observe.Port, true
	}
	return "", 0, false
}

// number is how numbers are written: no more digits and no larger exponent than a counter of 64
// bits can need.
var number = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9]{1,20}(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?$`)
})

// wholeText reads a number that may be written as a fraction, as JSON and Prometheus do: 5, 5.0,
// 5e3. One that is not whole, or cannot be a counter's, is a finding; NaN is unknown.
func (r *reader) wholeText(text, what string, at diag.Range) (uint64, bool) {
	r.absent = r.absent || text == "N/A"
	if text == "" || text == "N/A" || text == "NaN" || text == "null" {
		return 0, false
	}
	if value, err := strconv.ParseUint(text, 10, 64); err == nil {
		return value, true
	}
	if number().MatchString(text) {
		if ratio, ok := new(big.Rat).SetString(text); ok && ratio.IsInt() && ratio.Num().IsUint64() {
			return ratio.Num().Uint64(), true
		}
	}
	r.errorf(NotNumber, at, "%s is %s, and must be a whole number below 2^64", what, clip(text)).Fixf("give the counter as the device counts it: a whole number below 2^64")
	return 0, false
}
