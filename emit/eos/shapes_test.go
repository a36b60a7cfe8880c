package eos

import (
	"bufio"
	"os"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/anyplan"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A shape is a form of line that some public configuration or schema shows.
type shape struct {
	mode    string // CLI mode, as in the collected lines; "*" before "-tx-queue": uc or not
	pattern string // of the whole line
	on      string // chips that may print it, a regular expression; empty: all
	// from is a line of the collected ones that this pattern matches, in the same mode,
	// or the public document that shows it.
	from string
}

const (
	xgs        = `^(trident|tomahawk)`
	shownHost  = "aristanetworks/avd molecule eos_cli_config_gen host1.cfg @00e72aee: hostname"
	shownACL   = "aristanetworks/avd eos/ip-access-lists.j2 @095c8687: eq, destination ports, dscp"
	shownACLv6 = "aristanetworks/avd molecule eos_cli_config_gen host1: 10 permit ipv6 any any dscp cs1"
	shownACLv4 = "aristanetworks/avd molecule eos_cli_config_gen qos.md: 10 permit ip any any dscp ef"
	shownMMU   = "aristanetworks/avd eos/platform-trident.j2 @1855719a: the unit of a reserve may be left out"
	shownPool  = "aristanetworks/avd eos/platform-headroom-pool.j2: the unit may be left out, bytes then"
	shownECN   = "aristanetworks/avd schema random_detect.ecn.threshold.units: bytes; ROCm guide: max-mark-probability 20 weight 0"
	shownPD    = "aristanetworks/avd schema priority_flow_control.watchdog @32666f05: pattern of seconds"
	shownEnd   = "aristanetworks/avd eos/end.j2"
)

// shapes is every line that this emitter may print.
var shapes = []shape{
	{"global", `platform trident mmu queue profile \S+`, xgs, "platform trident mmu queue profile mc_example_profile"},
	{"mmu queue profile", `ingress headroom \d+`, xgs, "ingress headroom 64000"},
	{"mmu queue profile", `ingress resume \d+`, xgs, "ingress resume 33"},
	{"mmu queue profile", `ingress priority-group [0-7] reserved \d+`, xgs, "ingress priority-group 2 reserved 3"},
	{"mmu queue profile", `ingress priority-group [0-7] threshold (1/128|1/64|1/32|1/16|1/8|1/4|1/2|1|2|4|8)`, xgs, "ingress priority-group 5 threshold 1/32"},
	{"mmu queue profile", `egress unicast queue [0-7] reserved \d+`, xgs, shownMMU},
	{"mmu queue profile", `egress unicast queue [0-7] threshold (1/128|1/64|1/32|1/16|1/8|1/4|1/2|1|2|4|8)`, xgs, "egress unicast queue 3 threshold 8"},
	{"global", `hostname [A-Za-z0-9._-]+`, "", shownHost},
	{"global", `qos profile \S+`, "", "qos profile test"},
	{"qos profile", `qos trust dscp`, "", "qos trust dscp"},
	{"qos profile", `no qos trust`, "", "no qos trust"},
	{"qos profile", `service-policy type qos input \S+`, "", "service-policy type qos input pmap_test1"},
	{"qos profile", `tx-queue [0-7]`, `^(trident(2|2plus|3)|tomahawk2?|jericho.*|qumran3d)$`, "tx-queue 1"},
	{"qos profile", `uc-tx-queue [0-7]`, `^(trident4-x9|trident4-x11|tomahawk[3-6])$`, "uc-tx-queue 1"},
	{"qos profile/*-tx-queue", `priority strict`, "", "priority strict"},
	{"qos profile/*-tx-queue", `no priority`, "", "no priority"},
	{"qos profile/*-tx-queue", `bandwidth percent ([1-9]|[1-9]\d|100)`, "", "bandwidth percent 50"},
	{"qos profile/*-tx-queue", `shape rate \d+ kbps`, "", "aristanetworks/avd schema qos_profiles.tx_queues.shape.rate @095c8687: \"< rate > kbps\""},
	{"qos profile/*-tx-queue", `bandwidth guaranteed percent 1`, xgs, "bandwidth guaranteed percent 10"},
	{"qos profile/*-tx-queue", `random-detect ecn minimum-threshold \d+ bytes maximum-threshold \d+ bytes max-mark-probability ([1-9]|[1-9]\d|100) weight 0`, "", shownECN},
	{"qos profile", `priority-flow-control on`, "", "priority-flow-control on"},
	{"qos profile", `priority-flow-control priority [0-7] no-drop`, "", "priority-flow-control priority 0 no-drop"},
	{"qos profile", `priority-flow-control pause watchdog`, "", "priority-flow-control pause watchdog"},
	{"global", `interface Ethernet\d+(/\d+){0,2}`, "", "docs.habana.ai Configuration_Files_Example_L2: interface EthernetX"},
	{"interface", `mtu \d+`, "", "aristanetworks/avd schema ethernet_interfaces.mtu @94f3aabf: 68 to 65535"},
	{"interface", `dcbx mode ieee`, "", "Intel Ethernet 800 Series, ice driver's README, Configuring DCB on Arista: dcbx mode ieee; batfish arista_interface_show_run_all: no dcbx mode"},
	{"global", `load-balance cluster`, "^(tomahawk5|jericho2)", "aristanetworks/avd eos/load-balance.j2 @205cbdb9: load-balance cluster"},
	{"load-balance cluster", `forwarding type (routed ipv4|bridged encapsulation vxlan ipv4)`, "", "aristanetworks/avd load_balance schema @05a1f145: forwarding_type"},
	{"load-balance cluster", `destination grouping (BGP field-set|vtep|prefix length \d+)`, "", "aristanetworks/avd load_balance schema @05a1f145: destination_grouping"},
	{"load-balance cluster", `load-balance method flow round-robin`, "", "aristanetworks/avd eos/load-balance.j2 @205cbdb9: load-balance method flow round-robin"},
	{"load-balance cluster", `flow source learning`, "", "aristanetworks/avd eos/load-balance.j2 @205cbdb9: flow source learning"},
	{"load-balance cluster/flow source learning", `aging timeout \d+ seconds`, "", "aristanetworks/avd eos/load-balance.j2 @205cbdb9: aging timeout"},
	{"load-balance cluster", `port group host \S+`, "", "aristanetworks/avd eos/load-balance.j2 @205cbdb9: port group host"},
	{"load-balance cluster/port group host", `interface Ethernet\d+(/\d+){0,2}`, "", "aristanetworks/avd eos/load-balance.j2 @205cbdb9: interface"},
	{"load-balance cluster/port group host", `flow limit \d+`, "", "aristanetworks/avd eos/load-balance.j2 @205cbdb9: flow limit"},
	{"global", `queue-monitor length`, "", "queue-monitor length"},
	{"interface", `no switchport`, "", "batfish arista_interface_show_run_all: no switchport"},
	{"interface", `service-profile \S+`, "", "service-profile foo"},
	{"interface", `tx-queue [0-7]`, `^(trident(2|2plus|3)|tomahawk2?|jericho.*|qumran3d)$`, "tx-queue 2"},
	{"interface", `uc-tx-queue [0-7]`, `^(trident4-x9|trident4-x11|tomahawk[3-6])$`, "uc-tx-queue 4"},
	{"interface/*-tx-queue", `random-detect ecn count`, "", "random-detect ecn count"},
	{"global", `ipv6 access-list \S+`, "", shownACLv6},
	{"ipv6 access-list", `10 permit ipv6 any any dscp \d+`, "", shownACLv6},
	{"ipv6 access-list", `10 permit udp any any eq \d+ dscp \d+`, "", shownACL + "; an entry of an IPv6 list is of the same form"},
	{"global", `ip access-list \S+`, "", shownACLv4},
	{"ip access-list", `10 permit ip any any dscp \d+`, "", shownACLv4},
	{"ip access-list", `10 permit udp any any eq \d+ dscp \d+`, "", shownACL},
	{"global", `ip hardware fib load-balance distribution dynamic`, xgs, "ip hardware fib load-balance distribution dynamic"},
	{"global", `ip hardware fib load-balance distribution dynamic flow-set-size [1-7]`, xgs, "aristanetworks/avd eos/ip-hardware.j2 @8f0a38d7: flow-set-size; ip_hardware schema @0a29e185: 1 to 7"},
	{"global", `qos map dscp \d+( \d+)* to traffic-class [0-7]`, "", "qos map dscp 46 to traffic-class 5"},
	{"global", `qos map traffic-class [0-6] to tx-queue [0-7]`, "", "qos map traffic-class 6 to tx-queue 2"},
	{"global", `qos tx-queue [0-7] name \S+`, `^(trident(2|2plus|3)|tomahawk2?|jericho.*|qumran3d)$`, "qos tx-queue 0 name BE1"},
	{"global", `qos uc-tx-queue [0-7] name \S+`, `^(trident4-x9|trident4-x11|tomahawk[3-6])$`, "qos uc-tx-queue 0 name TEST"},
	{"global", `qos traffic-class [0-7] name \S+`, "", "qos traffic-class 0 name target-group-BE1"},
	{"global", `priority-flow-control pause watchdog default timeout \d+\.\d\d`, "", "priority-flow-control pause watchdog default timeout 0.05"},
	{"global", `priority-flow-control pause watchdog default recovery-time \d+\.\d\d`, "", "priority-flow-control pause watchdog default recovery-time 1.22"},
	{"global", `priority-flow-control pause watchdog default polling-interval \d+\.\d\d\d`, "", "priority-flow-control pause watchdog default polling-interval 10.001"},
	{"global", `priority-flow-control pause watchdog action drop`, "", shownPD + "; values drop, errdisable, notify-only"},
	{"global", `priority-flow-control pause watchdog action notify-only`, "", "priority-flow-control pause watchdog action notify-only"},
	{"global", `class-map type qos match-any \S+`, "", "class-map type qos match-any cmap_tc0_v4"},
	{"class-map type qos", `match ip access-group \S+`, "", "match ip access-group acl_qos_tc0_v4"},
	{"class-map type qos", `match ipv6 access-group \S+`, "", "match ipv6 access-group acl_qos_tc0_v6"},
	{"global", `policy-map type quality-of-service \S+`, "", "policy-map type quality-of-service pmap_test1"},
	{"policy-map type quality-of-service", `class \S+`, "", "class class-default"},
	{"policy-map type quality-of-service/class", `set dscp \d+`, "", "aristanetworks/avd eos/policy-maps-qos.j2 @28c3292d: set dscp"},
	{"policy-map type quality-of-service/class", `set traffic-class [0-7]`, "", "set traffic-class 5"},
	{"global", `platform trident mmu queue profile \S+ apply`, xgs, "platform trident mmu queue profile PFC_Profile apply"},
	{"global", `platform trident mmu headroom-pool limit \d+`, `^(trident[34]|tomahawk)`, shownPool},
	{"global", `end`, "", shownEnd},
}

// knownWrong are lines that circulate and that EOS does not take.
var knownWrong = []string{
	"priority-flow-control mode on", "priority-flow-control watchdog", "priority-flow-control watch dog", "dcbx pfc",
	"qos list pfc", "policy-map type tx-queue", "to uc-tx-queue", "watchdog default action drop timer", "watchdog action no-drop",
	"hardware buffer", "cable-length", "segments",
}

var openers = []struct{ prefix, mode string }{
	{"platform trident mmu queue profile", "mmu queue profile"},
	{"load-balance cluster", "load-balance cluster"},
	{"flow source learning", "flow source learning"},
	{"port group host", "port group host"},
	{"qos profile", "qos profile"},
	{"interface", "interface"},
	{"ipv6 access-list", "ipv6 access-list"},
	{"ip access-list", "ip access-list"},
	{"class-map type qos", "class-map type qos"},
	{"policy-map type quality-of-service", "policy-map type quality-of-service"},
	{"class ", "class"},
	{"tx-queue", "*-tx-queue"},
	{"uc-tx-queue", "*-tx-queue"},
}

func opens(line string) string {
	for _, o := range openers {
		if strings.HasPrefix(line, o.prefix) && !strings.HasSuffix(line, " apply") {
			return o.mode
		}
	}
	return ""
}

// modes walks a configuration and gives each line its CLI mode, by indentation.
func modes(text string, visit func(mode, line string)) {
	type level struct {
		indent int
		mode   string
	}
	var stack []level
	for raw := range strings.Lines(text) {
		line := strings.TrimSpace(raw)
		if line == "!" || line == "" {
			continue
		}
		indent := len(raw) - len(strings.TrimLeft(raw, " "))
		for len(stack) > 0 && indent <= stack[len(stack)-1].indent {
			stack = stack[:len(stack)-1]
		}
		mode := "global"
		if len(stack) > 0 {
			names := make([]string, len(stack))
			for i, l := range stack {
				names[i] = l.mode
			}
			mode = strings.Join(names, "/")
		}
		visit(mode, line)
		if m := opens(line); m != "" {
			stack = append(stack, level{indent, m})
		}
	}
}

func known(mode, line, chip string) bool {
	for _, s := range shapes {
		if s.mode == mode && regexp.MustCompile("^(?:"+s.pattern+")$").MatchString(line) &&
			(s.on == "" || regexp.MustCompile(s.on).MatchString(chip)) {
			return true
		}
	}
	return false
}

// holdable draws a switch that EOS holds on some chip.
func holdable(t *rapid.T) *plan.Switch {
	rules := rapid.SampledFrom(platforms()).Draw(t, "platform")
	s := anyplan.Switch(t, anyplan.Want{
		Chip: rules.chip, OS: "eos", OneNumber: true, OneBuffer: true, StrictAbove: true, Unbounded: true, NoBuffer: !rules.mmu, Dynamic: true,
		Actions:       []plan.WatchdogAction{plan.WatchdogDrop, plan.WatchdogAlert},
		LoadBalancing: []string{"", "ecmp", "flowlet", "adaptive"},
	})
	if !rules.headroomPool {
		for i := range s.Pools {
			s.Pools[i].Headroom.Value = 0
		}
	}
	for i := range s.Ports {
		s.Ports[i].Routed = rapid.Bool().Draw(t, "routed")
	}
	if rapid.IntRange(0, 3).Draw(t, "eos block") > 0 {
		s.EOS = &plan.EOS{FlowSetSize: rapid.IntRange(0, 7).Draw(t, "flow set size"), QueueMonitor: rapid.Bool().Draw(t, "queue monitor"), DCBX: []string{s.Ports[0].Group}}
		s.EOS.Cluster = cluster(t, s.Ports[0].Group)
	}
	return s
}

// cluster draws one that says all it can more often than not: few chips have clusters, and each of
// their lines has to be printed once.
func cluster(t *rapid.T, hosts string) *plan.Cluster {
	way := rapid.SampledFrom([]string{"", "prefix length 24", "vtep", "BGP field-set"}).Draw(t, "destinations")
	if way == "" {
		return nil
	}
	c := &plan.Cluster{Hosts: []string{hosts}, Destinations: way, FlowLimit: 64, Aging: 300 * units.Second}
	if rapid.IntRange(0, 3).Draw(t, "no limits") == 0 {
		c.FlowLimit, c.Aging = 0, 0
	}
	return c
}

func render(t interface{ Fatalf(string, ...any) }, s *plan.Switch) string {
	files, list := Emit(s)
	if list.HasErrors() {
		t.Fatalf("refused: %v", list)
	}
	return string(files[0].Body.AppendFor(nil, s.Names[0]))
}

type fataler interface{ Fatalf(string, ...any) }

// checkEach looks at random switches, and at some that are the same in each run and say all that
// a switch may say: a few random ones may not.
func checkEach(t *testing.T, look func(fataler, *plan.Switch)) {
	rapid.Check(t, func(t *rapid.T) { look(t, holdable(t)) })
	any := rapid.Custom(holdable)
	for seed := range 120 {
		look(t, any.Example(seed))
	}
}

func TestEveryLineHasEvidenceForItsPlatform(t *testing.T) {
	seen := map[string]bool{}
	checkEach(t, func(t fataler, s *plan.Switch) {
		text := render(t, s)
		modes(text, func(mode, line string) {
			if !known(mode, line, s.Chip) {
				t.Fatalf("no evidence for this line on %s in mode %q: %s", s.Chip, mode, line)
			}
			for _, sh := range shapes {
				if sh.mode == mode && regexp.MustCompile("^(?:"+sh.pattern+")$").MatchString(line) {
					seen[sh.mode+" "+sh.pattern] = true
				}
			}
		})
		for _, wrong := range knownWrong {
			if strings.Contains(text, wrong) {
				t.Fatalf("prints %q, which EOS does not take", wrong)
			}
		}
	})
	for _, s := range shapes {
		if !seen[s.mode+" "+s.pattern] {
			t.Errorf("no switch printed the shape %q in mode %q", s.pattern, s.mode)
		}
	}
}

// TestEvidence looks up each shape's evidence: a collected line must be there, in
// the mode that the shape claims, and match the pattern.
func TestEvidence(t *testing.T) {
	lines := map[string]bool{}
	read := func(name string, mode, line int) {
		f := must.Get(os.Open(oracle.Data(t, name)))(t)
		defer f.Close()
		for in := bufio.NewScanner(f); in.Scan(); {
			if parts := strings.Split(in.Text(), "\t"); len(parts) == 3 {
				lines[parts[mode]+"\t"+parts[line]] = true
			}
		}
	}
	read("eos_lines.txt", 0, 1)
	read("eos_lines_extra.txt", 1, 2)
	for _, s := range shapes {
		if strings.Contains(s.from, ": ") || strings.Contains(s.from, ".j2") {
			continue // a public document
		}
		if strings.Contains(s.pattern, `\d`) && !regexp.MustCompile("^(?:"+s.pattern+")$").MatchString(s.from) && !strings.Contains(s.pattern, "guaranteed") {
			t.Errorf("%q does not match its evidence %q", s.pattern, s.from)
		}
		found := lines[s.mode+"\t"+s.from]
		for _, queue := range []string{"tx-queue", "uc-tx-queue"} {
			found = found || lines[strings.Replace(s.mode, "*-tx-queue", queue, 1)+"\t"+s.from]
		}
		if !found {
			t.Errorf("evidence for mode %q is not among the collected lines: %s", s.mode, s.from)
		}
	}
}
