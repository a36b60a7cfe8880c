package headroom_test

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/units"
)

// frac is a fraction.
func frac(num, den int64) *big.Rat { return big.NewRat(num, den) }

func sum(terms ...*big.Rat) *big.Rat {
	all := new(big.Rat)
	for _, t := range terms {
		all.Add(all, t)
	}
	return all
}

func product(factors ...*big.Rat) *big.Rat {
	all := frac(1, 1)
	for _, f := range factors {
		all.Mul(all, f)
	}
	return all
}

// upTo returns the least multiple of a step that is no less.
func upTo(r *big.Rat, step int64) int64 {
	den := new(big.Int).Mul(r.Denom(), big.NewInt(step))
	n := new(big.Int).Add(r.Num(), new(big.Int).Sub(den, big.NewInt(1)))
	return n.Div(n, den).Int64() * step
}

// A calculator is NVIDIA's, as its script reads, in fractions: nothing is rounded but where the
// script rounds.
type calculator struct {
	cell, latency, tile, extra int64 // B, B, ns, B
	release                    string
}

// pauseQuanta of SONiC's asic_table.j2, of 64 B, by Gb/s.
var pauseQuantaOf = map[int64]int64{1: 2, 10: 67, 25: 80, 40: 118, 50: 147, 100: 394, 200: 453, 400: 905, 800: 905}

func (c calculator) result(in headroom.Input) headroom.Result {
	mbps, mtu, lossless := int64(in.Speed/units.Mbps), int64(in.PortMTU), int64(in.LosslessMTU)
	static := strings.HasPrefix(c.release, "static")
	thousand := int64(1024)
	if static {
		thousand = 1000
	}
	response := frac(38*1024, 10)
	if quanta, known := pauseQuantaOf[mbps/1000]; known && c.release != "static-2020" {
		response = frac(quanta*64, 1)
	}
	if in.PeerResponse > 0 { // roceplan's own input, in whole bytes
		response = frac(upTo(product(frac(int64(in.Speed), 8), frac(int64(in.PeerResponse), int64(units.Second))), 1), 1)
	}
	// Both ways at 1.98·10⁸ m/s; mm·Mb/s are 1000 m·b/s.
	light := product(frac(2*int64(in.Cable)*mbps, 1), frac(1000, 8*198_000_000))
	gearbox := frac(2*mbps*int64(in.Gearbox/units.Nanosecond), 8*thousand)
	propagation := sum(frac(mtu, 1), light, gearbox, frac(8*1024, 10), response, frac(mbps*c.tile, 8000))

	share := frac(int64(in.SmallPackets), int64(units.One))
	rest := new(big.Rat).Sub(frac(1, 1), share)
	worst := frac((c.cell+63)/64, 1)
	if c.cell <= 128 {
		worst = frac(2, 1)
	}
	mean := sum(product(share, frac(64, 1)), product(rest, frac(lossless, 1)))
	occupancy := sum(frac(1, 1), product(frac(64, 1), new(big.Rat).Inv(mean), new(big.Rat).Sub(worst, frac(1, 1))))
	if static {
		worst = frac(c.cell, 64)
		if c.cell <= 128 {
			worst = frac(2*c.cell, c.cell+1)
		}
		occupancy = sum(rest, product(share, worst))
	}
	need := func(occupancy *big.Rat) int64 {
		return upTo(sum(frac(lossless, 1), product(propagation, occupancy)), 1024)
	}
	xoff := need(occupancy)
	if c.release == "" && in.OverSubscribe == 0 && share.Cmp(frac(1, 1)) < 0 && xoff+2048 < need(worst) {
		xoff += 2048
	}
	if c.release == "" {
		xoff += c.extra
	}
	latency, overhead := c.latency, int64(0)
	if in.Lanes == 8 {
		if latency, overhead = 2*latency, mtu; static {
			latency -= 1024
		}
	}
	xon := upTo(frac(latency, 1), 1024)
	size := xon
	if in.OverSubscribe == 0 {
		size = upTo(frac(xoff+xon+overhead, 1), 1024)
	}
	return headroom.Result{XOff: units.Bytes(xoff), XOn: units.Bytes(xon), Size: units.Bytes(size), Cells: units.Cells(upTo(frac(xoff, c.cell), 1))}
}

// step returns the shortest cable of which more comes than of a given one, by a method's own figures.
func step(from units.Length, xoff func(units.Length) units.Bytes) units.Length {
	low, high := from, from+units.Kilometre
	for was := xoff(low); high-low > 1; {
		if middle := (low + high) / 2; xoff(middle) > was {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// NVIDIA's calculator, today's and earlier ones, is the script's arithmetic in fractions: at
// cables of any length, and to the millimetre at which one KiB more is needed.
func TestSpectrumIsItsScript(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	of := func(choices ...int64) int64 { return choices[random.IntN(len(choices))] }
	for _, name := range []string{"spectrum-1", "spectrum-2", "spectrum-3", "spectrum-4", "spectrum-5", "spectrum-6"} {
		chip, ok := catalogue(t).Find(name)
		if !ok {
			t.Fatal(name)
		}
		for _, release := range []string{"", "202405", "static-2021", "static-2020"} {
			c := calculator{int64(chip.CellSize.Or(0)), int64(chip.Spectrum.PipelineLatency.Or(0)), int64(chip.Spectrum.TileDelay.Or(0) / units.Nanosecond), int64(chip.Spectrum.XOffExtra.Or(0)), release}
			m := bind(t, name, strings.TrimSuffix("spectrum:"+release, ":"))
			for range 40 {
				in := headroom.Input{
					Speed: units.BitRate(of(1, 5, 10, 25, 40, 50, 100, 200, 400, 800)) * units.Gbps, PortMTU: units.Bytes(of(1500, 9100, 9216)), LosslessMTU: units.Bytes(of(100, 1024, 4096, 9100)),
					SmallPackets: units.Ratio(of(0, 20_000, 50_000, 99_999, 100_000)) * units.Percent / 1000, Gearbox: units.Time(of(0, 1, 333)) * units.Nanosecond,
					Lanes: int(of(1, 4, 7, 8)), OverSubscribe: int(of(0, 1, 2)), PeerResponse: units.Time(of(0, 0, 777_777, int64(units.Millisecond))),
				}
				from := units.Length(random.Int64N(int64(300 * units.Metre)))
				at := step(from, func(cable units.Length) units.Bytes {
					in.Cable = cable
					return c.result(in).XOff
				})
				for _, in.Cable = range []units.Length{from, at - 1, at} {
					got, err := m.Compute(in)
					if want := c.result(in); err != nil || got != want {
						t.Fatalf("%s %s, %+v: %+v, %v, want %+v", name, release, in, got, err, want)
					}
				}
			}
		}
	}
}

// The figures in cells are their terms in fractions, to the millimetre at which one cell more is
// needed. At rates without a quotient every divisor counts.
func TestCellsAreTheirFractions(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	of := func(choices ...int64) int64 { return choices[random.IntN(len(choices))] }
	chip := lab(t, "")
	ieee := must.Get(headroom.For(chip, "ieee8021q"))(t)
	ucloud := must.Get(headroom.For(chip, "ucloud"))(t)
	worst := must.Get(headroom.For(chip, "worst-case"))(t)
	arrives := func(rate units.BitRate, time int64) *big.Rat { // in B, of ps
		return product(frac(int64(rate), 8), frac(time, int64(units.Second)))
	}
	for range 200 {
		in := headroom.Defaults()
		in.Speed = units.BitRate(of(10_000, 25_781, 53_125, 100_000, 400_001)) * units.Mbps
		in.PortMTU, in.LosslessMTU, in.PeerResponse = units.Bytes(of(1500, 9216)), units.Bytes(of(64, 90, 91, 1024)), units.Time(of(1, 333_333, 1_000_000))
		in.PortMTU = max(in.PortMTU, in.LosslessMTU)
		layers := map[units.BitRate]int64{10_000: 8192, 25_781: 24_576, 53_125: 122_880, 100_000: 122_880}
		bits, known := layers[in.Speed/units.Mbps]
		if !known {
			bits = upTo(product(frac(int64(in.Speed), 1), frac(6144, 10_000_000_000)), 1) // 614.4 ns
		}
		// The lab's cells have 100 B, and a packet 10 B more in them: one of 91 B takes two, one of 64 B one.
		cells, wire := int64(1), int64(84)
		if in.LosslessMTU >= 91 {
			cells, wire = 2, 111
		}
		own := func(cable units.Length) units.Bytes {
			before := upTo(sum(frac(int64(in.PortMTU)+20+84+(bits+7)/8+upTo(arrives(in.Speed, int64(in.PeerResponse)), 1), 1), arrives(in.Speed, 10*int64(cable))), 1)
			return units.Bytes(100 * (upTo(frac(before*cells, wire), 1) + (int64(in.LosslessMTU)+10+99)/100))
		}
		both := func(cable units.Length) units.Bytes {
			return units.Bytes(100 * upTo(product(sum(frac(2*1500, 1), arrives(in.Speed, 10*int64(cable)+int64(in.PeerResponse))), frac(1, 84)), 1))
		}
		// A clock 100 ppm slow sends the pause, one 100 ppm fast what comes; two frames come beside.
		window := func(cable units.Length) units.Bytes {
			sent := upTo(product(frac((int64(in.PortMTU)+20+84)*8, int64(in.Speed)), frac(10_000, 9999), frac(int64(units.Second), 1)), 1)
			come := product(arrives(in.Speed, sent+10*int64(cable)+100_000+int64(in.PeerResponse)), frac(10_001, 10_000))
			bytes := new(big.Int).Quo(come.Num(), come.Denom()).Int64()
			return units.Bytes(100 * (bytes*cells/wire + 2*((int64(in.LosslessMTU)+10+99)/100)))
		}
		for _, c := range []struct {
			m    headroom.Method
			xoff func(units.Length) units.Bytes
		}{{ieee, own}, {ucloud, both}, {worst, window}} {
			from := units.Length(random.Int64N(int64(300 * units.Metre)))
			at := step(from, c.xoff)
			for _, in.Cable = range []units.Length{from, at - 1, at} {
				got, err := c.m.Compute(in)
				if err != nil || got.XOff != c.xoff(in.Cable) {
					t.Fatalf("%s, %+v: %v, %v, want %v", c.m.Name(), in, got.XOff, err, c.xoff(in.Cable))
				}
			}
		}
	}
}
