package dcb

import (
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Audit reports the differences of a NIC from its plan. A difference that breaks lossless transport
// or congestion control is an error. The Reading must have no errors.
func Audit(h *plan.Host, r *Reading) diag.List {
	a := &audit{h: h, r: r}
	a.complete()
	if r.PFC != nil {
		a.pfc()
	}
	if r.Apps != nil {
		a.apps()
	}
	if r.ETS != nil {
		a.ets()
	}
	if r.Buffer != nil {
		a.buffers()
	}
	return a.list
}

type audit struct {
	h    *plan.Host
	r    *Reading
	list diag.List
}

// The families of NICs that differ in what dcb says of them.
func (a *audit) connectX() bool {
	return strings.HasPrefix(a.h.Model, "connectx") || strings.HasPrefix(a.h.Model, "bluefield")
}
func (a *audit) broadcom() bool { return strings.HasPrefix(a.h.Model, "thor") }

// complete says what the file is silent about.
func (a *audit) complete() {
	whole := diag.Range{Filename: a.r.File}
	whole.Start.Line, whole.Start.Column, whole.End = 1, 1, whole.Start
	for _, part := range []struct {
		name  string
		there bool
	}{
		{"pfc", a.r.PFC != nil}, {"app", a.r.Apps != nil}, {"ets", a.r.ETS != nil}, {"buffer", a.r.Buffer != nil || !a.connectX() || a.h.Lossless() == 0},
	} {
		if !part.there {
			a.list.Warnf(Missing, whole, "the file has no output of `dcb -j %s show`, so that was not checked", part.name).
				Fixf("append the output of dcb -j %s show dev …", part.name)
		}
	}
}

func (a *audit) pfc() {
	for p := range uint8(8) {
		have, want := a.r.PFC.On[p], a.h.Lossless()&(1<<p) != 0
		switch {
		case want && !have.Value:
			a.list.Errorf(PFC, have.Range, "PFC is off for priority %d, %s: the NIC does not obey the switch's pauses, and sends it none", p, a.names(p)).
				Fixf("dcb pfc set dev … prio-pfc %d:on", p)
		case !want && have.Value:
			a.list.Errorf(PFC, have.Range, "PFC is on for priority %d, which the switches never pause and have no headroom for", p).
				Fixf("dcb pfc set dev … prio-pfc %d:off", p)
		}
	}
	metres := units.CeilMulDiv(int64(a.h.Cable), 1, int64(units.Metre))
	delay := a.r.PFC.Delay
	switch {
	case !a.connectX() || metres == 0 || delay.Range.Filename == "" || a.h.Lossless() == 0:
	case delay.Value < metres:
		a.list.Errorf(Cable, delay.Range, "the NIC sizes its receive buffer for a cable of %d m, but the cable has %v", delay.Value, a.h.Cable).
			Fixf("dcb pfc set dev … delay %d", metres)
	case delay.Value > metres:
		a.list.Warnf(Cable, delay.Range, "the NIC sizes its receive buffer for a cable of %d m, but the cable has %v: it pauses earlier than necessary", delay.Value, a.h.Cable).
			Fixf("dcb pfc set dev … delay %d", metres)
	}
}

// names lists the classes of a priority.
func (a *audit) names(p uint8) string {
	var names []string
	for _, c := range a.h.Classes {
		if c.Priority == p {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, ", ")
}

func (a *audit) apps() {
	for _, e := range a.r.Apps.UDP {
		a.port(e)
	}
	if len(a.r.Apps.DSCP) == 0 {
		whole := diag.Range{Filename: a.r.File}
		whole.Start.Line, whole.Start.Column, whole.End = 1, 1, whole.Start
		a.list.Errorf(Trust, whole, "no code point has a priority: the NIC uses the priority of the VLAN tag, and untagged RDMA has none").
			Fixf("dcb app replace dev … dscp-prio %s", a.wanted())
		return
	}
	seen := make(map[int64]bool)
	for _, e := range a.r.Apps.DSCP {
		seen[e.Key] = true
		a.codePoint(e)
	}
	for i := range a.h.Classes {
		c := &a.h.Classes[i]
		for _, d := range a.marks(c) {
			if !seen[int64(d)] && c.Priority != 0 {
				a.list.Errorf(DSCP, a.r.Apps.DSCP[0].Range, "DSCP %d of %s has no entry, so it has priority 0, but the switches expect %d", d, c.Name, c.Priority).
					Fixf("dcb app replace dev … dscp-prio %d:%d", d, c.Priority)
			}
		}
	}
}

// roce is the UDP port of RoCE v2 (IANA, roce).
const roce = 4791

// port reports a port with another priority than the code point of its packets may have: the driver
// decides which of the two counts.
func (a *audit) port(e Entry) {
	for i := range a.h.Classes {
		if c := &a.h.Classes[i]; e.Key == roce && c.Used && int64(c.Priority) == e.Priority {
			return
		}
	}
	a.list.Warnf(Unread, e.Range, "UDP port %d has priority %d at the NIC: it was not checked whether it or the code point counts", e.Key, e.Priority).
		Fixf("dcb app del dev … dgram-port-prio %d:%d", e.Key, e.Priority)
}

// marks returns the code points by which a class must be known to the NIC: those of RDMA
// and of CNPs, which it sends and pauses by.
func (a *audit) marks(c *plan.HostClass) []uint8 {
	switch {
	case c.CNP:
		return []uint8{a.h.CNPDSCP}
	case !c.Used || len(c.DSCPs) == 0:
		return nil
	case a.broadcom():
		return c.DSCPs[:1] // it knows RDMA by one
	}
	return c.DSCPs
}

// wanted returns the entries of all marks, as dcb takes them.
func (a *audit) wanted() string {
	var out []string
	for i := range a.h.Classes {
		c := &a.h.Classes[i]
		for _, d := range a.marks(c) {
			out = append(out, plan.Count(d).String()+":"+plan.Count(c.Priority).String())
		}
	}
	return strings.Join(out, " ")
}

// codePoint judges an entry. Only a change of the paused priorities, or of CNPs', breaks anything;
// others are reported.
func (a *audit) codePoint(e Entry) {
	want := a.h.Priorities[e.Key&63]
	if e.Priority == int64(want) {
		return
	}
	lossless := a.h.Lossless()
	mark := false
	for i := range a.h.Classes {
		for _, d := range a.marks(&a.h.Classes[i]) {
			mark = mark || int64(d) == e.Key
		}
	}
	add := a.list.Warnf
	if mark || lossless&(1<<want) != 0 || lossless&(1<<e.Priority) != 0 {
		add = a.list.Errorf
	}
	add(DSCP, e.Range, "DSCP %d has priority %d at the NIC, but %d, %s, at the switches", e.Key, e.Priority, want, a.names(want)).
		Fixf("dcb app replace dev … dscp-prio %d:%d", e.Key, want)
}

func (a *audit) ets() {
	e := a.r.ETS
	if e.Willing.Value {
		a.list.Warnf(Willing, e.Willing.Range, "the NIC is willing: settings that its link partner announces by DCBX replace its own").
			Fixf("dcb ets set dev … willing off")
	}
	if e.TC[0].Range.Filename == "" || e.TSA[0].Range.Filename == "" {
		return
	}
	for i := range a.h.Classes {
		a.queue(&a.h.Classes[i])
	}
	if e.Percent[0].Range.Filename != "" {
		a.shares()
	}
}

// queue judges the traffic class of a class.
func (a *audit) queue(c *plan.HostClass) {
	e := a.r.ETS
	at := e.TC[c.Priority&7]
	for i := range a.h.Classes {
		o := &a.h.Classes[i]
		if c.Lossless && o.Priority != c.Priority && e.TC[o.Priority&7].Value == at.Value {
			a.list.Errorf(Queue, at.Range, "priorities %d, %s, and %d, %s, share traffic class %d of the NIC: a pause of one stops the other", c.Priority, c.Name, o.Priority, o.Name, at.Value).
				Fixf("dcb ets set dev … prio-tc %d:%d", c.Priority, c.Priority)
		}
	}
	tsa := e.TSA[at.Value]
	switch {
	case c.Strict && tsa.Value != "strict" && c.CNP:
		a.list.Errorf(Queue, tsa.Range, "CNPs are sent from traffic class %d, which is %q: they wait behind the traffic that they should slow down", at.Value, tsa.Value).
			Fixf("dcb ets set dev … tc-tsa %d:strict", at.Value)
	case c.Strict && tsa.Value != "strict", !c.Strict && tsa.Value != "ets":
		a.list.Warnf(Queue, tsa.Range, "%s is sent from traffic class %d, which is %q; at the switches it is %s", c.Name, at.Value, tsa.Value, map[bool]string{true: "strict", false: "by weight"}[c.Strict]).Fixf("send it %s, as the switches do, or change its queue in the fabric", map[bool]string{true: "strict", false: "by ets"}[c.Strict])
	}
}

// shares compares what each traffic class may send.
func (a *audit) shares() {
	var want [8]int64
	used := [8]bool{}
	for _, c := range a.h.Classes {
		tc := a.r.ETS.TC[c.Priority&7].Value
		want[tc] += c.Share
		used[tc] = used[tc] || !c.Strict
	}
	for tc, have := range a.r.ETS.Percent {
		if used[tc] && a.r.ETS.TSA[tc].Value == "ets" && have.Value != want[tc] {
			a.list.Warnf(Share, have.Range, "traffic class %d has %d %% of the rate, but the switches give its classes %d %%", tc, have.Value, want[tc]).
				Fixf("dcb ets set dev … tc-bw %d:%d", tc, want[tc])
		}
	}
}

func (a *audit) buffers() {
	b := a.r.Buffer
	if !a.connectX() {
		return // others keep buffers in ways of their own
	}
	if b.Of[0].Range.Filename == "" || b.Size[0].Range.Filename == "" {
		return
	}
	for i := range a.h.Classes {
		c := &a.h.Classes[i]
		if !c.Lossless {
			continue
		}
		of := b.Of[c.Priority&7]
		if size := b.Size[of.Value]; size.Value < int64(a.h.Buffer.Value) {
			a.list.Errorf(Buffer, size.Range, "the receive buffer of priority %d, %s, has %d bytes, but %v with its cable and speed needs %d", c.Priority, c.Name, size.Value, a.h.Speed, int64(a.h.Buffer.Value)).
				Fixf("sh roce.sh --buffers, or dcb buffer set dev … buffer-size %d:%d", of.Value, int64(a.h.Buffer.Value))
		}
		for j := range a.h.Classes {
			if o := &a.h.Classes[j]; !o.Lossless && b.Of[o.Priority&7].Value == of.Value {
				a.list.Errorf(Buffer, of.Range, "priorities %d, %s, and %d, %s, share receive buffer %d: lossy traffic fills the buffer of lossless traffic", c.Priority, c.Name, o.Priority, o.Name, of.Value).
					Fixf("sh roce.sh --buffers, or dcb buffer set dev … prio-buffer %d:%d", c.Priority, (of.Value+1)%8)
			}
		}
	}
}
