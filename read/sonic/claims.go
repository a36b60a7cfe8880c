package sonic

import (
	"slices"
	"strconv"
	"strings"

	schema "github.com/roceplan/roceplan/format/sonic"
	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// claimRest says of values that were read, or whose rows were, what the plan does not
// hold of them.
func (r *reader) claimRest(root *posjson.Node) {
	r.claimPortMaps()
	r.claimGlobalMap()
	r.claimProfiles()
	r.claimTrimming()
	r.claimPair(root)
	r.claimElsewhere()
	r.claimSides()
	r.claimACL(root)
	r.claimFeatures(root)
	for w := range r.table(schema.TableBreakout).all() {
		if n := w.fields.Get("brkout_mode"); n != nil {
			n.Used = true // also of a cage without a port
		}
	}
	if w := r.table(schema.TableDeviceMetadata).row(schema.Localhost); w != nil {
		if n := w.fields.Get("switch_type"); n != nil && n.Text != "npu" && (!r.sw.VOQ || r.others) {
			r.unmodelled(n, read.Scope{}, "the switch is %s: queues of a chassis hold packets at their ingress, also for ports of other cards", posjson.Clip(n.Text))
		}
		if n := w.fields.Get("subtype"); n != nil && n.Text == "DualToR" && r.sw.Tunnel != nil {
			r.neutral(n, rulePair)
		} else if n != nil && n.Text == "DualToR" {
			r.unmodelled(n, read.Scope{}, "a dual-ToR switch sends packets through a tunnel to its peer, under another DSCP")
		}
	}
}

func (r *reader) neutralTable(name, rule string) {
	for w := range r.table(name).all() {
		for j := range w.fields.Members {
			r.neutral(&w.fields.Members[j].Value, rule)
		}
	}
}

// claimPortMaps finds maps of a port that differ from the ones that the plan holds.
func (r *reader) claimPortMaps() {
	for w := range r.table(schema.TablePortQoSMap).all() {
		if w.key == schema.GlobalQoS {
			continue
		}
		ports := r.portScope(w.key)
		for _, use := range r.mapUses() {
			r.claimMap(w, use.mapKind, use.main, ports)
		}
		if !r.watched(first(ports.Ports)) {
			r.neutral(w.fields.Get("pfcwd_sw_enable"), ruleUnwatched)
		}
		r.unmodelled(w.fields.Get("scheduler"), ports, "a scheduler of the whole port limits the rate of its queues")
		r.unmodelled(w.fields.Get("dot1p_to_tc_map"), ports, "tagged packets are classified by their 802.1p priority")
	}
}

// A mapUse is a kind of map with the row that the plan was read from.
type mapUse struct {
	mapKind
	main *row
}

func (r *reader) mapUses() []mapUse {
	return []mapUse{
		{dscpToTC, r.maps.dscpToTC}, {tcToQueue, r.maps.tcToQueue}, {tcToPG, r.maps.tcToPG},
		{pfcToQueue, r.maps.pfcToQueue}, {pfcToPG, r.maps.pfcToPG},
	}
}

// claimMap compares the map of a port with the main one, entry by entry.
func (r *reader) claimMap(w *row, k mapKind, main *row, ports read.Scope) {
	n := w.fields.Get(k.field)
	if n == nil {
		return
	}
	if !r.table(k.table).present {
		r.unmodelled(n, ports, "the map is in another file")
		return
	}
	own := r.table(k.table).row(plainName(n.Text))
	if own == nil && n.Text != "" {
		r.unmodelled(n, ports, "the map is absent, and the behaviour of %s without it is not known", w.key)
	}
	if own == nil || own == main || k == dscpToTC && (own.key == schema.EdgeMap || r.maps.classifiers[own] != nil) || k == tcToQueue && r.maps.queues[own] != nil {
		return
	}
	differing := r.differing(k, own, main, w)
	if differing == 0 { // its values are read: see readTwins
		return
	}
	touches := ports
	for key := int64(0); key <= k.keys; key++ {
		if differing>>key&1 == 0 {
			continue
		}
		switch k {
		case dscpToTC:
			touches.DSCPs |= 1 << key
		case tcToQueue, tcToPG:
			touches.TCs |= 1 << key
		default:
			touches.PGs |= 1 << key
		}
	}
	r.unmodelled(n, touches, "%s has another map than most ports, %s, but a plan has only one", w.key, own.key)
	touches.Ports = nil // others may have it too
	for i := range own.fields.Members {
		r.unmodelled(&own.fields.Members[i].Value, touches, "the map of %s, which differs from that of most ports", w.key)
	}
}

// differing returns the set of keys that the map of a port has otherwise than the main one. Of PFC
// priorities those count that the port has PFC for: SONiC's template for a pair of ToRs on Spectrum
// has 2 and 6 in the map of uplinks alone (qos_config.j2, AZURE_DUALTOR). The plan has each priority
// that the main map lacks as the group, or queue, of its number.
func (r *reader) differing(k mapKind, own, main, port *row) (keys uint64) {
	var to *[8]uint8
	switch k {
	case pfcToQueue:
		to = &r.sw.Maps.PFCToQueue
	case pfcToPG:
		to = &r.sw.Maps.PFCToPG
	}
	enabled := uint8(0xff) // where that cannot be read
	if n := port.fields.Get("pfc_enable"); n == nil || n.Text == "" {
		enabled = 0
	} else if bits, ok := prioritiesIn(n.Text); ok {
		enabled = bits
	}
	for key := int64(0); key <= k.keys; key++ {
		entry := mapEntry(own, key)
		same := entry == mapEntry(main, key)
		if to != nil && !same {
			same = enabled>>key&1 == 0 || entry == strconv.Itoa(int(to[key]))
		}
		if !same {
			keys |= 1 << key
		}
	}
	return keys
}

func mapEntry(w *row, key int64) string {
	if n := w.fields.Get(plan.Count(key).String()); n != nil {
		return n.Text
	}
	return ""
}

// claimGlobalMap judges the map of the whole chip, given those of its ports.
func (r *reader) claimGlobalMap() {
	global := r.table(schema.TablePortQoSMap).row(schema.GlobalQoS)
	if global == nil {
		return
	}
	n := global.fields.Get(dscpToTC.field)
	if n == nil || n.Used || !r.table(schema.TableDSCPToTC).present {
		return
	}
	own := r.resolve(n.Text, r.doc.At(n), schema.TableDSCPToTC)
	if own != nil && own == r.maps.dscpToTC {
		r.neutral(n, ruleGlobalMap)
		return
	}
	r.unmodelled(n, read.Scope{}, "the chip's map differs from that of its ports, and it is not documented which one counts")
}

// claimProfiles judges fields of profiles by what the profile is used for.
func (r *reader) claimProfiles() {
	for w := range r.table(schema.TableBufferProfile).all() {
		r.claimTrimmed(w)
		r.users(w.table, w.key) // gathers
		p, grouped := r.profiles[w.key], r.usersOf[[2]string{w.table, w.key}].PGs != 0
		if !p.lossless || !grouped {
			r.neutral(w.fields.Get("xon"), ruleNoPause)
			r.neutral(w.fields.Get("xon_offset"), ruleNoPause)
		}
		if p.lossless && !grouped {
			r.neutral(w.fields.Get("xoff"), ruleNoPause)
		}
	}
	for w := range r.table(schema.TableBufferPool).all() {
		r.unmodelled(w.fields.Get("percentage"), read.Scope{}, "the size of the pool is a share of the remaining memory")
		if r.both[w.key] && !r.sw.VOQ {
			r.unmodelled(w.fields.Get("type"), read.Scope{}, "the pool accounts packets at ingress and egress at once")
		}
	}
	for w := range r.table(schema.TableScheduler).all() {
		if n := w.fields.Get("meter_type"); n != nil && n.Text == "packets" {
			r.unmodelled(n, r.users(w.table, w.key), "the cap counts packets per second")
		}
	}
}

// claimElsewhere finds references into tables that an overlay leaves to the file below it.
func (r *reader) claimElsewhere() {
	for _, ref := range references {
		if r.table(ref.to).present {
			continue
		}
		for w := range r.table(ref.table).all() {
			r.unmodelled(w.fields.Get(ref.field), r.scopeOf(ref.table, w.key, ref.field), "%s is in another file", ref.to)
		}
	}
}

// readBundles gives members of a PORTCHANNEL its mtu, as sonic-swss cfgmgr/teammgr.cpp
// (addLagMember) does.
func (r *reader) readBundles(root *posjson.Node) {
	members := make(map[string][]string)
	for m := range root.Get("PORTCHANNEL_MEMBER").All() {
		if bundle, port, ok := strings.Cut(m.Key, "|"); ok {
			members[bundle] = append(members[bundle], port)
		}
	}
	for b := range root.Get("PORTCHANNEL").All() {
		n := b.Value.Get("mtu")
		if n == nil {
			continue
		}
		w := &row{table: "PORTCHANNEL", key: b.Key, at: r.doc.KeyAt(b), fields: &b.Value}
		mtu, at, ok := r.number(w, schema.PortMTU)
		if len(members[b.Key]) == 0 {
			r.neutral(n, ruleNoLag)
		}
		for _, port := range members[b.Key] {
			for j := range r.sw.Ports {
				if p := &r.sw.Ports[j]; ok && p.Name == port {
					p.MTU, p.MTURange = units.Bytes(schema.Of(schema.PortMTU).Means(mtu)), at
				}
			}
		}
	}
}

// claimACL judges rules one by one: one that only forwards changes nothing, any other may
// drop, redirect or copy what it matches on the ports of its table.
func (r *reader) claimACL(root *posjson.Node) {
	for m := range root.Get("ACL_RULE").All() {
		name, _, _ := strings.Cut(m.Key, "|")
		table := root.Get("ACL_TABLE", name)
		permit, forwards := false, true
		var touches read.Scope
		if ports := table.Get("ports"); ports != nil {
			touches = r.aclScope(ports)
		}
		for f := range m.Value.All() {
			switch {
			case f.Key == "PACKET_ACTION":
				permit = strings.EqualFold(f.Value.Text, "FORWARD")
				forwards = forwards && permit
			case strings.HasSuffix(f.Key, "_ACTION"):
				forwards = false
			case f.Key == "DSCP":
				if d, ok := parseIndex(f.Value.Text, 63); ok {
					touches.DSCPs = 1 << d
				}
			}
		}
		kind := table.Get("type")
		for j := range m.Value.Members {
			n := &m.Value.Members[j].Value
			switch {
			case kind != nil && kind.Text == "CTRLPLANE":
				r.neutral(n, "cpu")
			case permit && forwards:
				r.neutral(n, rulePermit)
			case notRoCE(&m.Value):
				r.neutral(n, ruleOtherProtocol)
			default:
				r.unmodelled(n, touches, "%s", alive["ACL_RULE"])
			}
		}
	}
}

// notRoCE reports whether a rule can match no packet of RoCEv2, which is UDP in IP: it asks
// for another type of frame, another protocol, or flags of TCP.
func notRoCE(rule *posjson.Node) bool {
	for field, roce := range map[string][]int64{"ETHER_TYPE": {0x0800, 0x86dd}, "IP_PROTOCOL": {17}, "NEXT_HEADER": {17}} {
		n := rule.Get(field)
		if n == nil {
			continue
		}
		if v, err := strconv.ParseInt(n.Text, 0, 32); err == nil && !slices.Contains(roce, v) {
			return true
		}
	}
	return rule.Get("TCP_FLAGS") != nil || rule.Get("ICMP_TYPE") != nil || rule.Get("ICMPV6_TYPE") != nil
}

// claimFeatures finds containers without which nothing of the file reaches the chip.
func (r *reader) claimFeatures(root *posjson.Node) {
	for _, name := range []string{"swss", "syncd", "database"} {
		if state := root.Get("FEATURE", name, "state"); state != nil && strings.HasSuffix(state.Text, "disabled") {
			r.unmodelled(state, read.Scope{}, "%s does not run, and without it nothing of this file reaches the chip", name)
		}
	}
}

// aclScope returns the ports that an ACL table is bound to; the whole switch where one is not a
// physical port.
func (r *reader) aclScope(ports *posjson.Node) (s read.Scope) {
	names := strings.Split(ports.Text, ",")
	if ports.Kind == posjson.Array {
		names = nil
		for i := range ports.Items {
			names = append(names, ports.Items[i].Text)
		}
	}
	for _, name := range names {
		if !r.hasPort(name) {
			return read.Scope{}
		}
		s.Ports = append(s.Ports, name)
	}
	return s
}
