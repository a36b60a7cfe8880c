package patch

import (
	"slices"
	"strconv"
	"strings"

	schema "github.com/roceplan/roceplan/format/sonic"
)

// ownership is which rows and fields of a table are roceplan's.
type ownership uint8

const (
	byName    ownership = iota // rows with names that others refer to
	byPort                     // a row for each port
	byIndices                  // rows for PGs or queues of ports: "Ethernet0|3-4"
	byField                    // one row with a field for each port
	mtuOnly                    // of each port's row one field
	onlyGrows                  // rows and fields that orchagent cannot remove
)

type ownedTable struct {
	table string
	kind  ownership
}

// owned are roceplan's tables, in the order in which their rows can be made: a row comes before
// those that refer to it.
var owned = [...]ownedTable{
	{schema.TableTrimming, onlyGrows}, // sonic-swss orchagent/switchorch.cpp, doCfgSwitchTrimmingTableTask
	{schema.TableBufferPool, byName},
	{schema.TableBufferProfile, byName},
	{schema.TableDefaultLossless, byName},
	{schema.TableLosslessPattern, byName},
	{schema.TableDSCPToTC, byName},
	{schema.TableTCToPG, byName},
	{schema.TableTCToQueue, byName},
	{schema.TableTCToDSCP, byName},
	{schema.TablePFCToPG, byName},
	{schema.TablePFCToQueue, byName},
	{schema.TableScheduler, byName},
	{schema.TableWREDProfile, byName},
	{schema.TablePort, mtuOnly},
	{schema.TableCableLength, byField},
	{schema.TableBufferPortIngress, byPort},
	{schema.TableBufferPortEgress, byPort},
	{schema.TableBufferPG, byIndices},
	{schema.TableBufferQueue, byIndices},
	{schema.TableQueue, byIndices},
	{schema.TablePortQoSMap, byPort},
	{schema.TablePFCWatchdog, byPort},
	// A tunnel has its addresses from routing, and stays when its maps are no longer the
	// fabric's: sonic-swss orchagent/muxorch.cpp reads them when it makes the tunnel.
	{schema.TableTunnel, onlyGrows},
	{schema.TableSystemDefaults, onlyGrows},
}

// rank returns the place of a table in owned.
func rank(table string) int {
	for i := range owned {
		if owned[i].table == table {
			return i
		}
	}
	return len(owned)
}

// fields returns the fields that are roceplan's in tables where others have fields too: a shaper of the
// whole port, for one, is left alone. nil means all.
func fields(table string) []string {
	switch table {
	case schema.TablePortQoSMap:
		return []string{
			"dscp_to_tc_map", pfcEnable, pfcToPG, pfcToQueue, watched, "tc_to_dscp_map", "tc_to_pg_map", "tc_to_queue_map",
		}
	case schema.TablePFCWatchdog:
		return []string{"action", "detection_time", "restoration_time", poll}
	}
	return nil
}

// Fields whose changes have an order.
const (
	pfcEnable  = "pfc_enable"
	pfcToPG    = "pfc_to_pg_map"
	tcToPG     = "tc_to_pg_map"
	pfcToQueue = "pfc_to_queue_map"
	watched    = "pfcwd_sw_enable"
	poll       = "POLL_INTERVAL"
	profileOf  = "profile"
	xoff       = "xoff"
	size       = "size"
)

// references are the fields that name rows of other tables, "" any field.
var references = [...]struct{ table, field, to string }{
	{schema.TableBufferProfile, "pool", schema.TableBufferPool},
	{schema.TableBufferPG, profileOf, schema.TableBufferProfile},
	{schema.TableBufferQueue, profileOf, schema.TableBufferProfile},
	{schema.TableBufferPortIngress, "profile_list", schema.TableBufferProfile},
	{schema.TableBufferPortEgress, "profile_list", schema.TableBufferProfile},
	{schema.TableQueue, "scheduler", schema.TableScheduler},
	{schema.TableQueue, "wred_profile", schema.TableWREDProfile},
	{schema.TablePortQoSMap, "dscp_to_tc_map", schema.TableDSCPToTC},
	{schema.TablePortQoSMap, pfcToPG, schema.TablePFCToPG},
	{schema.TablePortQoSMap, pfcToQueue, schema.TablePFCToQueue},
	{schema.TablePortQoSMap, "tc_to_dscp_map", schema.TableTCToDSCP},
	{schema.TablePortQoSMap, tcToPG, schema.TableTCToPG},
	{schema.TablePortQoSMap, "tc_to_queue_map", schema.TableTCToQueue},
	{schema.TableTunnel, "decap_dscp_to_tc_map", schema.TableDSCPToTC},
	{schema.TableTunnel, "decap_tc_to_pg_map", schema.TableTCToPG},
	{schema.TableTunnel, "encap_tc_to_queue_map", schema.TableTCToQueue},
	{schema.TableTunnel, "encap_tc_to_dscp_map", schema.TableTCToDSCP},
}

// names returns the texts in a value that may name rows.
func (v Value) names() []string {
	if v.List != nil {
		return v.List
	}
	return strings.Split(v.Text, ",")
}

// indices splits "Ethernet0|3-4" into the port and a set of indices; the set is empty
// where the key is none.
func indices(key string) (port string, set uint16) {
	cut := strings.LastIndexByte(key, '|')
	if cut < 0 {
		return "", 0
	}
	low, high, isRange := strings.Cut(key[cut+1:], "-")
	if !isRange {
		high = low
	}
	first, err1 := strconv.ParseUint(low, 10, 4)
	last, err2 := strconv.ParseUint(high, 10, 4)
	if err1 != nil || err2 != nil || first > last {
		return key[:cut], 0
	}
	return key[:cut], uint16(1<<(last+1) - 1<<first)
}

// priorities reads "3,4" as a set.
func priorities(text string) (set uint8) {
	for _, p := range strings.Split(text, ",") {
		if v, err := strconv.ParseUint(strings.TrimSpace(p), 10, 3); err == nil {
			set |= 1 << v
		}
	}
	return set
}

// listed prints a set as "3,4".
func listed(set uint8) string {
	var text []string
	for p := range 8 {
		if set&(1<<p) != 0 {
			text = append(text, strconv.Itoa(p))
		}
	}
	return strings.Join(text, ",")
}

// number reads a field that counts bytes, times or lengths ("40m"); 0 where there is
// none.
func number(text string) int64 {
	v, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(text), "m"), 10, 64)
	if err != nil {
		return 0
	}
	return v
}

// isOwned reports whether a field is roceplan's.
func isOwned(table, field string) bool {
	only := fields(table)
	return only == nil || slices.Contains(only, field)
}
