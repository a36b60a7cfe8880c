package eos_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/readtest"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/eos"
	"github.com/roceplan/roceplan/units"
)

// pair is two lossless ports on one profile, and a third port without.
const pair = `hostname leaf
platform trident mmu queue profile ai
    ingress headroom 165100
    ingress priority-group 3 threshold 1/4
qos profile ai
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   priority-flow-control pause watchdog
   uc-tx-queue 3
      no priority
      bandwidth percent 50
      bandwidth guaranteed percent 1
interface Ethernet1
   no switchport
   service-profile ai
   !PORT
interface Ethernet2
   no switchport
   service-profile ai
interface Ethernet3
   no switchport
qos map dscp 26 to traffic-class 3
priority-flow-control pause watchdog default timeout 0.2
priority-flow-control pause watchdog action drop
platform trident mmu queue profile ai apply
`

// addition is what a line does that is added to the first port of pair, or to its end.
type addition struct {
	lines string // those of the port with three blanks
	port  bool   // whether they go to the first port
	// One of these says how it shows.
	plan    func(*plan.Switch) bool
	finding diag.Code
	touches []string
	whole   bool // not modelled, on the whole switch
}

// TestObeyed: lines that a device obeys are in the plan, a finding, or named with the
// ports that they touch. Sources: facts of the EOS manual and AVD as the reader's tables
// and comments say.
func TestObeyed(t *testing.T) {
	pfc := func(name string, want uint8) func(*plan.Switch) bool {
		return func(s *plan.Switch) bool { return portOf(s, name).QoS.PFC == want }
	}
	one, both := []string{"Ethernet1"}, []string{"Ethernet1", "Ethernet2"}
	speed := func(want units.BitRate) func(*plan.Switch) bool {
		return func(s *plan.Switch) bool { return portOf(s, "Ethernet1").Speed == want }
	}
	for name, a := range map[string]addition{
		"input policy of a trusted port": {lines: "   service-policy type qos input p\npolicy-map type quality-of-service p\n   class class-default\n      set traffic-class 1", port: true, touches: one},
		"input policy of nobody knows":   {lines: "   service-policy type qos input p", port: true, finding: eos.Undefined},
		"input policy of a profile":      {lines: "qos profile ai\n   service-policy type qos input p\npolicy-map type quality-of-service p", touches: both},
		"input policy of the switch":     {lines: "service-policy type qos input p", whole: true},
		"input policy of a VLAN":         {lines: "interface Vlan10\n   service-policy type qos input p", whole: true},
		"traffic policy":                 {lines: "   traffic-policy input p", port: true, touches: one},
		"trust of the CoS":               {lines: "   qos trust cos", port: true, touches: one}, // harmless with a condition: golden/script/verify-cos.txtar
		"a switched port without trust":  {lines: "interface Ethernet3\n   switchport\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop", touches: []string{"Ethernet3"}},
		"a routed port without trust":    {lines: "interface Ethernet3\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop", plan: pfc("Ethernet3", 8)},
		"no trust":                       {lines: "   no qos trust", port: true, plan: func(s *plan.Switch) bool { return portOf(s, "Ethernet1").QoS.Trust == plan.TrustNone }},
		"PFC off everywhere":             {lines: "priority-flow-control all off", plan: pfc("Ethernet2", 0)},
		"PFC off everywhere, and back":   {lines: "priority-flow-control all off\nno priority-flow-control all off", plan: pfc("Ethernet2", 8)},
		"PFC taken back at a port":       {lines: "   no priority-flow-control", port: true, touches: one},
		"a priority taken back":          {lines: "   no priority-flow-control priority 3", port: true, touches: one},
		"a priority that drops":          {lines: "   priority-flow-control priority 3 drop", port: true, plan: pfc("Ethernet1", 0)},
		"the last line counts":           {lines: "   priority-flow-control priority 3 drop\n   priority-flow-control priority 3 no-drop", port: true, plan: pfc("Ethernet1", 8)},
		"the profile's default again":    {lines: "   priority-flow-control priority 3 drop\n   default priority-flow-control priority 3", port: true, plan: pfc("Ethernet1", 8)},
		"no profile":                     {lines: "   no service-profile ai", port: true, plan: pfc("Ethernet1", 0)},
		"a port by default":              {lines: "default interface Ethernet1", plan: pfc("Ethernet1", 0)},
		"no guarantee":                   {lines: "qos profile ai\n   uc-tx-queue 3\n      no bandwidth guaranteed", finding: eos.Unwatched},
		"no guarantee at a port":         {lines: "   uc-tx-queue 3\n      no bandwidth guaranteed", port: true, finding: eos.Unwatched},
		"a queue's weight at a port": {lines: "   uc-tx-queue 3\n      bandwidth percent 70", port: true, plan: func(s *plan.Switch) bool {
			return portOf(s, "Ethernet1").QoS.Queues[0].Scheduler.Weight.Value == 70 && portOf(s, "Ethernet2").QoS.Queues[0].Scheduler.Weight.Value == 50
		}},
		"lines as deep as their queue": {lines: "   uc-tx-queue 3\n   random-detect ecn minimum-threshold 222 kbytes maximum-threshold 2000 kbytes max-mark-probability 1 weight 0\n   random-detect ecn count", port: true,
			plan: func(s *plan.Switch) bool {
				e := portOf(s, "Ethernet1").QoS.Queues[0].ECN
				return e != nil && e.KMin.Value == 222*units.KB
			}},
		"counting only keeps the profile's queue": {lines: "   uc-tx-queue 3\n      random-detect ecn count", port: true, plan: func(s *plan.Switch) bool { return portOf(s, "Ethernet1").QoS.Queues[0].Scheduler.Weight.Value == 50 }},
		"a drop curve":               {lines: "   uc-tx-queue 3\n      random-detect drop minimum-threshold 1 kbytes maximum-threshold 10 kbytes drop-probability 90", port: true, touches: one},
		"a drop curve of a profile":  {lines: "qos profile ai\n   uc-tx-queue 3\n      random-detect drop minimum-threshold 1 kbytes maximum-threshold 10 kbytes drop-probability 90", touches: both},
		"a shaper in per cent":       {lines: "   uc-tx-queue 3\n      shape rate 40 percent", port: true, touches: one},
		"a shaper of the port":       {lines: "   shape rate 50 percent", port: true, touches: one},
		"pauses of the whole link":   {lines: "   flowcontrol receive on", port: true, touches: one},
		"MACsec":                     {lines: "   mac security profile p", port: true, touches: one},
		"a filter":                   {lines: "   ip access-group a in", port: true, touches: one},
		"a watchdog of one port":     {lines: "   priority-flow-control pause watchdog port action notify-only", port: true, touches: one},
		"the watchdog's override":    {lines: "priority-flow-control pause watchdog override action notify-only", plan: func(s *plan.Switch) bool { return s.Watchdog.Action == plan.WatchdogAlert }},
		"lanes":                      {lines: "   speed 400g-8", port: true, plan: speed(400 * units.Gbps)},
		"two lanes":                  {lines: "   speed 100g-2", port: true, plan: speed(100 * units.Gbps)},
		"a forced speed":             {lines: "   speed forced 40gfull", port: true, plan: speed(40 * units.Gbps)},
		"an old form of speed":       {lines: "   speed forced 10000full", port: true, plan: speed(10 * units.Gbps)},
		"one negotiated speed":       {lines: "   speed auto 100gfull", port: true, plan: speed(100 * units.Gbps)},
		"any negotiated speed":       {lines: "   speed 100gfull\n   speed auto", port: true, plan: speed(0)},
		"error correction":           {lines: "   error-correction encoding reed-solomon", port: true, plan: func(s *plan.Switch) bool { return portOf(s, "Ethernet1").FEC == "rs" }},
		"a profile of one port":      {lines: "   platform trident mmu queue interface-profile x", port: true, whole: true},
		"drop precedence":            {lines: "qos map dscp 26 to traffic-class 3 drop-precedence 2", whole: true},
		"rewriting":                  {lines: "qos map traffic-class 3 to dscp 0", whole: true},
		"rewriting switched on":      {lines: "qos rewrite dscp", whole: true},
		"a buffer line":              {lines: "hardware buffer something", whole: true},
		"a map below a route":        {lines: "router bgp 65000\n   qos map dscp 26 to traffic-class 0", plan: func(s *plan.Switch) bool { return s.Maps.DSCPToTC[26] == 0 }},
		"a map by default":           {lines: "no qos map dscp 26", plan: func(s *plan.Switch) bool { return s.Maps.DSCPToTC[26] == 2+1 }},
		"a line under a description": {lines: "   description GPU\n      priority-flow-control priority 3 drop", port: true, plan: pfc("Ethernet1", 0)},
		"a banner that does not end": {lines: "banner motd\nhello", whole: true},
		"a port channel's profile":   {lines: "   channel-group 1 mode active\ninterface Port-Channel1\n   service-profile ai", port: true, touches: one},
	} {
		t.Run(name, func(t *testing.T) { a.check(t) })
	}
}

func (a addition) check(t *testing.T) {
	text := pair + a.lines + "\n"
	if a.port {
		text = strings.Replace(pair, "   !PORT", a.lines, 1)
	}
	before, after := readEOS(pair), readEOS(text)
	if n := before.Ledger.Count(read.Unmodelled); n != 0 || len(before.Found) != 0 {
		t.Fatalf("%d lines of the pair are not modelled, %v", n, before.Found)
	}
	left := after.Ledger.Unmodelled()
	touches := func(s read.Statement) bool { return slices.Equal(s.Touches.Ports, a.touches) }
	switch {
	case a.plan != nil:
		if !a.plan(after.Switch) || len(left) != 0 {
			t.Errorf("the plan does not hold it: %+v, not modelled: %+v", after.Switch.Ports[0].QoS, left)
		}
	case a.finding != "":
		if !slices.ContainsFunc(after.Found, func(d diag.Diagnostic) bool { return d.Code == a.finding }) {
			t.Errorf("found: %v", after.Found)
		}
	case a.whole:
		if !slices.ContainsFunc(left, func(s read.Statement) bool { return s.Touches.Ports == nil }) {
			t.Errorf("not modelled: %+v", left)
		}
	case !slices.ContainsFunc(left, touches):
		t.Errorf("not modelled: %+v", left)
	}
	if a.plan == nil && a.finding == "" && readtest.Same(before.Switch, after.Switch) && len(left) == 0 {
		t.Error("nothing shows it")
	}
}

func readEOS(text string) read.Result {
	return eos.Format().Read("leaf.cfg", []byte(text), read.Options{Cell: 254})
}

func portOf(s *plan.Switch, name string) *plan.Port {
	return &s.Ports[slices.IndexFunc(s.Ports, func(p plan.Port) bool { return p.Name == name })]
}

// TestHarmless: lines that no lossless packet feels are not a finding, and named by nobody.
func TestHarmless(t *testing.T) {
	for _, lines := range []string{
		"ntp server 10.0.0.1", "logging host 10.0.0.2", "snmp-server location here", "username a privilege 15 role network-admin secret x", "banner motd\nno interface Ethernet1\nEOF",
		"router bgp 65000\n   router-id 10.0.0.1\n   neighbor 10.0.0.1 remote-as 65001\n   address-family ipv4\n      neighbor 10.0.0.1 activate", "ip route 0.0.0.0/0 10.0.0.1",
		"ip prefix-list P seq 10 permit 10.0.0.0/8", "vlan 10\n   name storage", "spanning-tree mode mstp", "aaa authorization exec default local", "management api http-commands\n   no shutdown",
		"interface Management1\n   ip address 10.0.0.9/24", "interface Loopback0\n   ip address 10.0.0.9/32", "service routing protocols model multi-agent", "lldp timer 5", "errdisable recovery interval 300",
		"qos uc-tx-queue 3 name RDMA", "queue-monitor length", "hardware counter feature ecn out", "mlag configuration\n   domain-id x", "daemon TerminAttr\n   exec /usr/bin/TerminAttr", "clock timezone UTC",
		"no aaa root", "ip routing", "vrf instance MGMT", "! a remark", "dns domain example.com", "sflow sample 1000", "ip name-server 10.0.0.3", "load-balance policies\n   load-balance sand profile P\n      fields udp dst-port 4791",
		"PORT   description GPU 7", "PORT   load-interval 5", "PORT   logging event link-status", "PORT   ip address 10.0.0.0/31", "PORT   ipv6 enable", "PORT   lldp transmit", "PORT   no shutdown", "PORT   phy link training",
		"PORT   spanning-tree portfast", "PORT   ip ospf area 0.0.0.0", "PORT   bfd interval 300 min-rx 300 multiplier 3", "PORT   dcbx mode ieee", "PORT   no flowcontrol send", "PORT   mtu 9214", "PORT   sflow enable", "PORT   comment\n   shut this\n   EOF",
	} {
		text := pair + lines + "\n"
		if rest, ok := strings.CutPrefix(lines, "PORT"); ok {
			text = strings.Replace(pair, "   !PORT", rest, 1)
		}
		got := readEOS(text)
		if left := got.Ledger.Unmodelled(); len(left) != 0 || len(got.Found) != 0 {
			t.Errorf("%q: not modelled %+v, found %v", lines, left, got.Found)
		}
	}
}
