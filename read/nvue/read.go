// Package nvue reads the configuration of a Cumulus Linux switch, ours or anybody's, into
// a [plan.Switch]: the YAML that `nv config patch` takes and `nv config show` prints.
//
// Where the file is silent, the defaults of Cumulus Linux 5.14 hold: DSCP n has switch
// priority n/8, switch priority n goes to traffic class n, and RoCE mode, where it is
// on, has NVIDIA's numbers. Not in such a file are the chip, speeds, and the sizes of
// pools in bytes.
package nvue

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// Read reads a file. name is what ranges call it. The switch is never nil: what could be
// read is there beside the findings.
func Read(name string, src []byte) (*plan.Switch, diag.List) {
	r := &reader{file: name, size: len(src), lines: []int{0}}
	r.sw = &plan.Switch{Names: []string{strings.TrimSuffix(name, ".yaml")}, OS: "cumulus"}
	if len(src) > maxSize {
		r.list.Errorf(YAML, r.rangeOf(1, 1, 0), "the file has %d bytes; more than %d are not read", len(src), maxSize)
		return r.sw, r.list
	}
	for i, c := range src {
		if c == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
	r.set = r.parse(bytes.ToValidUTF8(src, []byte("?")))
	r.qos = r.set.get("qos")
	r.read()
	return r.sw, r.list.Sorted()
}

type reader struct {
	file  string
	size  int
	lines []int // offset of the start of each
	list  diag.List
	sw    *plan.Switch
	set   node
	qos   node
	roce  bool
	pools map[poolKey]string
	same  map[string]*plan.PortQoS // by the profiles of a port
}

type poolKey struct {
	d  plan.Direction
	id int64
}

// why is the reason of a value that was read.
func (n node) why(name string) *plan.Why {
	return &plan.Why{Kind: plan.ReadBack, Name: name, Range: n.at()}
}

func of[T any](v T, n node, name string) plan.Derived[T] { return plan.Of(v, n.why(name)) }

func (r *reader) read() {
	r.same = make(map[string]*plan.PortQoS)
	if host := r.set.get("system", "hostname"); host.there() && host.y.Value != "" {
		r.sw.Names = []string{host.y.Value}
	}
	mode := r.qos.get("roce", "mode")
	r.roce = mode.there() || r.qos.get("roce", "state").on() || r.qos.get("roce", "enable").on()
	r.maps()
	r.poolsOf(plan.Ingress)
	r.poolsOf(plan.Egress)
	r.ports()
	r.classes()
	r.watchdog()
	if r.set.get("router", "adaptive-routing", "state").on() || r.set.get("router", "adaptive-routing", "enable").on() {
		r.sw.LoadBalancing = "adaptive"
	}
	if p := r.qos.get("link-pause"); p.there() && len(p.y.Content) > 0 {
		r.list.Warnf(NotModelled, p.at(), "link pause stops all traffic of a port; what is read is the switch without it")
	}
}

// maps reads the classification.
func (r *reader) maps() {
	m, places := &r.sw.Maps, &r.sw.Places
	for d := range m.DSCPToTC {
		m.DSCPToTC[d] = uint8(d / 8)
	}
	for tc := range m.TCToQueue {
		m.TCToQueue[tc] = uint8(tc)
		if r.roce && tc != 3 && tc != 6 {
			m.TCToQueue[tc] = 0
		}
	}
	global := r.qos.get("mapping", "default-global")
	global.get("dscp").instances(63, func(d int, kid node) {
		to := kid.get("switch-priority")
		m.DSCPToTC[d], places.DSCPToTC[d] = uint8(to.number(0, 7, int64(m.DSCPToTC[d]))), to.at()
	})
	r.distrust(global)
	r.qos.get("egress-queue-mapping", "default-global", "switch-priority").instances(7, func(tc int, kid node) {
		to := kid.get("traffic-class")
		m.TCToQueue[tc], places.TCToQueue[tc] = uint8(to.number(0, 7, int64(m.TCToQueue[tc]))), to.at()
	})
	r.buffers().get("ingress-lossy-buffer", "priority-group").each(func(group string, kid node) {
		id, ok := groupID(group)
		if !ok {
			r.list.Errorf(Word, kid.at(), "%q is no priority group", clip(group))
			return
		}
		kid.get("switch-priority").instances(7, func(tc int, at node) {
			m.TCToPG[tc], places.TCToPG[tc] = id, at.at()
		})
	})
	for p := range m.PFCToQueue {
		m.PFCToQueue[p] = m.TCToQueue[p]
	}
}

// classes are the switch priorities that some code point leads to.
func (r *reader) classes() {
	var paused uint8
	for _, port := range r.sw.Ports {
		paused |= port.QoS.PFC
	}
	m := &r.sw.Maps
	for tc := range uint8(8) {
		dscps := m.DSCPsOf(tc)
		if len(dscps) == 0 {
			continue
		}
		c := plan.Class{Name: fmt.Sprintf("switch-priority-%d", tc), TrafficClass: tc, Queue: m.TCToQueue[tc], PG: m.TCToPG[tc], DSCPs: dscps, Range: r.sw.Places.DSCPToTC[dscps[0]]}
		if paused>>tc&1 == 1 {
			c.Lossless, c.PFC = true, tc
		}
		r.sw.Classes = append(r.sw.Classes, c)
	}
}

// distrust reads ports that do not look at the DSCP: all packets get the priority of the
// port. What trust in 802.1p would make of tagged ones is left out.
func (r *reader) distrust(global node) {
	trust := global.get("trust")
	switch trust.word("l3", "both", "l2", "port") {
	case "l2":
		r.list.Warnf(NotModelled, trust.at(), "ports trust 802.1p alone; what is read is what becomes of packets without a tag")
	case "port":
	default:
		return
	}
	for d := range r.sw.Maps.DSCPToTC {
		r.sw.Maps.DSCPToTC[d], r.sw.Places.DSCPToTC[d] = uint8(global.get("port-default-sp").number(0, 7, 0)), trust.at()
	}
}

func (r *reader) buffers() node { return r.qos.get("advance-buffer-config", "default-global") }

// groupID is the number of a lossy priority group.
func groupID(name string) (uint8, bool) {
	if name == "bulk" {
		return 0, true
	}
	digit, ok := strings.CutPrefix(name, "service")
	n, err := strconv.ParseUint(digit, 10, 8)
	return uint8(n), ok && err == nil && n >= 1 && n <= 7
}

// poolsOf reads the pools of a direction. Their sizes are in per cent of what the chip
// has left, which the file does not tell.
func (r *reader) poolsOf(d plan.Direction) {
	if r.pools == nil {
		r.pools = make(map[poolKey]string)
	}
	r.buffers().get(d.String()+"-service-pool").instances(7, func(id int, kid node) {
		name := fmt.Sprintf("%s-%d", d, id)
		r.pools[poolKey{d, int64(id)}] = name
		share := kid.get("memory-percent")
		r.sw.Pools = append(r.sw.Pools, plan.Pool{
			Name: name, Direction: d, Dynamic: kid.get("mode").word("dynamic", "static") == "dynamic",
			Percent: share.number(0, 100, 0), Range: share.at(),
		})
	})
	slices.SortFunc(r.sw.Pools, func(a, b plan.Pool) int { return strings.Compare(a.Name, b.Name) })
}

// portPools reads what a whole port may take of each pool.
func (r *reader) portPools() (out []plan.PortPool) {
	for _, p := range r.sw.Pools {
		digit := p.Name[strings.LastIndexByte(p.Name, '-')+1:]
		pool := r.buffers().get(p.Direction.String()+"-service-pool", digit)
		reserved, alpha := pool.get("reserved"), pool.get("shared-alpha")
		if reserved.there() || alpha.there() {
			out = append(out, plan.PortPool{Pool: p.Name, Reserved: r.bytes(reserved, "reserve of a port"), Limit: r.limit(pool)})
		}
	}
	return out
}

func (r *reader) bytes(n node, name string) plan.Derived[units.Bytes] {
	return of(units.Bytes(n.number(0, 4294967295, 0)), n, name)
}

// limit reads the threshold of a region.
func (r *reader) limit(region node) plan.Derived[plan.Limit] {
	if static := region.get("shared-bytes"); static.there() {
		return of(plan.Limit{Static: units.Bytes(static.number(0, 4294967295, 0))}, static, "limit")
	}
	alpha := region.get("shared-alpha")
	if !alpha.there() {
		return plan.Derived[plan.Limit]{}
	}
	words := []string{"alpha_infinity"}
	for a := units.Alpha(-7); a <= 6; a++ {
		words = append(words, alphaWord(a))
	}
	word := alpha.word(words...)
	limit := plan.Limit{Static: plan.NoLimit}
	if i := slices.Index(words, word); i > 0 {
		limit = plan.Limit{Dynamic: true, Alpha: units.Alpha(i - 8)}
	}
	return of(limit, alpha, "limit")
}

func alphaWord(a units.Alpha) string {
	num, den := a.Fraction()
	if den == 1 {
		return fmt.Sprintf("alpha_%d", num)
	}
	return fmt.Sprintf("alpha_1_%d", den)
}

// pool is the pool of a region; the first where it says none.
func (r *reader) pool(d plan.Direction, region node) string {
	id := region.get("service-pool")
	if !id.there() {
		return ""
	}
	key := poolKey{d, id.number(0, 7, 0)}
	if r.pools[key] == "" {
		// It has the default's size.
		r.pools[key] = fmt.Sprintf("%s-%d", d, key.id)
		r.sw.Pools = append(r.sw.Pools, plan.Pool{Name: r.pools[key], Direction: d, Dynamic: true})
		slices.SortFunc(r.sw.Pools, func(a, b plan.Pool) int { return strings.Compare(a.Name, b.Name) })
	}
	return r.pools[key]
}

func (r *reader) watchdog() {
	w := r.qos.get("pfc-watchdog")
	watched := slices.ContainsFunc(r.sw.Ports, func(p plan.Port) bool { return p.QoS.Watchdog })
	if !w.there() && !watched {
		return
	}
	// Defaults: Cumulus Linux 5.14, Quality of Service, PFC Watchdog.
	poll := w.get("polling-interval").number(1, 65535, 100)
	times := w.get("robustness").number(1, 1000, 3)
	interval := units.Time(poll) * units.Millisecond
	r.sw.Watchdog = &plan.Watchdog{
		Detection:   of(interval*units.Time(times), w.get("robustness"), "detection"),
		Restoration: of(interval, w.get("polling-interval"), "restoration"),
		Poll:        of(interval, w.get("polling-interval"), "poll"), Action: plan.WatchdogDrop,
	}
}

var portNames = regexp.MustCompile(`^swp(\d+)(-(\d+))?$`)

// names expands a list of interfaces, swp1-4,swp6. What is no port is passed over.
func names(key string) (out []string) {
	for _, part := range strings.Split(key, ",") {
		m := portNames.FindStringSubmatch(part)
		if m == nil {
			if strings.HasPrefix(part, "swp") {
				out = append(out, part)
			}
			continue
		}
		first, err1 := strconv.Atoi(m[1])
		last, err2 := first, error(nil)
		if m[3] != "" {
			last, err2 = strconv.Atoi(m[3])
		}
		if err1 != nil || err2 != nil || last-first > 1024 {
			continue
		}
		for i := first; i <= last; i++ {
			out = append(out, fmt.Sprint("swp", i))
		}
	}
	return out
}

// ports reads all interfaces that are ports.
func (r *reader) ports() {
	told := make(map[string][]node)
	var all []string
	r.set.get("interface").each(func(key string, kid node) {
		for _, name := range names(key) {
			if told[name] == nil {
				all = append(all, name)
			}
			told[name] = append(told[name], kid)
		}
	})
	slices.SortFunc(all, natural.Compare)
	for _, name := range all {
		r.sw.Ports = append(r.sw.Ports, r.port(name, told[name]))
	}
}
