package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/calc/threshold"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// setup is a row of silicon_thresholds.json, answered by calc threshold.
type setup struct {
	Chip, Topology string
	Speed          int `json:"speed_mbps"`
	Config         struct {
		Pool struct {
			Size     *units.Bytes `json:"size_bytes"`
			Headroom *units.Bytes `json:"headroom_pool_bytes"`
		} `json:"ingress_pool"`
		Cell      units.Bytes `json:"cell_bytes"`
		Ports     *int64      `json:"lossless_ports"`
		PGs       int64       `json:"lossless_pgs_per_port"`
		Packet    int64       `json:"packet_bytes"`
		Accounted int64       `json:"bytes_accounted_per_packet"`
		PG        struct {
			Reserved  *units.Bytes `json:"reserved_bytes"`
			Xoff      *units.Bytes `json:"xoff_bytes"`
			XonOffset *units.Bytes `json:"xon_offset_bytes"`
			Alpha     *units.Alpha `json:"dynamic_th"`
		}
		Queues *int64 `json:"lossy_queues_per_port"`
		Queue  struct {
			Reserved *units.Bytes `json:"reserved_bytes"`
			Alpha    *units.Alpha `json:"dynamic_th"`
		} `json:"lossy_queue"`
		Lossy struct {
			Size *units.Bytes `json:"size_bytes"`
		} `json:"egress_lossy_pool"`
	}
	Predict figures
}

// figures are those that a row asks for; the others are nil or 0.
type figures struct {
	Pause     int64   `json:"packets_to_first_pause"`
	Drop      int64   `json:"packets_to_first_ingress_drop"`
	PauseDrop int64   `json:"packets_from_pause_to_drop"`
	LossyDrop int64   `json:"packets_to_first_lossy_egress_drop"`
	Drained   int64   `json:"packets_drained_to_resume"`
	InTurn    []int64 `json:"pgs_filled_one_after_another"`
	Equal     *struct {
		PGs  int   `json:"pgs"`
		Each int64 `json:"packets_to_first_pause_each"`
	} `json:"equal_pgs"`
	Headroom *struct {
		PGs  int   `json:"pgs"`
		Full int64 `json:"full_packets"`
		Last int64 `json:"last_pg_packets"`
	} `json:"headroom_pool"`
}

func (f *figures) count() int {
	n := len(f.InTurn)
	for _, v := range []int64{f.Pause, f.Drop, f.PauseDrop, f.LossyDrop, f.Drained} {
		if v != 0 {
			n++
		}
	}
	if f.Equal != nil {
		n++
	}
	if f.Headroom != nil {
		n += 2
	}
	return n
}

// Senders that push packets into a switch of the simulator, whose ways out are blocked, count
// the same packets until it pauses, drops and resumes as calc threshold: all figures that
// SONiC's hardware tests have for 27 set-ups.
func TestThresholdsOfSilicon(t *testing.T) {
	text := must.Get(os.ReadFile(oracle.Figures(t, "silicon_thresholds.json")))(t)
	cat := catalogue(t)
	answered, problems := threshold.Batch(text, cat)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var rows []setup
	must.Do(t, json.NewDecoder(bytes.NewReader(answered)).Decode(&rows))
	count := 0
	for i := range rows {
		r := &rows[i]
		behaviour := must.Get(threshold.Lookup(cat, r.Chip))(t)
		got, err := r.simulate(behaviour)
		if err != nil {
			t.Errorf("%s %s %d: %v", r.Chip, r.Topology, r.Speed, err)
		}
		must.NoDiffIn(t, cmp.Diff(r.Predict, got), "%s %s %d (-calc +sim):", r.Chip, r.Topology, r.Speed)
		count += got.count()
	}
	must.Equalf(t, count, 258, "figures were compared:")
}

// slice returns the part of the chip's buffer that the packets are sent to.
func (r *setup) slice(b threshold.Behaviour) (*threshold.Setup, threshold.Slice, error) {
	c := &r.Config
	s := threshold.NewSetup(b)
	s.PoolSize, s.HeadroomPool, s.LosslessPorts = c.Pool.Size, c.Pool.Headroom, c.Ports
	s.Reserved, s.Xoff, s.XonOffset, s.Alpha = c.PG.Reserved, c.PG.Xoff, c.PG.XonOffset, c.PG.Alpha
	s.LossyQueues, s.QueueReserved, s.QueueAlpha, s.EgressLossyPool = c.Queues, c.Queue.Reserved, c.Queue.Alpha, c.Lossy.Size
	if c.PGs > 0 {
		s.LosslessPGs = c.PGs
	}
	if c.Packet > 0 {
		s.PacketBytes = c.Packet
	}
	if c.Accounted > 0 {
		s.Behaviour.CellBytes, s.Behaviour.MetadataBytes = 1, units.Bytes(c.Accounted-s.PacketBytes)
	} else if c.Cell > 0 && b.CellBytes != 1 {
		s.Behaviour.CellBytes = c.Cell
	}
	slice, err := s.Slice()
	if err != nil { // the pool is not known: only how far the drop is from the pause is asked
		if r.Predict.count() != 1 || r.Predict.PauseDrop == 0 {
			return nil, slice, err
		}
		slice.Shared, slice.Reserved = 0, slice.PacketCells
	}
	return s, slice, nil
}

func (r *setup) simulate(b threshold.Behaviour) (got figures, err error) {
	s, slice, err := r.slice(b)
	if err != nil {
		return got, err
	}
	open := func(senders int, class uint8) *bench { return newBench(s, slice, senders, class) }
	want := &r.Predict
	if one := open(1, losslessClass); want.Pause+want.Drop+want.PauseDrop+want.Drained > 0 {
		pause := one.push(0, (*bench).pausing)
		drop := pause + one.push(0, (*bench).refused)
		got.Pause, got.Drop, got.PauseDrop = asked(want.Pause, pause), asked(want.Drop, drop), asked(want.PauseDrop, drop-pause)
	}
	if want.Drained > 0 {
		one := open(1, losslessClass)
		one.push(0, (*bench).pausing)
		got.Drained = one.drain()
	}
	if want.LossyDrop > 0 {
		got.LossyDrop = open(1, lossyClass).push(0, (*bench).refused)
	}
	if n := len(want.InTurn); n > 0 {
		got.InTurn = open(n, losslessClass).fill()
	}
	if want.Equal != nil {
		equal := *want.Equal
		equal.Each = open(equal.PGs, losslessClass).inTurn()
		got.Equal = &equal
	}
	if want.Headroom != nil {
		pool := *want.Headroom
		many := open(pool.PGs, losslessClass)
		many.fill()
		for i := range pool.PGs {
			many.push(i, (*bench).refused)
		}
		pool.Full, pool.Last = many.headroom(0), many.headroom(pool.PGs-1)
		got.Headroom = &pool
	}
	return got, nil
}

// asked is a figure if the row has one, else 0.
func asked(row, figure int64) int64 {
	if row == 0 {
		return 0
	}
	return figure
}

// bench is a switch with senders that ignore PFC, each to a group of its own, and a receiver
// that pauses the switch. The bench lets one sender go at a time.
type bench struct {
	*engine
	senders int
	class   uint8
	packet  int64 // cells
}

const (
	losslessClass = 1
	lossyClass    = 2
	plenty        = 1 << 40
)

func newBench(s *threshold.Setup, c threshold.Slice, senders int, class uint8) *bench {
	alpha := func(a *units.Alpha) units.Alpha {
		if a == nil {
			return 0 // then nothing is asked that depends on it
		}
		return *a
	}
	port := mmu.Port{
		PGs: []mmu.PG{{
			ReservedCells: c.Reserved, Limit: mmu.DynamicLimit(alpha(s.Alpha)), Lossless: true,
			HeadroomCells: c.Headroom, HeadroomPooled: c.Pooled, XonOffsetCells: c.XonOffset,
		}, {Limit: mmu.StaticLimit(plenty)}},
		Queues: []mmu.Queue{{Limit: mmu.StaticLimit(plenty)}, {Pool: 1, ReservedCells: c.QueueReserved, Limit: mmu.DynamicLimit(alpha(s.QueueAlpha))}},
	}
	buffer := &SiliconBuffer{Config: &mmu.Config{
		CellBytes: s.Behaviour.CellBytes, MetadataBytes: s.Behaviour.MetadataBytes, Slices: 1, Rules: s.Behaviour.Rules,
		IngressPools: []mmu.Pool{{SharedCells: c.Shared, HeadroomCells: c.HeadroomPool}},
		EgressPools:  []mmu.Pool{{SharedCells: plenty}, {SharedCells: c.Lossy}},
	}}
	buffer.PG[lossyClass], buffer.Queue[lossyClass] = 1, 1
	sc := &Scenario{Wire: Ethernet(), Transport: Transport{Payload: 9000, AckInterval: 1}}
	sc.Nodes = append(make([]Node, senders+1), Switch)
	for i := range senders + 1 {
		sc.Links = append(sc.Links, Link{A: i, B: senders + 1, Rate: 100 * units.Gbps, Response: [2]units.Time{units.Second * 1000}})
		buffer.Ports, buffer.Config.Ports = append(buffer.Ports, i), append(buffer.Config.Ports, port)
	}
	sc.Silicon = append(make([]*SiliconBuffer, senders+1), buffer)
	for i := range senders {
		sc.Generators = append(sc.Generators, Generator{i, []Frame{{Dst: senders, Class: class, Bytes: units.Bytes(s.PacketBytes), Count: 1 << 30}}})
	}
	e, err := newEngine(sc)
	if err != nil {
		panic(fmt.Sprint("the bench: ", err))
	}
	for i := range senders {
		e.ports[2*i].paused = 1 << class
	}
	e.ports[2*senders+1].paused = 1 << class // the switch's end of the receiver's link
	b := &bench{e, senders, class, int64(c.PacketCells)}
	b.rest()
	return b
}

// rest lets happen what is under way.
func (b *bench) rest() {
	for b.step(never) {
	}
}

// push lets a sender go until what is asked for is so at the switch's port, and returns how
// many packets it took.
func (b *bench) push(sender int, until func(*bench, int) bool) int64 {
	in, g := 2*sender, b.nics[b.ports[2*sender].nic].generator
	before := g.sent
	b.ports[in].paused = 0
	b.kick(int32(in), &b.ports[in])
	for !until(b, in+1) && b.step(never) {
	}
	b.ports[in].paused = 1 << b.class
	packets := int64(g.sent - before)
	b.rest()
	return packets
}

func (b *bench) pausing(port int) bool { return b.ports[port].pausing != 0 }
func (b *bench) refused(port int) bool {
	in := &b.entrances[port].packets
	return in.head != 0 && b.packets[in.tail].label&refused != 0
}

// fill lets one sender after the other go until its group pauses.
func (b *bench) fill() (packets []int64) {
	for i := range b.senders {
		packets = append(packets, b.push(i, (*bench).pausing))
	}
	return packets
}

// inTurn lets all send one packet in turn until the first pause, and returns how many each
// has sent.
func (b *bench) inTurn() (rounds int64) {
	one := func(b *bench, port int) bool { return b.entrances[port].packets.head != 0 }
	for ; ; rounds++ {
		for i := range b.senders {
			b.push(i, one)
			if !b.pausing(2*i + 1) {
				continue
			}
			if i == b.senders-1 {
				rounds++
			}
			return rounds
		}
	}
}

// drain lets the receiver take packets until the first group resumes, and returns how many.
func (b *bench) drain() int64 {
	out := &b.ports[2*b.senders+1]
	out.paused = 0
	b.kick(int32(2*b.senders+1), out)
	for b.pausing(1) && b.step(never) {
	}
	return int64(out.sent) / int64(b.nics[0].generator.frames[0].Bytes)
}

// headroom returns the fill of a sender's group there, in packets.
func (b *bench) headroom(sender int) int64 {
	chip := b.silicon[b.senders+1]
	return int64(chip.PG(sender, 0).Headroom) / b.packet
}

// The average that is caught up at each change of the queue is the one of a loop that
// polls it period after period.
func TestPolledAverage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc := leafSpine(1, 2, 0)
		period := units.Time(rapid.IntRange(1, 5000).Draw(t, "period")) * units.Nanosecond
		weight := rapid.Float64Range(0, 1).Draw(t, "weight")
		sc.ECN = []ECN{{Rate: 100 * units.Gbps, KMin: 1 << 30, KMax: 1 << 30, PollPeriod: period, Weight: weight}}
		s := must.Get(newEngine(sc))(t)
		s.room(64)
		const port, class = 1, 3
		want, polled := 0.0, int64(0)
		for range rapid.IntRange(1, 30).Draw(t, "changes") {
			s.now += rapid.Int64Range(0, 20_000_000).Draw(t, "pause")
			for ; polled < s.now/int64(period); polled++ {
				want += weight * (float64(s.queue(port, class).bytes) - want)
			}
			if p := &s.ports[port]; p.waiting != 0 && rapid.Bool().Draw(t, "leave") {
				s.put(s.dequeue(port, p, class))
			} else if len(s.free) > 0 {
				id := s.take()
				s.packets[id] = packet{size: 1048}
				s.enqueue(port, p, class, id)
			}
			if got := s.average(port, class).value; math.Abs(got-want) > 1e-6*(1+want) {
				t.Fatalf("average %v, by polling %v", got, want)
			}
		}
	})
}
