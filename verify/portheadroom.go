package verify

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/calc/pool"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// HeadroomLimits are the most headroom that devices have for their ports: max_headroom_size of
// BUFFER_MAX_PARAM_TABLE in SONiC's STATE_DB. They are the driver's own and published nowhere. The
// device "" is all that are judged.
type HeadroomLimits map[plan.LinkEnd]units.Bytes

// limitTable is where SONiC's STATE_DB has them.
const limitTable = "BUFFER_MAX_PARAM_TABLE"

// Read adds those of a dump of STATE_DB (sonic-db-dump -n STATE_DB -y), nested or
// flat. The folder of the file names the device.
func (l HeadroomLimits) Read(name string, text []byte) (found diag.List) {
	var tables map[string]json.RawMessage
	if err := json.Unmarshal(text, &tables); err != nil {
		found.Errorf(HeadroomLimitsInvalid, diag.Top(name), "this is not a dump of STATE_DB: %v", err).Fixf("give the output of: sonic-db-dump -n STATE_DB -y")
		return found
	}
	device := path.Base(path.Dir(strings.ReplaceAll(name, `\`, "/")))
	if device == "." || device == "/" {
		device = ""
	}
	rows := map[string]json.RawMessage{}
	if nested, ok := tables[limitTable]; ok {
		_ = json.Unmarshal(nested, &rows) // a value that is not an object has no rows, which is reported
	}
	for key, row := range tables {
		if port, ok := strings.CutPrefix(key, limitTable+"|"); ok {
			rows[port] = row
		}
	}
	known := 0
	for port, row := range rows {
		size, ok := limitOf(row)
		switch {
		case port == "global": // mmu_size
		case !ok:
			found.Errorf(HeadroomLimitsInvalid, diag.Top(name), "max_headroom_size of %s is not a number of bytes", port).Fixf("give the output of sonic-db-dump as it is, or leave the port out")
		default:
			known++
			l[plan.LinkEnd{Switch: device, Port: port}] = size
		}
	}
	if known == 0 && len(found) == 0 {
		found.Errorf(HeadroomLimitsInvalid, diag.Top(name), "it has no port in %s, where SONiC's dynamic buffer model stores the largest headroom of each port", limitTable).
			Fixf("give the output of `sonic-db-dump -n STATE_DB -y`")
	}
	return found.Sorted()
}

// limitOf returns the size of a row, whose fields a dump of Redis has below "value".
func limitOf(row json.RawMessage) (units.Bytes, bool) {
	var fields struct {
		Size  string `json:"max_headroom_size"`
		Value struct {
			Size string `json:"max_headroom_size"`
		} `json:"value"`
	}
	if json.Unmarshal(row, &fields) != nil {
		return 0, false
	}
	size, err := strconv.ParseInt(fields.Size+fields.Value.Size, 10, 64)
	return units.Bytes(size), err == nil && size >= 0
}

// of returns the least that some devices have for a port; nil where none of them says it.
func (l HeadroomLimits) of(devices []string, port string) (least *units.Bytes) {
	for _, device := range append(slices.Clone(devices), "") {
		if size, ok := l[plan.LinkEnd{Switch: device, Port: port}]; ok && (least == nil || size < *least) {
			least = &size
		}
	}
	return least
}

// A PortHeadroom is what a device in SONiC's dynamic buffer model adds up for ports that are
// alike, and holds against what it has.
type PortHeadroom struct {
	Ports []string     `json:"ports"`
	Need  units.Bytes  `json:"need"`
	Most  *units.Bytes `json:"most,omitempty"` // by the device's STATE_DB; nil: unknown
}

func (h PortHeadroom) String() string {
	if h.Most == nil {
		return fmt.Sprintf("headroom of %s together %v: the device accepts it if its max_headroom_size in STATE_DB is larger; --state-db compares the two", listed(h.Ports), h.Need)
	}
	return fmt.Sprintf("headroom of %s together %v; the device has %v", listed(h.Ports), h.Need, *h.Most)
}

// addUpHeadroom adds up the headroom of each port as the device does, and finds those for which
// it has too little: it leaves such a port as it is, without the profile. A sum as large as the
// maximum is refused too (sonic-swss cfgmgr/buffer_check_headroom_mellanox.lua).
func (v *Verifier) addUpHeadroom(s *Switch) {
	if s.Plan.BufferModel != plan.DynamicModel || s.chip == nil || s.unfilled != nil {
		return
	}
	chip, err := pool.SpectrumOf(s.chip)
	if err != nil {
		return
	}
	for i := range s.Plan.Ports {
		port := &s.Plan.Ports[i]
		if port.QoS == nil || groupsOf(port.QoS) == 0 {
			continue
		}
		own := PortHeadroom{Ports: []string{port.Name}, Need: chip.PortHeadroomOf(port).Value, Most: v.HeadroomLimits.of(s.Names, port.Name)}
		if own.Most != nil && own.Need >= *own.Most {
			s.Findings.Errorf(HeadroomAboveDevice, port.Range, "the headroom of %s is %v together, but must be below the device's limit of %v: the device refuses the profiles", port.Name, own.Need, *own.Most).
				Fixf("shorten the cable, or carry fewer lossless classes on the port")
		}
		s.PortHeadroom = withPort(s.PortHeadroom, own)
	}
}

// withPort adds a port to those that are like it.
func withPort(all []PortHeadroom, own PortHeadroom) []PortHeadroom {
	for i := range all {
		a, b := all[i].Most, own.Most
		if all[i].Need == own.Need && (a == nil) == (b == nil) && (a == nil || *a == *b) {
			all[i].Ports = append(all[i].Ports, own.Ports...)
			return all
		}
	}
	return append(all, own)
}
