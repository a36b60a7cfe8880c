// Package host prints what a server has to do so that its NIC agrees with the switches:
// a shell script for each kind of NIC, and one that announces the same by LLDP.
//
// A script configures NVIDIA's NICs by mlnx_qos, sysfs and mlxconfig, Broadcom's by niccli and
// configfs, and both, like any other, by dcb of iproute2 where the vendor's tool is missing. Every
// command states the whole of what it sets, never a difference, so a script may run at every boot;
// a file of the kernel that holds its value already is not written. With --dry-run nothing is
// changed. The tests hold the forms of all commands, with their sources.
package host

import (
	"bytes"
	"embed"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"text/template"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Files below the folder of a kind of NIC.
const (
	Path     = "roce.sh"
	LLDPPath = "lldp.sh"
)

//go:embed *.tmpl
var texts embed.FS

// templates returns the templates of all scripts, parsed when the first script is printed.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"hex": func(n uint8) string { return fmt.Sprintf("%#x", n) },
		"inc": func(i int) int { return i + 1 },
	}).ParseFS(texts, "*.tmpl"))
})

// Emit prints the scripts of one kind of NIC. A setting that lossless traffic needs and its model
// does not support is an error, and then there are no files.
func Emit(h *plan.Host) ([]emit.File, diag.List) {
	b := &builder{h: h, model: modelOf(h.Model)}
	v := b.view()
	if b.list.HasErrors() {
		return nil, b.list
	}
	return []emit.File{b.print(Path, v), b.print(LLDPPath, v)}, b.list
}

// Whole reports whether the script leaves nothing of an earlier one: on Broadcom's NICs it adds entries of
// code points, and keeps those that are there.
func Whole(h *plan.Host) bool { return modelOf(h.Model).family != broadcom }

type builder struct {
	h     *plan.Host
	model model
	list  diag.List
}

func (b *builder) print(path string, v *view) emit.File {
	var out bytes.Buffer
	if err := templates().ExecuteTemplate(&out, path+".tmpl", v); err != nil {
		panic(err) // the templates and the view are both ours
	}
	return emit.File{Path: path, Body: emit.NewBody(out.Bytes())}
}

// view is a script as the templates print it: strings and numbers only.
type view struct {
	Name, Model string
	Family      string // "connectx", "broadcom", "generic"
	Classes     []classView
	MTU         int64 // of the network device
	ToS         int   // that RDMA traffic is sent with; -1: none is
	RoCEDSCP    uint8
	RoCEPrio    uint8
	CNPDSCP     uint8
	CNPPrio     uint8
	CNPClass    bool  // some class carries CNPs
	Interval    int64 // whole microseconds between CNPs; 0: unknown
	Cable       int64 // whole metres; 0: unknown
	Buffer      int64 // least bytes of a lossless buffer; 0: unknown
	DCQCN       [8]bool
	Registers   []registerView // of the reaction point, that the fabric gives
	DCQCNMask   int            // of priorities
	AnyDCQCN    bool
	RTT         bool
	Pairs       []pair // priority of each code point
	Lossless    []uint8
	TCs         [8]tcView
	Broadcom    broadcomView
}

type classView struct {
	Name, DSCPs string
	Priority    uint8
	What        string
}

type pair struct{ DSCP, Priority uint8 }

// A tcView is a traffic class of the NIC, which is also the one of the priority of the
// same number, unless that priority is unused.
type tcView struct {
	Of    uint8 // the traffic class of the priority with this number
	Ets   bool
	Share int64
}

type broadcomView struct{ Other, RDMA int64 }

// frameOverhead is the part of a frame that a network device's MTU does not count: header 14, VLAN
// tag 4, FCS 4. SONiC counts the MTU of its ports the same way.
const frameOverhead units.Bytes = 22

var folder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$`) })

func (b *builder) view() *view {
	h := b.h
	if !folder().MatchString(h.Name) {
		b.list.Errorf(Name, h.Range, "a NIC cannot have the name %q: it is the folder of its files", h.Name).
			Fixf("use letters, digits, dots, dashes and underscores")
	}
	v := &view{
		Name: h.Name, Model: h.Model, Family: [...]string{"generic", "connectx", "broadcom"}[b.model.family],
		MTU: int64(h.MTU - frameOverhead), ToS: -1, CNPDSCP: h.CNPDSCP, CNPPrio: h.CNPPFC,
		Interval: b.interval(), Cable: b.cable(), Buffer: int64(h.Buffer.Value),
	}
	for i := range h.Classes {
		c := &h.Classes[i]
		v.Classes = append(v.Classes, describe(c))
		v.CNPClass = v.CNPClass || c.CNP
	}
	for dscp, priority := range h.Priorities {
		v.Pairs = append(v.Pairs, pair{uint8(dscp), priority})
	}
	for p := range uint8(8) {
		if h.Lossless()&(1<<p) != 0 {
			v.Lossless = append(v.Lossless, p)
		}
	}
	b.rdma(v)
	b.congestion(v)
	b.registers(v)
	b.queues(v)
	if b.model.family == broadcom {
		b.broadcom(v)
	}
	return v
}

// rdma takes the marks of RDMA traffic from the class that applications get.
func (b *builder) rdma(v *view) {
	c := b.h.RDMA()
	if c == nil {
		return
	}
	v.RoCEDSCP, v.RoCEPrio = c.DSCPs[0], c.Priority
	v.ToS = c.ToS()
	others := 0
	for i := range b.h.Classes {
		if o := &b.h.Classes[i]; o.Used && !o.CNP && o != c {
			others++
		}
	}
	if others > 0 {
		b.list.Warnf(OneDefault, b.h.Range, "nic %s uses %d classes, and applications that ask for no traffic class get %s (ToS %d)", b.h.Name, others+1, c.Name, v.ToS).
			Fixf("let applications of the other classes set the ToS that the head of the script lists")
	}
}

func describe(c *plan.HostClass) classView {
	what := "lossy"
	if c.Lossless {
		what = "lossless"
	}
	if c.Strict {
		what += ", strict"
	} else {
		what += fmt.Sprintf(", %d %%", c.Share)
	}
	switch {
	case c.CNP:
		what += ", CNPs"
	case c.Used && len(c.DSCPs) > 0:
		what += fmt.Sprintf(", RDMA with ToS %d", c.ToS())
	}
	return classView{Name: c.Name, DSCPs: plan.Ranges(c.DSCPs), Priority: c.Priority, What: what}
}

// interval returns the CNP interval in whole microseconds, rounded up: NICs that send fewer
// CNPs than planned for never crowd the strict queue.
func (b *builder) interval() int64 {
	t := b.h.CNPInterval.Value
	us := units.CeilMulDiv(int64(t), 1, int64(units.Microsecond))
	if rounded := units.Time(us) * units.Microsecond; rounded != t && b.model.family == connectX {
		b.list.Warnf(Rounded, b.h.Range, "the CNP interval of nic %s is %v, and ConnectX takes whole microseconds: it gets %v", b.h.Name, t, rounded).Fixf("write %v in the fabric, so that plan and NIC agree", rounded)
	}
	return us
}

// longestCable is the largest cable length that the mlx5 driver takes: Linux en_dcbnl.c, MLX5E_MAX_CABLE_LENGTH.
const longestCable = 1000

// cable returns the length in whole metres, rounded up, as ConnectX takes it.
func (b *builder) cable() int64 {
	metres := units.CeilMulDiv(int64(b.h.Cable), 1, int64(units.Metre))
	if metres > longestCable && b.model.family == connectX {
		b.list.Warnf(Rounded, b.h.Range, "the cable of nic %s is %v long, and the driver of ConnectX takes at most %d m: the driver keeps its own receive buffer", b.h.Name, b.h.Cable, longestCable)
		return 0
	}
	return metres
}

// congestion finds the priorities on which the NIC reacts to marks, and refuses what it
// cannot run.
func (b *builder) congestion(v *view) {
	for i := range b.h.Classes {
		c := &b.h.Classes[i]
		if !c.Used || c.CNP {
			continue
		}
		switch control := c.CongestionControl; {
		case control == "dcqcn":
			v.DCQCN[c.Priority&7] = true
			v.DCQCNMask |= 1 << (c.Priority & 7)
			v.AnyDCQCN = true
		case control == "rttcc" && b.model.rtt:
			v.RTT = true
		case control == "none" || control == "":
		default:
			b.list.Warnf(Congestion, c.Range, "class %s must run %s, and no setting of a %s turns that on", c.Name, control, b.h.Model).
				Fixf("turn it on by the NIC's or the application's own means")
		}
	}
}

// queues gives each priority in use the traffic class of its number. Priorities that
// no class has share that of DSCP 0, so no traffic lands in a class without a rate.
func (b *builder) queues(v *view) {
	var owner [8]*plan.HostClass
	for i := range b.h.Classes {
		c := &b.h.Classes[i]
		p := c.Priority & 7
		if first := owner[p]; first != nil && (first.Strict != c.Strict || first.Lossless != c.Lossless) {
			b.list.Errorf(Priority, b.h.Range, "at nic %s the classes %s (%s) and %s (%s) both have priority %d", b.h.Name, first.Name, kind(first), c.Name, kind(c), p).
				Fixf("give CNPs a cnp_pfc of their own, and the classes different traffic classes").Notef(c.Range, "%s is here", c.Name)
			continue
		}
		owner[p] = c
		v.TCs[p].Ets = !c.Strict
		v.TCs[p].Share += c.Share
	}
	for p := range v.TCs {
		v.TCs[p].Of = uint8(p)
		if owner[p] == nil {
			v.TCs[p].Of = b.h.Priorities[0]
		}
	}
}

func kind(c *plan.HostClass) string {
	queue, loss := "by weight", "lossy"
	if c.Strict {
		queue = "strict"
	}
	if c.Lossless {
		loss = "lossless"
	}
	return loss + ", " + queue
}

// broadcom lays the classes out as the driver wants them: traffic class 0 for all
// else, 1 for RDMA, 2 for CNPs (bnxt_re README, DCB Settings).
func (b *builder) broadcom(v *view) {
	if len(v.Lossless) > 1 {
		b.list.Errorf(OneClass, b.h.Range, "the fabric has %d lossless classes, and a %s carries RDMA in one", len(v.Lossless), b.h.Model).
			Fixf("connect these NICs to a fabric with one lossless class")
	}
	v.Broadcom.Other = 100
	c := b.h.RDMA()
	if c == nil {
		return
	}
	if len(c.DSCPs) > 1 {
		b.list.Warnf(OneClass, c.Range, "class %s has %d code points, and a %s carries RDMA with one: it gets DSCP %d", c.Name, len(c.DSCPs), b.h.Model, c.DSCPs[0]).Fixf("leave DSCP %d as the only one in the class, or use a NIC that carries RDMA with several", c.DSCPs[0])
	}
	v.Broadcom = broadcomView{Other: 100 - c.Share, RDMA: c.Share}
}

// Has reports whether a priority is lossless.
func (v *view) Has(p int) bool { return slices.Contains(v.Lossless, uint8(p)) }

// Parts returns the number of receive buffers into which the NIC's memory is divided: one for lossy
// traffic, and one for each lossless priority. The mlnx_qos manual's own example, three buffers of
// 87296 B on a NIC with 262016 B, is this rule.
func (v *view) Parts() int { return len(v.Lossless) + 1 }

// Buffers returns the numbers of these buffers.
func (v *view) Buffers() (out []int) {
	for i := range v.Parts() {
		out = append(out, i)
	}
	return out
}

// WritesFiles reports whether the script writes files of the kernel.
func (v *view) WritesFiles() bool { return v.Family != "generic" || v.OpensFolders() }

// OpensFolders reports whether it makes folders of configfs.
func (v *view) OpensFolders() bool { return v.Family == "broadcom" || v.ToS >= 0 }

// BufferOf returns the receive buffer of a priority.
func (v *view) BufferOf(p int) int { return slices.Index(v.Lossless, uint8(p)) + 1 }

// BroadcomTC returns the traffic class of a priority on Broadcom's NICs.
func (v *view) BroadcomTC(p int) int {
	switch {
	case v.ToS >= 0 && uint8(p) == v.RoCEPrio:
		return 1
	case v.CNPClass && uint8(p) == v.CNPPrio:
		return 2
	}
	return 0
}
