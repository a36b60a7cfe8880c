package calc

import (
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/policy"
)

// requirement lists the settings of switches that a congestion control needs.
type requirement struct {
	ecn    bool   // queues mark
	int    bool   // every hop stamps in-band telemetry
	probes bool   // ACKs or probes must not wait behind data
	source string // its source
}

// needs says what a congestion control asks of the switches. An unknown name asks
// for nothing; the language refuses those.
func needs(control string) requirement {
	switch control {
	case "dcqcn":
		return requirement{ecn: true, source: "Zhu et al., DCQCN, SIGCOMM 2015, section 3.1"}
	case "dctcp":
		return requirement{ecn: true, source: "Alizadeh et al., DCTCP, SIGCOMM 2010, section 3.1"}
	case "hpcc":
		return requirement{int: true, source: "Li et al., HPCC, SIGCOMM 2019, section 3"}
	case "timely", "timely_listing", "timely_patched":
		return requirement{probes: true, source: "Mittal et al., TIMELY, SIGCOMM 2015, section 3: ACKs ride in a higher priority"}
	case "swift":
		return requirement{probes: true, source: "Kumar et al., Swift, SIGCOMM 2020, section 3.1"}
	case "rttcc", "rtt_template":
		return requirement{probes: true, source: "NVIDIA DOCA, PCC application guide: RTT requests and responses"}
	}
	return requirement{}
}

// checkCongestionControl checks what the classes declare against what their congestion
// control works with.
func checkCongestionControl(f *policy.Fabric, list *diag.List) {
	strict := false
	for _, class := range f.Classes {
		strict = strict || class.Strict.Value
	}
	for _, class := range f.Classes {
		control := class.CongestionControl
		if !control.Set {
			continue
		}
		need := needs(control.Value)
		switch {
		case need.ecn && class.ECN.Set && class.ECN.Value == "off":
			list.Errorf(CongestionNeeds, class.ECN.Range, "%s reacts to ECN marks, and class %q marks nothing", control.Value, class.Name).
				Fixf("use ecn = derived").Notef(control.Range, "%s", need.source)
		case !need.ecn && control.Value != "none" && class.ECN.Set && class.ECN.Value != "off":
			list.Warnf(CongestionNeeds, class.ECN.Range, "%s does not react to ECN marks", control.Value).Fixf("use ecn = off")
		}
		if need.int {
			list.Warnf(CongestionNeeds, control.Range, "%s needs in-band telemetry from every hop, which none of the targets can configure", control.Value).
				Fixf("enable INT on every switch by other means; one hop without it misleads the senders").Notef(control.Range, "%s", need.source)
		}
		if need.probes && !strict {
			list.Warnf(CongestionNeeds, control.Range, "%s measures delay, and no class of the fabric is strict: its ACKs or probes wait behind data", control.Value).
				Fixf("add a strict class for ACKs and probes").Notef(control.Range, "%s", need.source)
		}
	}
}

// transportOf returns the transport of a class's hosts, where it is not the usual one.
func transportOf(class *policy.Class) string {
	if class.Transport.Value == "rc" {
		return ""
	}
	return class.Transport.Value
}
