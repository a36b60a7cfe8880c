package openconfig

import (
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/format"
	row "github.com/roceplan/roceplan/format/openconfig"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// IDs of the neutral rules that reading itself finds to hold.
const (
	ruleDefault   = "default"
	ruleStrict    = "strict-weight"
	ruleOtherType = "other-type"
	ruleUnused    = "unused-profile"
	ruleNoQoS     = "no-qos"
	ruleEmpty     = "empty"
	ruleKey       = "key"
	ruleMTU       = "mtu-of-roce"
)

const models = "openconfig/public openconfig-qos 2.2.0 @94f58962"

// neutralRules are all rules, for people.
func neutralRules() []read.NeutralRule {
	return append([]read.NeutralRule{
		{ID: ruleDefault, Pattern: "drop: false, use-shared-buffer: true, queuing-behavior: SHAPE, …", Reason: "it sets the default", Evidence: models + ", the default of each leaf"},
		{ID: ruleStrict, Pattern: "scheduler-policies … inputs … weight", Reason: "a strict queue has no weight", Evidence: models + ", leaf priority: STRICT is served before all others"},
		{ID: ruleOtherType, Pattern: "buffer-allocation-profiles … limit", Reason: "the leaf is of the other type of limit", Evidence: models + ", leaf shared-buffer-limit-type"},
		{ID: ruleUnused, Pattern: "a profile, policy or classifier", Reason: "no interface refers to it", Evidence: models + ", qos/interfaces: what an interface refers to is applied"},
		{ID: ruleNoQoS, Pattern: "interfaces/interface", Reason: "the interface has no QoS in this document, so its packets are in none of its classes", Evidence: models + ", qos/interfaces"},
		{ID: ruleMTU, Pattern: "mtu of IP, of a bundle or of a VLAN", Reason: "no RoCE packet is larger", Evidence: read.LargestRoCESource},
		{ID: ruleKey, Pattern: "an entry's key, in the entry and in its config", Reason: "one names the entry, and the other repeats it; a difference is a finding", Evidence: "openconfig.net, Style Guide: a list's key is a leafref to the leaf in config"},
		{ID: ruleEmpty, Pattern: "{} and []", Reason: "an empty container sets nothing", Evidence: "RFC 7950 7.5.1: a container without presence has no meaning of its own"},
	}, paths.Rules()...)
}

// paths are the rules by which a leaf is neutral at its place, whatever its value.
var paths = read.PathRules{
	{NeutralRule: read.NeutralRule{ID: "state", Pattern: "… state …", Reason: "it is state, not configuration", Evidence: "openconfig.net, Consistency in the operational state: config and state containers"}},
	{NeutralRule: read.NeutralRule{ID: "other-models", Pattern: "system, lldp, components, network-instances, …", Reason: "management, neighbours, hardware and routes: they decide the path of packets, not how packets wait", Evidence: "openconfig/public, the models of these names"},
		Covers: []string{"system", "lldp", "components", "network-instances", "routing-policy", "bfd", "keychains", "telemetry-system", "messages", "stp", "lacp"}},
	{NeutralRule: read.NeutralRule{ID: "label", Pattern: "interfaces interface config type, description, enabled", Reason: "names or enables the port; a port that is down sends nothing", Evidence: "openconfig/public openconfig-interfaces 3.8.0"},
		Covers: []string{"interfaces interface config type", "interfaces interface config description", "interfaces interface config enabled"}},
	{NeutralRule: read.NeutralRule{ID: "addresses", Pattern: "interfaces interface subinterfaces …", Reason: "gives a port its addresses", Evidence: "openconfig/public openconfig-if-ip 3.8.0"},
		Covers: []string{"interfaces interface subinterfaces", "interfaces interface hold-time", "qos interfaces interface interface-ref config subinterface"}},
	{NeutralRule: read.NeutralRule{ID: "link-up", Pattern: "interfaces interface ethernet config mac-address, auto-negotiate, …", Reason: "decides whether the link comes up, at a speed that is set elsewhere", Evidence: "openconfig/public openconfig-if-ethernet 2.18.0"},
		Covers: []string{"interfaces interface ethernet config mac-address", "interfaces interface ethernet config auto-negotiate", "interfaces interface ethernet config aggregate-id"}},
	{NeutralRule: read.NeutralRule{ID: "sequence", Pattern: "scheduler type, sequence and name", Reason: "numbers and names entries", Evidence: models},
		Covers: []string{"qos scheduler-policies scheduler-policy schedulers scheduler config type", "qos interfaces interface output scheduler-policy state"}},
}

// link reads what the document says of the end of a cable, and returns its speed, 0 where
// the ends negotiate it.
func (r *reader) link(name string, c *posjson.Node) units.BitRate {
	if flow := c.Get("enable-flow-control"); flow != nil && r.Yes(flow) {
		r.Doubt(flow, "802.3x stops all traffic of the port, and excludes PFC", read.Scope{Ports: []string{name}})
	} else {
		r.Pass(flow, ruleDefault)
	}
	if duplex := c.Get("duplex-mode"); duplex != nil && r.Word(duplex) == "FULL" {
		r.Pass(duplex, ruleDefault)
	} else {
		r.Doubt(duplex, "a half duplex port takes no pauses", read.Scope{Ports: []string{name}})
	}
	speed := c.Get("port-speed")
	if speed == nil {
		return 0
	}
	// openconfig-if-ethernet, identity ETHERNET_SPEED.
	rate, ok := map[string]units.BitRate{
		"SPEED_10MB": 10 * units.Mbps, "SPEED_100MB": 100 * units.Mbps, "SPEED_1GB": units.Gbps, "SPEED_2500MB": 2500 * units.Mbps, "SPEED_5GB": 5 * units.Gbps,
		"SPEED_10GB": 10 * units.Gbps, "SPEED_25GB": 25 * units.Gbps, "SPEED_40GB": 40 * units.Gbps, "SPEED_50GB": 50 * units.Gbps,
		"SPEED_100GB": 100 * units.Gbps, "SPEED_200GB": 200 * units.Gbps, "SPEED_400GB": 400 * units.Gbps, "SPEED_600GB": 600 * units.Gbps, "SPEED_800GB": 800 * units.Gbps, "SPEED_1600GB": 1600 * units.Gbps,
		"SPEED_UNKNOWN": 0,
	}[r.Word(speed)]
	if !ok {
		r.Errorf(Shape, r.At(speed), "%q is not a speed that is known here", posjson.Clip(speed.Text)).Fixf("write a speed of openconfig-if-ethernet, such as SPEED_400GB")
	}
	return rate
}

// leads is where a classifier sends each code point: the name of a group.
func (c *classifier) leads() (to [64]string) {
	for i := len(c.terms) - 1; i >= 0; i-- {
		for _, d := range c.terms[i].dscps {
			to[d] = c.terms[i].group
		}
	}
	return to
}

// doubtVersion doubts the classifier of a port that sends a code point elsewhere than the
// one that the plan has: that of another version of IP, or of other ports.
func (r *reader) doubtVersion(n *posjson.Node, c *classifier) {
	is := r.trusting()
	if is == nil || is == c {
		return
	}
	var dscps uint64
	want := is.leads()
	for d, to := range c.leads() {
		if to != want[d] {
			dscps |= 1 << d
		}
	}
	if dscps == 0 {
		return
	}
	r.Found.Warnf(NotModelled, r.At(leaf(row.PortClassifierName, n)), "the classifier maps %d code points differently from %s, by which the port is read", onesIn(dscps), "the first of the document")
	why := "packets of " + strings.ToLower(c.version) + " are classified differently from the plan"
	r.Doubt(leaf(row.PortClassifierName, n), why, read.Scope{Ports: []string{r.port}, DSCPs: dscps})
	for _, t := range c.terms {
		r.Doubt(t.node, why, read.Scope{DSCPs: dscps})
	}
}

func onesIn(bits uint64) (n int) {
	for ; bits != 0; bits &= bits - 1 {
		n++
	}
	return n
}

// versions doubts ports that classify one version of IP and not the other.
func (r *reader) versions() {
	for _, port := range slices.SortedFunc(maps.Keys(r.kinds), natural.Compare) {
		for _, at := range r.kinds[port] {
			if len(r.kinds[port]) == 1 {
				r.notModelled(at, "a port that classifies one version of IP, and not the other,")
				r.Doubt(at, "packets of the other version of IP are not classified", read.Scope{Ports: []string{port}})
			}
		}
	}
}

func (r *reader) sort(n *posjson.Node, words []string, entry string) read.Statement {
	neutral := func(rule string) read.Statement { return read.Statement{Sort: read.Neutral, Rule: rule} }
	switch {
	case r.isUnused(words, entry):
		return neutral(ruleUnused)
	case read.Under(words, "interfaces") && entry != "" && !r.has[entry] && !r.overPorts[entry] && !slices.Contains(words, "tunnel"):
		return neutral(ruleNoQoS)
	case n.Used:
		return read.Statement{Sort: read.Modelled}
	case slices.Contains(words, "state"):
		return neutral("state")
	case !n.Scalar():
		return neutral(ruleEmpty)
	}
	if why := harmfulLeaf(n, words); why != "" {
		return read.Statement{Sort: read.Unmodelled, Why: why}
	}
	switch {
	case len(words) < 2:
	case words[len(words)-1] == "mtu":
		return neutral(ruleMTU)
	case words[0] == "interfaces" && r.overPorts[entry]:
		return neutral(ruleNoQoS)
	}
	if rule, ok := paths.Of(words); ok {
		return neutral(rule)
	}
	why, scope := "its effect on the device is not modelled", read.Scope{}
	if entry != "" && (read.Under(words, "interfaces") || read.Under(words, "qos interfaces")) {
		scope.Ports = []string{entry}
	}
	return read.Statement{Sort: read.Unmodelled, Why: why, Touches: scope}
}

// isUnused reports whether a leaf is of a profile that no interface refers to.
func (r *reader) isUnused(words []string, entry string) bool {
	for i := range row.Rows {
		if list := &row.Rows[i]; list.Idle && read.Under(words, list.Plain()) {
			return entry != "" && r.unused(format.ID(i), entry)
		}
	}
	return false
}
