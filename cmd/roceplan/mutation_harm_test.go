package main

import "strings"

// Rows and lines that edits are about.
const (
	pgLossless = `pg_lossless_.*`
	qLossless  = `egress_lossless_.*`
	qLossy     = `(q_lossy_profile|egress_lossy_profile)`
	anyRow     = `.*`
	inPool     = "ingress_lossless_pool"
	firstPort  = `Ethernet0`
	eosPool    = `platform trident mmu headroom-pool limit (\d+)`
	eosECN     = ` *random-detect ecn minimum-threshold (\d+) bytes maximum-threshold (\d+) bytes max-mark-probability (\d+) weight 0`
)

// strictScheduler and weighted schedulers by their emitted names.
const (
	strictRow = `scheduler\.strict\..*`
	dwrrRow   = `scheduler\.dwrr\..*`
)

func by(sonic, eos, openconfig edit) map[string]func(string) string {
	m := map[string]func(string) string{}
	for kind, e := range map[string]edit{"sonic": sonic, "eos": eos, "openconfig": openconfig} {
		if e != nil {
			m[kind] = e
		}
	}
	return m
}

// harmful are edits after which a lossless class can lose packets, or something is not
// what the fabric asked for.
func harmful() []mutation {
	all := append(harmfulHeadroom(), harmfulThresholds()...)
	all = append(all, harmfulPFC()...)
	all = append(all, harmfulMaps()...)
	all = append(all, harmfulMarking()...)
	all = append(all, harmfulFiles()...)
	for system, own := range map[string]map[string]edit{"nvue": nvueHarm(), "junos": junosHarm(), "srlinux": srlinuxHarm()} {
		for _, m := range all {
			if e, ok := own[m.name]; ok {
				m.by[system] = e
				delete(own, m.name)
			}
		}
		for name := range own {
			panic(system + ": no kind of edit is called " + name)
		}
	}
	return all
}

func harmfulHeadroom() []mutation {
	headroom := func(of func(int64) int64) map[string]func(string) string {
		return by(field("BUFFER_PROFILE", pgLossless, "xoff", text(of)), number(` *ingress headroom (\d+)`, of), nil)
	}
	pool := func(name, f string, of func(int64) int64) edit { return field("BUFFER_POOL", name, f, text(of)) }
	return []mutation{
		{"one cell less headroom", by(
			perCell(func(c int64) edit { return field("BUFFER_PROFILE", pgLossless, "xoff", text(add(-c))) }),
			perCell(func(c int64) edit { return number(` *ingress headroom (\d+)`, add(-c)) }), nil)},
		{"headroom halved", headroom(over(2))},
		{"headroom in KiB instead of bytes", headroom(over(1024))},
		{"headroom zero", headroom(set(0))},
		{"headroom left out", by(dropField("BUFFER_PROFILE", pgLossless, "xoff"), reline(` *ingress headroom \d+`, ""), nil)},
		{"headroom hundredfold", headroom(times(100))},
		{"headroom of the wrong speed", sonicOnly(func(text string) string {
			slow, fast := "", ""
			for _, m := range profileNames(text) {
				if slow == "" {
					slow = m
				}
				fast = m
			}
			if slow == fast {
				return text
			}
			return field("BUFFER_PG", `Ethernet\d+\|\d`, "profile", func(s string) string { return s })(swapLastPG(text, slow))
		})},
		{"xoff and size swapped", sonicOnly(swapFields("BUFFER_PROFILE", pgLossless, "xoff", "size"))},
		{"pool grown past the chip", sonicOnly(pool(inPool, "size", times(2)))},
		{"size and xoff of the pool swapped", sonicOnly(swapFields("BUFFER_POOL", inPool, "xoff", "size"))},
		{"pool halved", sonicOnly(pool(inPool, "size", over(2)))},
		{"headroom pool a tenth", by(pool(inPool, "xoff", over(10)), number(eosPool, over(10)), nil)},
		{"headroom pool one cell less", by(perCell(func(c int64) edit { return pool(inPool, "xoff", add(-c)) }),
			perCell(func(c int64) edit { return number(eosPool, add(-c)) }), nil)},
		{"headroom pool left out", by(dropField("BUFFER_POOL", inPool, "xoff"), reline(`platform trident mmu headroom-pool limit .*`, ""), nil)},
		{"egress pool halved", sonicOnly(pool("egress_lossless_pool", "size", over(2)))},
		{"pool on the wrong side", sonicOnly(field("BUFFER_POOL", inPool, "type", to("egress")))},
		{"lossless profile in an egress pool", sonicOnly(field("BUFFER_PROFILE", pgLossless, "pool", to("egress_lossless_pool")))},
		{"lossy profile for the lossless group", sonicOnly(field("BUFFER_PG", `Ethernet\d+\|[35]`, "profile", to("ingress_lossy_profile")))},
		{"lossless group without buffer", sonicOnly(dropRow("BUFFER_PG", `Ethernet\d+\|[35]`))},
		{"cable doubled", sonicOnly(cableOf(firstPort, func(s string) string { return text(times(2))(strings.TrimSuffix(s, "m")) + "m" }))},
		{"cable of 0m", sonicOnly(cableOf(firstPort, to("0m")))},
		{"speed fourfold", sonicOnly(field("PORT", firstPort, "speed", text(times(4))))},
		{"MTU of 1000", by(field("PORT", firstPort, "mtu", to("1000")), number(` *mtu (\d+)`, set(1000)), number(` *"mtu": (\d+),`, set(1000)))},
	}
}

func harmfulThresholds() []mutation {
	return []mutation{
		{"alpha one step up", by(field("BUFFER_PROFILE", pgLossless, "dynamic_th", text(add(1))), nil, nil)},
		{"alpha one step down", by(field("BUFFER_PROFILE", pgLossless, "dynamic_th", text(add(-1))), halvedAlpha(`( *ingress priority-group 3 threshold) (\S+)`, "", "/"), nil)},
		{"alpha of 1/128", by(field("BUFFER_PROFILE", pgLossless, "dynamic_th", to("-7")), reline(`( *ingress priority-group 3 threshold) \S+`, "$1 1/128"), nil)},
		{"alpha beyond the range", by(field("BUFFER_PROFILE", pgLossless, "dynamic_th", to("9")), reline(`( *ingress priority-group 3 threshold) \S+`, "$1 16"), nil)},
		{"static beside dynamic threshold", sonicOnly(addField("BUFFER_PROFILE", pgLossless, "dynamic_th", "static_th", "100000"))},
		{"threshold left out", by(dropField("BUFFER_PROFILE", pgLossless, "dynamic_th"), reline(` *ingress priority-group 3 threshold \S+`, ""), nil)},
		{"reserve of the lossless group halved", by(field("BUFFER_PROFILE", pgLossless, "size", text(over(2))), number(` *ingress priority-group 3 reserved (\d+)`, over(2)), nil)},
		{"xon offset tenfold", by(field("BUFFER_PROFILE", pgLossless, "xon_offset", text(times(10))), number(` *ingress resume (\d+)`, times(10)), nil)},
		{"xon offset zero", by(field("BUFFER_PROFILE", pgLossless, "xon_offset", to("0")), number(` *ingress resume (\d+)`, set(0)), nil)},
		{"lossless queue bounded by a share", by(
			both(dropField("BUFFER_PROFILE", qLossless, "static_th"), addField("BUFFER_PROFILE", qLossless, "pool", "dynamic_th", "-3")),
			reline(`( *)egress unicast queue 3 reserved (\d+)`, "${1}egress unicast queue 3 reserved $2\n${1}egress unicast queue 3 threshold 1/8"),
			number(` *"static-shared-buffer-limit": (\d+),`, over(8)))},
		{"limit of the lossless queue a tenth", by(field("BUFFER_PROFILE", qLossless, "static_th", text(over(10))), nil, number(` *"static-shared-buffer-limit": (\d+),`, over(10)))},
		{"lossy queue may take more", by(field("BUFFER_PROFILE", qLossy, "dynamic_th", text(add(3))), reline(`( *egress unicast queue 6 threshold) 1`, "$1 8"),
			number(` *"dynamic-limit-scaling-factor": (\d+),`, add(3)))},
		{"reserve of a lossy queue gone", by(field("BUFFER_PROFILE", qLossy, "size", to("0")), number(` *egress unicast queue 6 reserved (\d+)`, set(0)),
			reline(`( *"dedicated-buffer":) "[1-9]\d*",`, `$1 "0",`))},
		{"lossless queue with a lossy profile", sonicOnly(field("BUFFER_QUEUE", `Ethernet\d+\|[35]`, "profile", to("egress_lossy_profile")))},
		{"lossless queue without buffer", sonicOnly(dropRow("BUFFER_QUEUE", `Ethernet\d+\|[35]`))},
	}
}

func harmfulPFC() []mutation {
	pfc := func(of func(string) string) edit { return field("PORT_QOS_MAP", firstPort, "pfc_enable", of) }
	return []mutation{
		{"PFC off at one end", by(pfc(to("")), reline(`( *)priority-flow-control on`, "${1}no priority-flow-control"), nil)},
		{"PFC for another priority", by(pfc(to("1")), reline(`( *priority-flow-control priority) 3 no-drop`, "$1 4 no-drop"), nil)},
		{"PFC for one more priority", by(pfc(func(s string) string { return s + ",7" }), reline(`( *)priority-flow-control priority 3 no-drop`, "${1}priority-flow-control priority 3 no-drop\n${1}priority-flow-control priority 4 no-drop"), nil)},
		{"PFC left out", by(dropField("PORT_QOS_MAP", firstPort, "pfc_enable"), reline(` *priority-flow-control priority 3 no-drop`, ""), nil)},
		{"no-drop becomes drop", by(nil, reline(`( *priority-flow-control priority 3) no-drop`, "$1 drop"), nil)},
		{"a port is not watched", by(dropRow("PFC_WD", firstPort), reline(`( *)priority-flow-control pause watchdog`, "${1}no priority-flow-control pause watchdog"), nil)},
		{"a pause stops another queue", sonicOnly(byWord("MAP_PFC_PRIORITY_TO_QUEUE", "PFC", "0"))},
		{"detection after 1 ms", by(field("PFC_WD", firstPort, "detection_time", to("1")), reline(`(priority-flow-control pause watchdog default timeout) .*`, "$1 0.001"), nil)},
		{"detection after a minute", by(field("PFC_WD", firstPort, "detection_time", to("5000")), reline(`(priority-flow-control pause watchdog default timeout) .*`, "$1 60.00"), nil)},
		{"restoration faster than the poll", by(field("PFC_WD", firstPort, "restoration_time", to("100")), reline(`(priority-flow-control pause watchdog default recovery-time) .*`, "$1 0.05"), nil)},
		{"polling slower than the timers", by(field("PFC_WD", "GLOBAL", "POLL_INTERVAL", to("1000")), reline(`(priority-flow-control pause watchdog default polling-interval) .*`, "$1 1.000"), nil)},
		{"the watchdog only forwards", by(field("PFC_WD", firstPort, "action", to("forward")), reline(`(priority-flow-control pause watchdog action) .*`, "$1 notify-only"), nil)},
		{"an action that there is not", by(field("PFC_WD", firstPort, "action", to("errdisable")), reline(`(priority-flow-control pause watchdog action) .*`, "$1 no-drop"), nil)},
	}
}

func harmfulMaps() []mutation {
	return []mutation{
		{"lossless DSCP moved to the rest", by(dscp("RDMA", "REST"), eosDSCP("26", "0"), ocTerm("rdma", "rest"))},
		{"lossless DSCP in a class of its own", by(dscp("RDMA", "4"), eosDSCP("26", "4"), nil)},
		{"a DSCP of the rest made lossless", by(dscp("0", "RDMA"), reline(`qos map dscp 0 (.*)`, "qos map dscp 0 to traffic-class 3\nqos map dscp $1"), ocMove("0", "26"))},
		{"CNPs with the rest", by(dscp("48", "REST"), eosDSCP("48", "0"), ocTerm("cnp", "rest"))},
		{"CNPs made lossless", by(dscp("48", "RDMA"), eosDSCP("48", "3"), ocTerm("cnp", "rdma"))},
		{"a DSCP without entry", by(dropDSCP(), nil, reline(` *26$`, ` 63`))},
		{"the class leaves from another queue", by(byWord("TC_TO_QUEUE_MAP", "TC", "1"), reline(`qos map traffic-class 3 to tx-queue 3`, "qos map traffic-class 3 to tx-queue 4"), ocQueue())},
		{"two classes in one queue", by(byWord("TC_TO_QUEUE_MAP", "REST", "LOSSLESS"), reline(`qos map traffic-class 6 to tx-queue 6`, "qos map traffic-class 6 to tx-queue 3"), reline(`( *"output-queue":) "rest"(,?)`, `$1 "rdma"$2`))},
		{"the class in another group", sonicOnly(byWord("TC_TO_PRIORITY_GROUP_MAP", "TC", "1"))},
		{"a port that trusts nobody", by(nil, reline(`( *)qos trust dscp`, "${1}no qos trust"), nil)},
		{"a map that is not there", by(field("PORT_QOS_MAP", firstPort, "tc_to_queue_map", to("OTHER")), nil, nil)},
	}
}

func harmfulMarking() []mutation {
	green := func(f string, of func(int64) int64) edit { return field("WRED_PROFILE", anyRow, "green_"+f, text(of)) }
	return []mutation{
		{"Kmin above Kmax", by(swapFields("WRED_PROFILE", anyRow, "green_min_threshold", "green_max_threshold"),
			reline(`( *random-detect ecn minimum-threshold) (\d+) bytes maximum-threshold (\d+) (.*)`, "$1 $3 bytes maximum-threshold $2 $4"), ocSwapCurve())},
		{"Kmin a tenth", by(green("min_threshold", over(10)), number(eosECN, over(10)), number(` *"min-threshold": "(\d+)",?`, over(10)))},
		{"Kmax beyond the queue", by(green("max_threshold", times(1000)), reline(`( *random-detect ecn .* maximum-threshold \d+)( .*)`, "${1}000$2"), reline(`( *"max-threshold": "\d+)(",)`, "${1}0000$2"))},
		{"Pmax zero", by(field("WRED_PROFILE", anyRow, "green_drop_probability", to("0")), reline(`( *random-detect ecn .* max-mark-probability) \d+( .*)`, "$1 0$2"), number(` *"max-drop-probability-percent": (\d+),?`, set(0)))},
		{"marking off", by(field("WRED_PROFILE", anyRow, "ecn", to("ecn_none")), reline(` *random-detect ecn .*`, ""), reline(` *"queue-management-profile": .*`, ""))},
		{"a queue without its curve", sonicOnly(dropField("QUEUE", `Ethernet\d+\|[35]`, "wred_profile"))},
		{"cap removed", by(dropField("SCHEDULER", strictRow, "pir"), reline(` *shape rate .*`, ""), reline(` *"cir": .*`, ""))},
		{"cap tenfold", by(field("SCHEDULER", strictRow, "pir", text(times(10))), number(` *shape rate (\d+) kbps`, times(10)), number(` *"cir": "(\d+)",?`, times(10)))},
		{"CNPs share by weight", by(field("SCHEDULER", strictRow, "type", to("DWRR")), reline(`( *)priority strict`, "${1}no priority"), reline(`( *)"priority": "STRICT",?`, ""))},
		{"the lossless class gets nothing", by(field("QUEUE", `Ethernet\d+\|[35]`, "scheduler", to("scheduler.dwrr.20")), number(` *bandwidth percent (60)`, set(1)), number(` *"weight": "(60)"`, set(1)))},
		{"the lossless class strict", by(field("SCHEDULER", dwrrRow, "type", to("STRICT")), reline(`( *)no priority`, "${1}priority strict"), reline(`( *)"sequence": 1(,?)`, "${1}\"priority\": \"STRICT\",\n${1}\"sequence\": 1$2"))},
		{"weight of 0", by(field("SCHEDULER", dwrrRow, "weight", to("0")), number(` *bandwidth percent (\d+)`, set(0)), number(` *"weight": "(\d+)"`, set(0)))},
	}
}

func truncated(text string) string { return text[:2*len(text)/3] }

func harmfulFiles() []mutation {
	return []mutation{
		{"a group range that runs backwards", sonicOnly(renameRow("BUFFER_PG", `Ethernet\d+\|[35]`, func(s string) string { return s[:len(s)-1] + "4-3" }))},
		{"two rows for one group", sonicOnly(func(text string) string {
			return addRow("BUFFER_PG", "Ethernet0|2-6", `"profile": "ingress_lossy_profile"`)(text)
		})},
		{"a table nobody knows", sonicOnly(extra("SOMETHING_NEW", rows("row", "field", "value")))},
		{"a field nobody knows", sonicOnly(addField("PORT", firstPort, "speed", "colour", "blue"))},
		{"a unit in a number", by(field("BUFFER_PROFILE", pgLossless, "xoff", func(s string) string { return s + "B" }), reline(`( *ingress headroom) (\d+)`, "$1 ${2}B"), reline(`( *"cir": "\d+)(",?)`, "${1}bps$2"))},
		{"a number out of range", by(field("PORT", firstPort, "mtu", to("99999")), reline(`qos map dscp 26 to (.*)`, "qos map dscp 66 to $1"), reline(`( *)26$`, "${1}66"))},
		{"a key twice", by(func(text string) string {
			return strings.Replace(text, "    \"BUFFER_POOL\": {\n", "    \"BUFFER_POOL\": {},\n    \"BUFFER_POOL\": {\n", 1)
		}, nil, reline(`( *)("sequence": 0)(,?)`, "$1$2,\n$1$2$3"))},
		{"the end of the file is missing", by(truncated, truncated, truncated)},
		{"a profile that is not there", by(field("BUFFER_PG", `Ethernet\d+\|[35]`, "profile", to("missing")), reline(`( *)service-profile .*`, "${1}service-profile missing"), reline(`( *"queue-management-profile":) "[^"]*"(,?)`, `$1 "missing"$2`))},
		{"a word that is none", by(field("SCHEDULER", dwrrRow, "type", to("WFQ")), reline(`( *)priority-flow-control on`, "${1}priority-flow-control mode on"), reline(`( *"priority":) "STRICT"`, `$1 "STRICTER"`))},
		{"a leaf nobody knows", by(nil, nil, reline(`( *)("sequence": 0)(,?)`, "$1\"colour\": \"blue\",\n$1$2$3"))},
		{"a buffer profile that is not applied", by(nil, reline(`platform trident mmu queue profile roceplan apply`, ""), nil)},
		{"an interface without profile", by(dropRow("PORT_QOS_MAP", firstPort), reline(`( *)service-profile .*`, ""),
			reline(`( *"scheduler-policy": )\{\n *"config": \{\n *"name": "[^"]*"\n *\}\n *\}`, "${1}{}"))},
		{"bytes that are not text", by(field("PORT", firstPort, "description", to("\xff\xfe")), nil, reline(`( *"name": ")rest"`, "${1}\xff\xfe\""))},
		{"a port that is gone", by(dropRow("PORT", firstPort), reline(`interface Ethernet1/1`, "interface Ethernet99/1"), rename("Ethernet1/1", "Ethernet99/1"))},
	}
}
