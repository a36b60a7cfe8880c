package main

import "strings"

// srlinuxHarm are the harmful edits of SR Linux' JSON, by the name of the kind.
func srlinuxHarm() map[string]edit {
	headroom := func(of func(int64) int64) edit { return number(` *"maximum-pfc-reserved-share-bytes": (\d+)`, of) }
	class := func(value, is, to string) edit {
		return reline(`( *"value": `+value+`,\n *"forwarding-class":) "`+is+`",`, `$1 "`+to+`",`)
	}
	return map[string]edit{
		"one cell less headroom":              headroom(add(-254)), // the cell of Tomahawk 5
		"headroom halved":                     headroom(over(2)),
		"headroom in KiB instead of bytes":    headroom(over(1024)),
		"headroom zero":                       headroom(set(0)),
		"headroom left out":                   reline(`( *"maximum-burst-size": \d+),\n *"maximum-pfc-reserved-share-bytes": \d+`, "$1"),
		"headroom hundredfold":                headroom(times(100)),
		"headroom pool a tenth":               number(` *"pfc-buffer-reservation": (\d+)`, set(0)),
		"MTU of 1000":                         number(` *"mtu": (\d+),`, set(1000)),
		"limit of the lossless queue a tenth": number(` *"queue-name": "rdma",\n *"maximum-burst-size": (\d+)`, over(10)),
		"PFC off at one end":                  reline(`( *"enable-pfc":) true`, "$1 false"),
		"PFC for another priority":            reline(`( *"pfc-pause-frame-priority":) 3`, "$1 1"),
		"PFC left out":                        reline(`( *"pfc-enable":) true`, "$1 false"),
		"a port is not watched":               reline(`( *"deadlock": \{\n *"enable":) true`, "$1 false"),
		"detection after 1 ms":                number(` *"detection-timer": (\d+),`, set(1)),
		"detection after a minute":            number(` *"detection-timer": (\d+),`, set(60000)),
		"lossless DSCP moved to the rest":     class("26", "rdma", "rest"),
		"a DSCP of the rest made lossless":    class("0", "rest", "rdma"),
		"CNPs with the rest":                  class("48", "cnp", "rest"),
		"CNPs made lossless":                  class("48", "cnp", "rdma"),
		"the class leaves from another queue": reline(`( *"unicast-queue":) "rdma",`, `$1 "cnp",`),
		"two classes in one queue":            reline(`( *"unicast-queue":) "rest",`, `$1 "rdma",`),
		"Kmin above Kmax":                     reline(`( *"min-threshold":) "(\d+)",\n( *"max-threshold":) "(\d+)",`, "$1 \"$4\",\n$3 \"$2\","),
		"Kmin a tenth":                        number(` *"min-threshold": "(\d+)",`, over(10)),
		"Kmax beyond the queue":               number(` *"max-threshold": "(\d+)",`, times(1000)),
		"Pmax zero":                           number(` *"max-drop-probability-percent": (\d+)`, set(0)),
		"marking off":                         reline(`( *"enable-ecn":) true,`, "$1 false,"),
		"cap removed":                         reline(`( *"queue-name": "cnp"),\n *"peak-rate-percent": \d+`, "$1"),
		"cap tenfold":                         number(` *"peak-rate-percent": (\d+)`, times(10)),
		"CNPs share by weight":                reline(` *"priority": "strict",`, ""),
		"the lossless class gets nothing":     number(` *"queue-name": "rdma",\n *"weight": (\d+)`, set(1)),
		"weight of 0":                         number(` *"queue-name": "rdma",\n *"weight": (\d+)`, set(0)),
		"a unit in a number":                  reline(`( *"mtu":) (\d+),`, `$1 "${2}B",`),
		"a number out of range":               number(` *"mtu": (\d+),`, set(99999)),
		"the end of the file is missing":      truncated,
		"a profile that is not there":         reline(`( *"pfc-buffer-allocation-profile":) "servers"`, `$1 "missing"`),
		"a word that is none":                 reline(`( *"priority":) "strict",`, `$1 "strictest",`),
		"a port that is gone":                 reline(`( *"interface-ref": \{\n *"interface":) "ethernet-1/1"`, `$1 "ethernet-1/99"`),
		"a key twice":                         reline(`( *"sequence": 0,)`, "$1\n$1"),
	}
}

// srlinuxQuiet are the harmless ones.
func srlinuxQuiet() []mutation {
	only := func(e edit) map[string]func(string) string { return map[string]func(string) string{"srlinux": e} }
	renamed := strings.NewReplacer(`"servers"`, `"to-servers"`, `"spines"`, `"to-spines"`)
	return []mutation{
		{"SR Linux: lines end with CR LF", only(func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") })},
		{"SR Linux: empty lines", only(func(s string) string { return strings.ReplaceAll(s, "\n", "\n\n") })},
		{"SR Linux: no spaces", only(func(s string) string { return strings.ReplaceAll(s, ": ", ":") })},
		{"SR Linux: profiles of other names", only(renamed.Replace)},
		{"SR Linux: a description", only(reline(`( *)"name": "ethernet-1/1",`, "${1}\"name\": \"ethernet-1/1\",\n${1}\"description\": \"to gpu-17\","))},
		{"SR Linux: a module without its prefix", only(func(s string) string {
			return strings.ReplaceAll(s, "srl_nokia-interfaces:interface", "interface")
		})},
	}
}
