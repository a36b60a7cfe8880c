package eos

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
)

// AVDFile is the path of the input for Arista AVD below the device's folder.
const AVDFile = "avd.yml"

const avdHeader = `# Input of AVD's eos_cli_config_gen for this device: its part of QoS and buffers.
# Merge it into the structured configuration of the device.
`

// minimumAVD says the first release of AVD that knows the newest keys of the document; empty
// where it has none of them. The pull requests of aristanetworks/avd that brought these were
// merged between the opening of 5.5.0 (5364, 2 May 2025) and its release (5587, 4 July 2025),
// that of clusters between then and 5.6.0 (5783, 29 August 2025).
func (v *view) minimumAVD() string {
	var by []string
	if v.MMU != nil {
		by = append(by, "ingress profiles of platform.trident.mmu: pull request 5479")
	}
	if v.HeadroomPool > 0 {
		by = append(by, "platform.trident.mmu.headroom_pool: 5459")
	}
	if v.Dynamic {
		by = append(by, "ip_hardware.fib.load_balance_distribution: 5450")
	}
	if v.Cluster != nil {
		by = append(by, "load_balance.cluster: 5648")
	}
	if by == nil {
		return ""
	}
	release := "5.5.0"
	if v.Cluster != nil {
		release = "5.6.0"
	}
	return "# It needs AVD " + release + " or later (" + strings.Join(by, "; ") + ").\n"
}

// EmitAVD prints what [Emit] says as structured configuration for Arista AVD's role
// eos_cli_config_gen, which renders it to a configuration. The names of queues and
// traffic classes and the guaranteed bandwidth of queues that also have a share have no
// keys there, so they stand as lines under eos_cli. The name of the device is AVD's.
//
// Source of the keys: aristanetworks/avd, python-avd/pyavd/_eos_cli_config_gen, schema
// fragments qos @0b0b09a1, qos_profiles @095c8687, priority_flow_control @32666f05,
// platform @032c0c2c, class_maps @3445b3c7, policy_maps @487d643d, ip_access_lists
// @10f7d8b7, ipv6_access_lists @0a29e185, ip_hardware @0a29e185, eos_cli @63a9f53c.
func EmitAVD(s *plan.Switch) ([]emit.File, diag.List) {
	v, list := compose(s)
	if v == nil {
		return nil, list
	}
	text, err := yaml.Dump(v.avd(), yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err != nil {
		panic("avd: " + err.Error())
	}
	return []emit.File{{Path: AVDFile, Body: emit.NewBody(append([]byte(avdHeader+v.minimumAVD()), text...))}}, list
}

func (v *view) avd() *avd {
	out := &avd{
		QoS: avdQoS{avdQoSMap{DSCP: v.avdDSCPs(), TrafficClass: v.avdQueueMap()}},
		CLI: v.avdLines(),
	}
	if v.MMU != nil || v.HeadroomPool > 0 {
		out.Platform = &avdPlatform{avdTrident{v.avdMMU()}}
	}
	for _, p := range v.Profiles {
		out.Profiles = append(out.Profiles, v.avdProfile(p))
	}
	for _, p := range v.Ports {
		port := avdPort{Name: p.Name, MTU: p.MTU, Profile: p.Profile}
		if p.DCBX {
			port.CLI = "dcbx mode ieee\n"
		}
		if p.Routed {
			port.Switchport = &avdSwitchport{Enabled: false}
		}
		for _, id := range p.Counted {
			queue := avdCounter{ID: id}
			queue.Detect.ECN.Count = true
			if v.Queue == "uc-tx-queue" {
				port.UnicastQueues = append(port.UnicastQueues, queue)
			} else {
				port.Queues = append(port.Queues, queue)
			}
		}
		out.Ports = append(out.Ports, port)
	}
	if v.Dynamic {
		out.IPHardware = &avdIPHardware{}
		out.IPHardware.FIB.Distribution.Dynamic.Enabled = true
		out.IPHardware.FIB.Distribution.Dynamic.FlowSetSize = v.FlowSetSize
	}
	if v.Cluster != nil {
		out.LoadBalance = &avdLoadBalance{v.Cluster.avd()}
	}
	if v.QueueMonitor {
		out.QueueMonitor = &avdQueueMonitor{true}
	}
	if w := v.Watchdog; w != nil {
		out.PFC = &avdGlobalPFC{avdGlobalWatchdog{w.Action, w.Timeout, w.Polling, w.Recovery}}
	}
	if v.Marking {
		v.avdMarking(out)
	}
	return out
}

func (v *view) avdDSCPs() (out []string) {
	for _, d := range v.DSCPs {
		points := strings.Trim(fmt.Sprint(d.DSCPs), "[]")
		out = append(out, fmt.Sprintf("%s to traffic-class %d", points, d.TC))
	}
	return out
}

func (v *view) avdQueueMap() (out []string) {
	for _, q := range v.Queues {
		out = append(out, fmt.Sprintf("%d to tx-queue %d", q.TC, q.Queue))
	}
	return out
}

// avdLines is what AVD has no keys for.
func (v *view) avdLines() string {
	var out strings.Builder
	for _, q := range v.QueueNames {
		fmt.Fprintf(&out, "qos %s %d name %s\n", v.Queue, q.ID, q.Name)
	}
	for _, c := range v.ClassNames {
		fmt.Fprintf(&out, "qos traffic-class %d name %s\n", c.ID, c.Name)
	}
	for _, p := range v.Profiles {
		opened := false
		for _, q := range p.Queues {
			if !q.Guaranteed || q.Percent == 0 {
				continue
			}
			if !opened {
				opened = true
				fmt.Fprintf(&out, "!\nqos profile %s\n", p.Name)
			}
			fmt.Fprintf(&out, "   %s %d\n      bandwidth guaranteed percent 1\n", v.Queue, q.ID)
		}
	}
	return out.String()
}

func (v *view) avdMMU() avdMMU {
	out := avdMMU{}
	if v.HeadroomPool > 0 {
		out.HeadroomPool = &avdPool{v.HeadroomPool}
	}
	if v.MMU == nil {
		return out
	}
	out.Active = v.MMU.Name
	p := avdMMUProfile{Name: v.MMU.Name}
	if v.MMU.Lossless {
		p.Ingress.Headroom, p.Ingress.Resume = &avdMemory{v.MMU.Headroom}, &v.MMU.Resume
	}
	for _, g := range v.MMU.PGs {
		p.Ingress.Groups = append(p.Ingress.Groups, avdGroup{g.ID, g.Alpha, avdMemory{g.Reserved}})
	}
	for _, q := range v.MMU.Queues {
		p.Queues = append(p.Queues, avdBuffer{q.ID, q.Reserved, q.Alpha})
	}
	out.Profiles = []avdMMUProfile{p}
	return out
}

// avdProfile gives the watchdog's timers to each profile as well: AVD's template of a
// profile prints its last command a second time where there are none
// (j2templates/eos/qos-profiles.j2 @0a29e185).
func (v *view) avdProfile(p *profileView) avdProfile {
	out := avdProfile{Name: p.Name, Trust: "disabled"}
	if p.Trust {
		out.Trust = "dscp"
	}
	if p.Marking {
		out.Policy = &avdPolicyUse{avdPolicyType{edgePolicy}}
	}
	var queues []avdQueue
	for _, q := range p.Queues {
		queues = append(queues, newAVDQueue(q))
	}
	if v.Queue == "uc-tx-queue" {
		out.UnicastQueues = queues
	} else {
		out.Queues = queues
	}
	if p.PFC != nil || p.Watchdog {
		out.PFC = &avdPFC{Enabled: p.PFC != nil}
		for _, priority := range p.PFC {
			out.PFC.Priorities = append(out.PFC.Priorities, avdPriority{priority, true})
		}
	}
	if w := v.Watchdog; p.Watchdog && w != nil {
		out.PFC.Watchdog = &avdWatchdog{true, avdTimer{w.Timeout, w.Polling, w.Recovery}}
	}
	return out
}

func newAVDQueue(q queueView) avdQueue {
	out := avdQueue{ID: q.ID, Percent: q.Percent, Priority: "no priority"}
	if q.Strict {
		out.Priority = "priority strict"
	}
	if q.Guaranteed && q.Percent == 0 {
		out.Guaranteed = 1
	}
	if q.Kbps > 0 {
		out.Shape = &avdShape{fmt.Sprintf("%d kbps", q.Kbps)}
	}
	if e := q.ECN; e != nil {
		out.Detect = &avdDetect{avdECN{avdThreshold{"bytes", e.Min, e.Max, e.Percent, 0}}}
	}
	return out
}

// avdMarking prints the rules of the edge.
func (v *view) avdMarking(out *avd) {
	classes := &avdClassMaps{}
	var policy avdPolicy
	policy.Name = edgePolicy
	for _, m := range v.Marks {
		v4, v6 := fmt.Sprintf("roceplan-mark-%d-v4", m.Number), fmt.Sprintf("roceplan-mark-%d-v6", m.Number)
		e := avdEntry{Sequence: 10, Action: "permit", Protocol: "ip", Source: "any", Destination: "any", DSCP: fmt.Sprint(m.DSCP)}
		action := fmt.Sprintf("permit ipv6 any any dscp %d", m.DSCP)
		if m.Port != 0 {
			e.Protocol, e.Ports = "udp", []string{fmt.Sprint(m.Port)}
			action = fmt.Sprintf("permit udp any any eq %d dscp %d", m.Port, m.DSCP)
		}
		out.ACLs = append(out.ACLs, avdList{v4, []avdEntry{e}})
		out.ACLs6 = append(out.ACLs6, avdList6{v6, []avdSequence{{10, action}}})
		classes.QoS = append(classes.QoS, avdClassMap{Name: v4, IP: &avdAccess{v4}}, avdClassMap{Name: v6, IPv6: &avdAccess{v6}})
		policy.Classes = append(policy.Classes, avdClass{v4, avdSet{TC: m.TC}}, avdClass{v6, avdSet{TC: m.TC}})
	}
	policy.Classes = append(policy.Classes, avdClass{"class-default", avdSet{fmt.Sprint(v.DefaultDSCP), v.DefaultTC}})
	if classes.QoS != nil {
		out.ClassMaps = classes
	}
	out.PolicyMaps = &avdPolicyMaps{[]avdPolicy{policy}}
}

// edgePolicy is the policy-map of ports that do not trust the sender.
const edgePolicy = "roceplan-edge"
