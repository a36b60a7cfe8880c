package main

import (
	"regexp"
	"strconv"
	"strings"
)

// nvuePool is the share of the pool that lossless groups use.
const nvuePool = ` *ingress-service-pool:\n *'0':\n *mode: dynamic\n *memory-percent: (\d+)`

// nvueHarm are the harmful edits of NVUE's YAML, by the name of the kind.
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

// nvueQuiet are the harmless ones.
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
