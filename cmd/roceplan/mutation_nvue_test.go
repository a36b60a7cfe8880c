package main

import (
	"regexp"
	"strconv"
	"strings"
)

// nvuePool is the share of the pool that lossless groups use.
const nvuePool = ` *ingress-service-pool:\n *'0':\n *mode: dynamic\n *memory-percent: (\d+)`

// nvueHarm returns the harmful edits of NVUE's YAML, by the name of the kind.
func nvueHarm() map[string]edit {
	buffer := func(of func(int64) int64) edit { return number(` *port-buffer: (\d+)`, of) }
	return map[string]edit{
		"one cell less headroom":               buffer(add(-192)), // the cell of Spectrum-4
		"headroom halved":                      nvueHeadroom(over(2)),
		"headroom in KiB instead of bytes":     nvueHeadroom(over(1024)),
		"headroom zero":                        nvueHeadroom(set(0)),
		"headroom left out":                    reline(` *port-buffer: \d+`, ""),
		"headroom hundredfold":                 nvueHeadroom(times(100)),
		"xoff and size swapped":                nvueSwap("port-buffer", "xoff-threshold"),
		"cable doubled":                        number(` *cable-length: (\d+)`, times(2)),
		"cable of 0m":                          number(` *cable-length: (\d+)`, set(0)),
		"MTU of 1000":                          number(` *mtu: (\d+)`, set(1000)),
		"pool halved":                          number(nvuePool, over(2)),
		"pool grown past the chip":             number(nvuePool, set(200)),
		"alpha one step down":                  halvedAlpha(`( *shared-alpha:) alpha_(1_\d+)`, "alpha_", "_"),
		"alpha of 1/128":                       reline(`( *shared-alpha:) alpha_1_\d+`, "$1 alpha_1_128"),
		"alpha beyond the range":               reline(`( *shared-alpha:) alpha_1_\d+`, "$1 alpha_128"),
		"threshold left out":                   reline(` *shared-alpha: alpha_1_\d+`, ""),
		"reserve of the lossless group halved": number(` *xoff-threshold: (\d+)`, over(2)),
		"xon offset zero":                      number(` *xon-threshold: (\d+)`, set(0)),
		"lossless queue bounded by a share":    nvueUnder("egress-lossless-buffer", `( *shared-alpha:) alpha_infinity`, "$1 alpha_1_16"),
		"lossy queue may take more":            nvueUnder("egress-lossy-buffer", `( *shared-alpha:) alpha_1`, "$1 alpha_8"),
		"PFC off at one end":                   reline(`( *tx:) enable`, "$1 disable"),
		"PFC for another priority":             nvueUnder("pfc", `( *)'3': \{\}`, "${1}'1': {}"),
		"PFC for one more priority":            nvueUnder("pfc", `( *)'3': \{\}`, "${1}'3': {}\n${1}'7': {}"),
		"PFC left out":                         nvueUnder("interface", ` *pfc:\n *profile: .*`, ""),
		"a port is not watched":                nvueUnder("interface", `( *state:) enable`, "$1 disable"),
		"detection after 1 ms":                 number(` *polling-interval: (\d+)`, set(1)),
		"detection after a minute":             number(` *robustness: (\d+)`, set(600)),
		"lossless DSCP moved to the rest":      nvueDSCP(26, 0),
		"lossless DSCP in a class of its own":  nvueDSCP(26, 4),
		"a DSCP of the rest made lossless":     nvueDSCP(0, 3),
		"CNPs with the rest":                   nvueDSCP(48, 0),
		"CNPs made lossless":                   nvueDSCP(48, 3),
		"the class leaves from another queue":  nvueQueue(3, 1),
		"two classes in one queue":             nvueQueue(0, 3),
		"a port that trusts nobody":            reline(`( *trust:) l3`, "$1 port"),
		"Kmin above Kmax":                      nvueSwap("min-threshold", "max-threshold"),
		"Kmin a tenth":                         number(` *min-threshold: (\d+)`, over(10)),
		"Kmax beyond the queue":                number(` *max-threshold: (\d+)`, times(100)),
		"Pmax zero":                            number(` *probability: (\d+)`, set(0)),
		"marking off":                          nvueUnder("interface", ` *congestion-control:\n *profile: .*`, ""),
		"cap removed":                          reline(` *max-rate: .*`, ""),
		"cap tenfold":                          number(` *max-rate: (\d+)`, times(10)),
		"CNPs share by weight":                 reline(`( *)mode: strict`, "${1}mode: dwrr\n${1}bw-percent: 10"),
		"the lossless class gets nothing":      number(` *bw-percent: (70)`, set(1)),
		"the lossless class strict":            reline(`( *)mode: dwrr\n *bw-percent: 70`, "${1}mode: strict"),
		"weight of 0":                          number(` *bw-percent: (\d+)`, set(0)),
		"a unit in a number":                   reline(`( *port-buffer: \d+)`, "${1}B"),
		"a number out of range":                number(` *mtu: (\d+)`, set(99999)),
		"the end of the file is missing":       truncated,
		"a profile that is not there":          nvueUnder("interface", `( *profile:) .*`, "$1 missing"),
		"a word that is none":                  reline(`( *)mode: dwrr`, "${1}mode: wfq"),
		"a port that is gone":                  reline(`      swp1:`, "      swp99:"),
		"a key twice":                          reline(`( *)trust: l3`, "${1}trust: l3\n${1}trust: l3"),
	}
}

// nvueQuiet returns the harmless ones.
func nvueQuiet() []mutation {
	only := func(e edit) map[string]func(string) string { return map[string]func(string) string{"nvue": e} }
	return []mutation{
		{"NVUE: comments", only(func(s string) string {
			return "# a comment\n" + strings.ReplaceAll(s, "      pfc:\n", "      pfc: # a comment\n")
		})},
		{"NVUE: lines end with CR LF", only(func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") })},
		{"NVUE: empty lines", only(func(s string) string { return strings.ReplaceAll(s, "\n", "\n\n") })},
		{"NVUE: keys in double quotes", only(func(s string) string { return strings.ReplaceAll(s, "'", `"`) })},
		{"NVUE: deeper indentation", only(everyLine(func(l string) string {
			if strings.HasPrefix(l, "  ") {
				return strings.Repeat(" ", indent(l)) + l
			}
			return l
		}))},
		{"NVUE: profiles of other names", only(func(s string) string {
			return regexp.MustCompile(`\b(clients|targets|spines|leaves)\b`).ReplaceAllString(s, "my-$1")
		})},
		{"NVUE: a description", only(reline(`      swp1:`, "      swp1:\n        description: to gpu-17"))},
		{"NVUE: a bridge beside", only(reline(`    interface:`, "    bridge:\n      domain:\n        br_default:\n          vlan:\n            '100': {}\n    interface:"))},
		{"NVUE: BGP beside", only(reline(`    interface:`, "    router:\n      bgp:\n        autonomous-system: 65001\n    interface:"))},
		{"NVUE: a loopback beside", only(reline(`    interface:`, "    interface:\n      lo:\n        ip:\n          address:\n            10.1.0.1/32: {}"))},
		{"NVUE: headroom a cell larger", only(number(` *port-buffer: (\d+)`, add(192)))},
		{"NVUE: an unused profile", only(reline(`      pfc:`, "      pfc:\n        spare:\n          switch-priority:\n            '5': {}"))},
	}
}

// nvueHeadroom changes what the first port buffer has above its XOFF threshold.
func nvueHeadroom(of func(int64) int64) edit {
	is := regexp.MustCompile(`port-buffer: (\d+)\n( *)xoff-threshold: (\d+)`)
	return func(text string) string {
		m := is.FindStringSubmatch(text)
		if m == nil {
			return text
		}
		buffer, _ := strconv.ParseInt(m[1], 10, 64)
		xoff, _ := strconv.ParseInt(m[3], 10, 64)
		changed := "port-buffer: " + strconv.FormatInt(xoff+of(buffer-xoff), 10)
		return strings.Replace(text, "port-buffer: "+m[1], changed, 1)
	}
}

// nvueSwap exchanges the values of two leaves that stand one behind the other.
func nvueSwap(a, b string) edit {
	return reline(`( *`+a+`:) (\d+)\n( *`+b+`:) (\d+)`, "$1 $4\n$3 $2")
}

// nvueUnder edits the first match below a key.
func nvueUnder(key, pattern, to string) edit {
	at := regexp.MustCompile(`(?m)^ *` + key + `:\n`)
	return func(text string) string {
		found := at.FindStringIndex(text)
		if found == nil {
			return text
		}
		return text[:found[1]] + reline(pattern, to)(text[found[1]:])
	}
}

// nvueDSCP leads a code point to another switch priority.
func nvueDSCP(code, priority int) edit {
	return nvueUnder("dscp", `( *)'`+strconv.Itoa(code)+`':\n( *switch-priority:) \d`, "${1}'"+strconv.Itoa(code)+"':\n$2 "+strconv.Itoa(priority))
}

// nvueQueue leads a switch priority to another traffic class.
func nvueQueue(priority, tc int) edit {
	return nvueUnder("egress-queue-mapping", `( *)'`+strconv.Itoa(priority)+`':\n( *traffic-class:) \d`, "${1}'"+strconv.Itoa(priority)+"':\n$2 "+strconv.Itoa(tc))
}

// junosHarm returns the harmful edits of Junos' configuration, by the name of the kind.
func junosHarm() map[string]edit {
	headroom := func(of func(int64) int64) edit {
		return number(` *buffer-partition lossless-headroom \{\n *percent (\d+);`, of)
	}
	return map[string]edit{
		"headroom halved":                     headroom(over(2)),
		"headroom zero":                       headroom(set(0)),
		"headroom left out":                   reline(` *buffer-partition lossless-headroom \{\n.*\n *\}`, ""),
		"cable doubled":                       number(` *cable-length (\d+);`, times(2)),
		"cable of 0m":                         number(` *cable-length (\d+);`, set(0)),
		"MTU of 1000":                         number(` *mtu (\d+);`, set(1000)),
		"pool halved":                         number(` *buffer-partition lossless \{\n *percent (\d+);`, over(2)),
		"pool grown past the chip":            number(` *buffer-partition lossless \{\n *percent (\d+);`, set(200)),
		"alpha one step down":                 number(` *dynamic-threshold (\d+);`, add(-1)),
		"alpha of 1/128":                      number(` *dynamic-threshold (\d+);`, set(0)),
		"alpha beyond the range":              number(` *dynamic-threshold (\d+);`, set(11)),
		"threshold left out":                  reline(` *dynamic-threshold \d+;`, ""),
		"PFC off at one end":                  reline(` *pfc;`, ""),
		"PFC for another priority":            reline(`( *class rdma queue-num 3 no-loss pfc-priority) 3;`, "$1 4;"),
		"PFC left out":                        reline(` *congestion-notification-profile servers;`, ""),
		"a port is not watched":               reline(` *pfc-watchdog \{\n(?:.*\n){4} *\}`, ""),
		"detection after 1 ms":                number(` *poll-interval (\d+);`, set(1)),
		"detection after a minute":            number(` *detection (\d+);`, set(600)),
		"lossless DSCP moved to the rest":     junosDSCP("011010", "rdma", "rest"),
		"a DSCP of the rest made lossless":    junosDSCP("000000", "rest", "rdma"),
		"CNPs with the rest":                  junosDSCP("110000", "cnp", "rest"),
		"CNPs made lossless":                  junosDSCP("110000", "cnp", "rdma"),
		"the class leaves from another queue": reline(`( *class rdma queue-num) 3`+`(.*)`, "$1 1$2"),
		"two classes in one queue":            reline(`( *class rest queue-num) 0;`, "$1 3;"),
		"a port that trusts nobody":           reline(` *classifiers \{\n *dscp roce;\n *\}`, ""),
		"Kmin above Kmax":                     reline(`( *fill-level \[) (\d+) (\d+) \];`, "$1 $3 $2 ];"),
		"Pmax zero":                           reline(`( *drop-probability \[ 0) \d+ \];`, "$1 0 ];"),
		"marking off":                         reline(` *explicit-congestion-notification;`, ""),
		"cap removed":                         reline(` *shaping-rate .*;`, ""),
		"cap tenfold":                         number(` *shaping-rate (\d+)g;`, times(10)),
		"CNPs share by weight":                reline(`( *)priority strict-high;`, "${1}priority low;\n${1}transmit-rate percent 1;"),
		"the lossless class gets nothing":     number(` *transmit-rate percent (80);`, set(1)),
		"the lossless class strict":           reline(` *transmit-rate percent 80;\n( *)priority low;`, "${1}priority strict-high;"),
		"weight of 0":                         number(` *transmit-rate percent (80);`, set(0)),
		"a unit in a number":                  reline(`( *cable-length \d+);`, "${1}m;"),
		"a number out of range":               number(` *mtu (\d+);`, set(99999)),
		"the end of the file is missing":      truncated,
		"a profile that is not there":         reline(`( *congestion-notification-profile) servers;`, "$1 missing;"),
		"a word that is none":                 reline(`( *)priority low;`, "${1}priority lowest;"),
		"a port that is gone":                 reline(`( *)et-0/0/0 \{\n( *)congestion`, "${1}et-0/0/99 {\n${2}congestion"),
	}
}

// junosQuiet returns the harmless ones.
func junosQuiet() []mutation {
	only := func(e edit) map[string]func(string) string { return map[string]func(string) string{"junos": e} }
	renamed := strings.NewReplacer("servers", "to-servers", "spines", "to-spines")
	return []mutation{
		{"Junos: remarks", only(func(s string) string { return "/* a remark */\n" + strings.ReplaceAll(s, "pfc;", "pfc; # one more") })},
		{"Junos: lines end with CR LF", only(func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") })},
		{"Junos: empty lines", only(func(s string) string { return strings.ReplaceAll(s, "\n", "\n\n") })},
		{"Junos: tabs", only(func(s string) string { return strings.ReplaceAll(s, "    ", "\t") })},
		{"Junos: profiles of other names", only(renamed.Replace)},
		{"Junos: a description", only(reline(`    et-0/0/0 \{`, "    et-0/0/0 {\n        description \"to gpu-17\";"))},
		{"Junos: BGP beside", only(func(s string) string { return s + "protocols {\n    lldp {\n        interface all;\n    }\n}\n" })},
		{"Junos: an unused profile", only(reline(`    drop-profiles \{`, "    drop-profiles {\n        spare {\n            interpolate {\n                fill-level [ 50 100 ];\n                drop-probability [ 0 100 ];\n            }\n        }"))},
	}
}

// junosDSCP moves a code point from one forwarding class of the classifier to another.
func junosDSCP(bits, from, to string) edit {
	list := func(class string, of func(points []string) []string) edit {
		return func(text string) string {
			head := "forwarding-class " + class + " {\n                loss-priority low code-points "
			before, rest, ok := strings.Cut(text, head)
			if !ok {
				return text
			}
			points, after, _ := strings.Cut(rest, ";")
			left := of(strings.Fields(strings.Trim(points, "[ ]")))
			if left == nil { // a class without code points has no statement
				_, after, _ = strings.Cut(after, "}\n")
				return strings.TrimRight(before, " ") + after
			}
			return before + head + "[ " + strings.Join(left, " ") + " ];" + after
		}
	}
	take := list(from, func(points []string) (left []string) {
		for _, p := range points {
			if p != bits {
				left = append(left, p)
			}
		}
		return left
	})
	return both(take, list(to, func(points []string) []string { return append(points, bits) }))
}

// srlinuxHarm returns the harmful edits of SR Linux' JSON, by the name of the kind.
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

// srlinuxQuiet returns the harmless ones.
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
