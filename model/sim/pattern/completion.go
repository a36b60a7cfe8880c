package pattern

import (
	"cmp"
	"fmt"
	"math"
	"sort"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/bound"
	"github.com/roceplan/roceplan/units"
)

// A Completion describes how the messages of a run finished, its start included. Goals are about those of RDMA, without
// probes and without steps that are sent again and again, for which the time of their block is compared with its bound.
type Completion struct {
	Spread         // of the messages that goals are about
	Sizes  []Bin   `json:"sizes"` // of these, by size: bins that have any
	Blocks []Block `json:"blocks"`

	// Lower bounds of the mean and of the 99th percentile for any setting: [bound.Traffic.Slowdown].
	// 1: nothing is proved.
	LeastMean float64 `json:"slowdown_mean_least"`
	LeastP99  float64 `json:"slowdown_p99_least"`
}

// A Spread is the completion times of finished messages, in us, and their slowdowns.
type Spread struct {
	Messages     int     `json:"messages"`
	FCTMean      float64 `json:"fct_mean_us"`
	FCTP99       float64 `json:"fct_p99_us"`
	SlowdownMean float64 `json:"slowdown_mean"`
	SlowdownP50  float64 `json:"slowdown_p50"`
	SlowdownP99  float64 `json:"slowdown_p99"`
	SlowdownMax  float64 `json:"slowdown_max"`
}

// A Bin is the messages of some sizes.
type Bin struct {
	From  int64 `json:"from_bytes"`
	Below int64 `json:"below_bytes,omitempty"` // 0: any
	Spread
}

// A Block holds the results of a block of traffic of the scenario.
type Block struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	Unfinished int    `json:"unfinished_flows"` // with stranded ones
	Bytes      int64  `json:"bytes"`            // payload of all its messages
	Spread

	// Duration is from when its first message may begin until its last one is done, in us; 0: some are not. Least is the
	// bound of a block whose messages wait for one another, [bound.Traffic.Steps], and Steps how many times that it took.
	Duration float64 `json:"duration_us"`
	Least    float64 `json:"least_us,omitempty"`
	LeastBy  string  `json:"least_by,omitempty"` // one of the words below
	Steps    float64 `json:"steps,omitempty"`

	BusBandwidth float64 `json:"bus_gb_per_second,omitempty"` // of a collective: see [Traffic.busBandwidth]

	*Workload // of a trace that is done; nil: the block is not one
}

// Inputs of the bound of a block.
const (
	ByRow  = "row"  // the longest row of messages that wait for one another
	ByPort = "port" // by the capacity of one host's port
)

// binEdges are the sizes at which figure 22 of DCTCP divides completion times (Alizadeh et al., "Data Center TCP (DCTCP)",
// SIGCOMM 2010): below 10 KB, to 100 KB, to 1 MB, to 10 MB, and above. HPCC (SIGCOMM 2019, analysis/fct_analysis.py) and
// ConWeave (SIGCOMM 2023, fctAnalysis.py) take twenty groups of equal number instead, as the plots here do.
var binEdges = [...]int64{0, 10_000, 100_000, 1_000_000, 10_000_000}

// binOf returns the index of the bin of a size.
func binOf(bytes int64) int {
	return sort.Search(len(binEdges), func(i int) bool { return binEdges[i] > bytes }) - 1
}

// times are completion times and slowdowns of a group.
type times struct{ fct, slowdown []float64 }

func (t *times) add(fct, slowdown float64) {
	t.fct, t.slowdown = append(t.fct, fct), append(t.slowdown, slowdown)
}

func (t *times) spread() Spread {
	return Spread{
		Messages: len(t.fct), FCTMean: mean(t.fct), FCTP99: percentile(t.fct, 99),
		SlowdownMean: mean(t.slowdown), SlowdownP50: percentile(t.slowdown, 50), SlowdownP99: percentile(t.slowdown, 99), SlowdownMax: percentile(t.slowdown, 100),
	}
}

// mean returns the mean of values; 0 of none.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// asked reports whether goals are about a message.
func (m *measured) asked(i int) bool {
	f := &m.sc.Flows[i]
	return !f.TCP && f.Repeat < 2
}

// completion sorts what finished by size and by block.
func (m *measured) completion(s *Scenario, t *bound.Traffic) Completion {
	var all times
	sizes, blocks := make([]times, len(binEdges)), make([]times, len(s.Traffic))
	ideal := make([]units.Time, m.messages)
	for i := range m.r.Flows {
		f := &m.r.Flows[i]
		if f.Index >= m.messages || m.sc.Flows[f.Index].Repeat > 1 {
			continue
		}
		blocks[m.sc.Flows[f.Index].Block].add(f.FCTUS, f.Slowdown)
		if m.asked(f.Index) {
			all.add(f.FCTUS, f.Slowdown)
			sizes[binOf(f.Bytes)].add(f.FCTUS, f.Slowdown)
			ideal[f.Index] = units.Time(math.Ceil(f.FCTUS / f.Slowdown * 1e6))
		}
	}
	c := Completion{Spread: all.spread(), Sizes: bins(sizes), Blocks: m.blocks(s, t, blocks)}
	c.LeastMean, c.LeastP99 = t.Slowdown(ideal, c.SlowdownP99)
	return c
}

// bins returns the bins with messages.
func bins(sizes []times) []Bin {
	list := []Bin{}
	for i := range sizes {
		if len(sizes[i].fct) == 0 {
			continue
		}
		b := Bin{From: binEdges[i], Spread: sizes[i].spread()}
		if i+1 < len(binEdges) {
			b.Below = binEdges[i+1]
		}
		list = append(list, b)
	}
	return list
}

// blocks returns the blocks of the scenario, in its order.
func (m *measured) blocks(s *Scenario, t *bound.Traffic, finished []times) []Block {
	list := make([]Block, len(s.Traffic))
	names, spans := s.names(), m.spans(len(list))
	for i := range list {
		b, own := &list[i], &spans[i]
		*b = Block{Name: names[i], Kind: s.Traffic[i].Kind, Unfinished: own.unfinished, Bytes: own.bytes, Spread: finished[i].spread()}
		if own.unfinished > 0 || own.end == 0 {
			continue
		}
		b.Duration = own.end - own.begin
		if b.Kind == "collective" {
			b.BusBandwidth = s.Traffic[i].busBandwidth(len(siteOf(m.net).GPUs), b.Duration)
		}
		if w := s.Traffic[i].Workload; w != nil {
			b.Workload = m.workload(w, int32(i), b.Duration)
		}
		if kinds[b.Kind].operates && !own.tcp {
			b.compare(t.Steps(int32(i)))
		}
	}
	return list
}

// compare says how many times its bound the block took. Work that sends nothing has none.
func (b *Block) compare(least bound.Steps) {
	if least.Least == 0 {
		return
	}
	b.Least, b.LeastBy = float64(least.Least)/1e6, ByRow
	if least.Port >= 0 {
		b.LeastBy = ByPort
	}
	b.Steps = max(1, b.Duration/b.Least)
}

// span has the times at which a block's messages began and ended, in us, and the number of them that did not end.
type span struct {
	begin, end float64
	bytes      int64
	unfinished int
	tcp        bool
}

func (m *measured) spans(blocks int) []span {
	list := make([]span, blocks)
	for i := range list {
		list[i].begin = math.Inf(1)
	}
	for i := range m.sc.Flows[:m.messages] {
		f := &m.sc.Flows[i]
		own := &list[f.Block]
		own.begin, own.tcp = min(own.begin, float64(f.Start)/1e6), f.TCP
		own.bytes += int64(f.Bytes) * int64(max(1, f.Repeat))
		if f.Src != f.Dst {
			own.unfinished++
		}
	}
	for i := range m.r.Flows {
		if f := &m.r.Flows[i]; f.Index < m.messages {
			own := &list[m.sc.Flows[f.Index].Block]
			own.end = max(own.end, f.StartUS+f.FCTUS)
			own.unfinished--
		}
	}
	for _, w := range m.r.Work {
		own := &list[m.sc.Flows[w.Index].Block]
		own.end = max(own.end, w.EndUS)
	}
	return list
}

// names returns the names of the blocks of traffic: their own or, without one, the kind, numbered from 1 where several
// have it.
func (s *Scenario) names() []string {
	list, several, place := make([]string, len(s.Traffic)), map[string]int{}, map[string]int{}
	for i := range list {
		list[i] = cmp.Or(s.Traffic[i].Name, s.Traffic[i].Kind)
		several[list[i]]++
	}
	for i, name := range list {
		if place[name]++; several[name] > 1 {
			list[i] = fmt.Sprintf("%s-%d", name, place[name])
		}
	}
	return list
}

// A SizeGroup is a group of messages that follow one another by size.
type SizeGroup struct {
	Bytes       int64   `json:"bytes"` // of the largest
	Messages    int     `json:"messages"`
	SlowdownP50 float64 `json:"slowdown_p50"`
	SlowdownP99 float64 `json:"slowdown_p99"`
}

// sizeGroups is of how many groups HPCC and ConWeave print slowdowns: see [binEdges].
const sizeGroups = 20

// bySize divides messages into groups of equal number. Groups with the same largest size are one: of messages of one size no
// part is before another.
func bySize(flows []sim.FlowResult) []SizeGroup {
	list, n := []SizeGroup{}, len(flows)
	stable.Sort(flows, func(a, b sim.FlowResult) int { return cmp.Compare(a.Bytes, b.Bytes) })
	for k, from := 1, 0; k <= sizeGroups; k++ {
		until := n * k / sizeGroups
		for until > from && until < n && flows[until].Bytes == flows[until-1].Bytes {
			until++
		}
		if until <= from {
			continue
		}
		var slowdown []float64
		for i := range flows[from:until] {
			slowdown = append(slowdown, flows[from+i].Slowdown)
		}
		list = append(list, SizeGroup{flows[until-1].Bytes, until - from, percentile(slowdown, 50), percentile(slowdown, 99)})
		from = until
	}
	return list
}

// Curves returns the slowdowns of groups by size, as columns.
func (d *Details) Curves() (bytes, median, tail []float64) {
	for _, g := range d.BySize {
		bytes, median, tail = append(bytes, float64(g.Bytes)), append(median, g.SlowdownP50), append(tail, g.SlowdownP99)
	}
	return bytes, median, tail
}

// most returns the block that took most times its bound; nil where none has one.
func (c *Completion) most() *Block {
	var worst *Block
	if c == nil {
		return nil
	}
	for i := range c.Blocks {
		if b := &c.Blocks[i]; b.Least > 0 && (worst == nil || b.Steps > worst.Steps) {
			worst = b
		}
	}
	return worst
}

// after returns the completion of messages that began in a span of time, in us.
func (m *measured) after(from, until float64) Spread {
	var t times
	for i := range m.r.Flows {
		if f := &m.r.Flows[i]; f.Index < m.messages && f.StartUS >= from && f.StartUS < until && m.asked(f.Index) {
			t.add(f.FCTUS, f.Slowdown)
		}
	}
	return t.spread()
}
