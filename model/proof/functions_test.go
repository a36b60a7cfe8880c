package proof

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// Functions of expressions, by hand. Packets have 20 B of preamble and gap besides their own.
func TestFunctionsByHand(t *testing.T) {
	const bound = 1 << 30
	for _, c := range []struct {
		name string
		args []int64
		want string // empty: an error
	}{
		{"min", []int64{3, -2, 5}, "-2"}, {"max", []int64{3, -2, 5}, "5"}, {"min", []int64{4}, "4"}, {"max", []int64{2, 2}, "2"},
		{"floor", []int64{7, 2}, "3"}, {"floor", []int64{-7, 2}, "-4"}, {"floor", []int64{6, 2}, "3"}, {"floor", []int64{7, 1}, "7"}, {"floor", []int64{7, 0}, ""}, {"floor", []int64{7, -1}, ""},
		{"ceil", []int64{7, 2}, "4"}, {"ceil", []int64{-7, 2}, "-3"}, {"ceil", []int64{6, 2}, "3"}, {"ceil", []int64{0, 2}, "0"}, {"ceil", []int64{7, 0}, ""},
		{"scale", []int64{5, 1}, "10"}, {"scale", []int64{5, 0}, "5"}, {"scale", []int64{5, -1}, "2"}, {"scale", []int64{-5, -1}, "-3"}, {"scale", []int64{1, 16}, "65536"}, {"scale", []int64{1, 17}, ""},
		{"scale", []int64{1 << 17, -16}, "2"}, {"scale", []int64{1, -17}, ""}, {"scale", []int64{bound, 0}, fmt.Sprint(bound)}, {"scale", []int64{bound + 1, 0}, ""}, {"scale", []int64{-bound, 0}, fmt.Sprint(-bound)}, {"scale", []int64{-bound - 1, 0}, ""},

		// Cells of 100 B: a packet of 64 B takes one cell and 84 B of wire, one of 101 B two and 121 B.
		{"packed", []int64{0, 100, 0, 200}, "0"}, {"packed", []int64{83, 100, 0, 200}, "0"}, {"packed", []int64{84, 100, 0, 200}, "1"}, {"packed", []int64{120, 100, 0, 200}, "1"}, {"packed", []int64{121, 100, 0, 200}, "2"},
		{"packed", []int64{204, 100, 0, 200}, "2"}, {"packed", []int64{205, 100, 0, 200}, "3"}, {"packed", []int64{241, 100, 0, 200}, "3"}, {"packed", []int64{242, 100, 0, 200}, "4"},
		{"packed", []int64{121, 100, 0, 100}, "1"}, {"packed", []int64{121, 100, 0, 101}, "2"}, // none of 101 B without that MTU
		// With 10 B of metadata two cells begin at 91 B, 111 B of wire.
		{"packed", []int64{110, 100, 10, 200}, "1"}, {"packed", []int64{111, 100, 10, 200}, "2"},
		{"packed", []int64{167, 100, 0, 64}, "1"}, {"packed", []int64{168, 100, 0, 64}, "2"},
		{"packed", []int64{-1, 100, 0, 200}, ""}, {"packed", []int64{9, 0, 0, 200}, ""}, {"packed", []int64{9, 1, 0, 64}, "0"}, {"packed", []int64{84, 1, 0, 64}, "64"}, {"packed", []int64{9, 100, -1, 200}, ""}, {"packed", []int64{9, 100, 0, 63}, ""},
		{"packed", []int64{84, 1 << 16, 0, 1 << 16}, "1"}, {"packed", []int64{84, 1 << 16, 0, 1<<16 + 1}, ""},

		// 1,000 B of wire, packets of 200 B (220 B, two cells) and of 64 B (84 B, one): four large ones and a
		// small one; three and three; with another large one on the way three and four.
		{"mixed", []int64{1000, 100, 0, 200, 0, 0}, "8"}, {"mixed", []int64{1000, 100, 0, 200, 500_000_000, 0}, "9"}, {"mixed", []int64{1000, 100, 0, 200, 500_000_000, 1}, "10"},
		{"mixed", []int64{1000, 100, 0, 200, 199_999_999, 0}, "8"}, {"mixed", []int64{1000, 100, 0, 200, 200_000_000, 0}, "9"}, // one of five
		{"mixed", []int64{1000, 100, 1, 200, 0, 0}, "12"}, // three cells each
		{"mixed", []int64{84, 64, 0, 200, 999_999_999, 1_000_000_000}, "1"}, {"mixed", []int64{84, 64, 1, 200, 999_999_999, 1_000_000_000}, "2"}, {"mixed", []int64{1, 100, 0, 200, 1_000_000_000, 0}, ""},
		{"mixed", []int64{-1, 100, 0, 200, 0, 0}, ""}, {"mixed", []int64{1, 0, 0, 200, 0, 0}, ""}, {"mixed", []int64{1, 100, -1, 200, 0, 0}, ""}, {"mixed", []int64{1, 100, 0, 63, 0, 0}, ""}, {"mixed", []int64{1, 100, 0, 200, -1, 0}, ""},
		{"mixed", []int64{1, 100, 0, 200, 0, -1}, ""}, {"mixed", []int64{0, 1, 0, 64, 0, 0}, "0"},

		// Of 100 cells, accounts with a fixed limit of 30 take 30 each, and 29 where they have to stay below.
		{"after", []int64{100, 0, 0, 30, 0}, "100"}, {"after", []int64{100, 0, 0, 30, 2}, "40"}, {"after", []int64{100, 0, 0, 30, 4}, "0"}, {"after", []int64{100, 1, 0, 30, 2}, "42"}, {"after", []int64{100, 2, 0, 30, 2}, "40"},
		{"after", []int64{100, 0, 0, 0, 5}, "100"},
		// As much as is left (2^0): s ≤ 100 - s, s < 100 - s, and s - 1 < 100 - s + 1; a second one of 50: 25.
		{"after", []int64{100, 0, 1, 0, 1}, "50"}, {"after", []int64{100, 1, 1, 0, 1}, "51"}, {"after", []int64{100, 2, 1, 0, 1}, "50"}, {"after", []int64{100, 0, 1, 0, 2}, "25"}, {"after", []int64{100, 0, 1, 17, 1}, ""},
		// Twice of what is left: s ≤ 2(100 - s), 66; a quarter: s ≤ ⌊(100 - s)/4⌋, 20.
		{"after", []int64{100, 0, 1, 1, 1}, "34"}, {"after", []int64{100, 0, 1, -2, 1}, "80"},
		{"afterboth", []int64{100, 0, 0, 30, 1, 0, 1}, "70"}, {"afterboth", []int64{100, 0, 0, 60, 1, 0, 1}, "50"}, {"afterboth", []int64{100, 0, 1, 0, 0, 30, 1}, "70"}, {"afterboth", []int64{100, 0, 0, 60, 1, 0, 2}, "25"},
		{"afterboth", []int64{100, 0, 0, 60, 1, 17, 1}, ""}, {"afterboth", []int64{100, 0, 1, 17, 0, 60, 1}, ""}, {"afterboth", []int64{100, 0, 0, 30, 0, 30, 0}, "100"}, {"afterboth", []int64{100, 0, 0, 30, 0, 40, 9}, "0"},
		// In turns: n of them hold s each, s ≤ 30; 4 × 25 are all; s ≤ 100 - 2s is 33.
		{"evenly", []int64{100, 0, 0, 30, 2}, "30"}, {"evenly", []int64{100, 0, 0, 30, 4}, "25"}, {"evenly", []int64{100, 1, 0, 30, 2}, "29"}, {"evenly", []int64{100, 0, 1, 0, 1}, "50"}, {"evenly", []int64{100, 0, 1, 0, 2}, "33"},
		{"evenly", []int64{100, 0, 0, 30, 0}, "0"}, {"evenly", []int64{100, 0, 1, 17, 1}, ""}, {"evenly", []int64{100, 0, 0, 100, 1}, "100"},
	} {
		f, ok := functionOf(c.name)
		if !ok || f.arity > 0 && f.arity != len(c.args) {
			t.Errorf("%s takes %d, not %d", c.name, f.arity, len(c.args))
			continue
		}
		var args []*big.Int
		for _, a := range c.args {
			args = append(args, big.NewInt(a))
		}
		got, err := f.compute(args)
		if (err != nil) != (c.want == "") || err == nil && got.String() != c.want {
			t.Errorf("%s%v is %v, %v; want %q", c.name, c.args, got, err, c.want)
		}
	}
	if _, ok := functionOf("sqrt"); ok {
		t.Error("there is a function sqrt")
	}
}

// An account may hold as many cells as its limit is, must stay below it, or is asked before it
// takes the cell: a limit of 5 lets 5, 4 and 5 cells in.
func TestAdmissionOffsets(t *testing.T) {
	for rule, most := range []int64{5, 4, 5} {
		for s := int64(1); s < 8; s++ {
			if got, err := fits(int64(rule), [][2]int64{{0, 5}}, s, 0); got != (s <= most) || err != nil {
				t.Errorf("rule %d, %d cells: %v, %v", rule, s, got, err)
			}
		}
	}
	for rule, want := range map[mmu.Admission][2]int64{mmu.WithCell: {0, 0}, mmu.BelowWithCell: {1, 0}, mmu.BeforeCell: {0, 1}} {
		if slack, look := ruleOffsets(rule); slack != want[0] || look != want[1] {
			t.Errorf("%v: %d and %d, want %v", rule, slack, look, want)
		}
	}
	for _, c := range []struct {
		n    int64
		e    int
		want int64
	}{{5, 1, 10}, {5, 0, 5}, {5, -1, 2}, {-5, -1, -3}, {-5, 2, -20}} {
		must.Equalf(t, floorScale(c.n, c.e), c.want, "⌊%d·2^%d⌋ is", c.n, c.e)
	}
}

// Functions of expressions against what docs/certificates.md says of them: every length of packets is tried, every mix, and every
// cell.
func TestFunctionsByBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	of := func(name string, args ...int64) int64 {
		f, _ := functionOf(name)
		list := make([]*big.Int, len(args))
		for i, a := range args {
			list[i] = big.NewInt(a)
		}
		got, err := f.compute(list)
		if err != nil {
			t.Fatal(name, args, err)
		}
		return got.Int64()
	}
	for range 400 {
		cell, metadata, frame, w := 1+random.Int64N(150), random.Int64N(90), 64+random.Int64N(300), random.Int64N(900)
		cells := func(length int64) int64 { // one after another
			n := int64(0)
			for left := length + metadata; left > 0; left -= cell {
				n++
			}
			return n
		}
		most := make([]int64, w+1) // by the bytes of wire
		for s := range most {
			for length := int64(64); length <= frame && length+20 <= int64(s); length++ {
				most[s] = max(most[s], cells(length)+most[int64(s)-length-20])
			}
		}
		if got := of("packed", w, cell, metadata, frame); got != most[w] {
			t.Fatalf("packed(%d, %d, %d, %d) is %d, want %d", w, cell, metadata, frame, got, most[w])
		}
		share, beside, want := random.Int64N(100)*10_000_000, random.Int64N(3), int64(0)
		for small := int64(0); 84*small <= w; small++ {
			for large := int64(0); 84*small+(frame+20)*large <= w; large++ {
				if 1_000_000_000*small <= share*(small+large+beside) {
					want = max(want, small*cells(64)+large*cells(frame))
				}
			}
		}
		if got := of("mixed", w, cell, metadata, frame, share, beside); got != want {
			t.Fatalf("mixed(%d, %d, %d, %d, %d, %d) is %d, want %d", w, cell, metadata, frame, share, beside, got, want)
		}
	}
	for range 2000 {
		b, rule, n := random.Int64N(60), random.Int64N(3), random.Int64N(4)
		kinds, values := [2]int64{random.Int64N(2), random.Int64N(2)}, [2]int64{}
		for i, kind := range kinds {
			if values[i] = random.Int64N(40); kind == 1 {
				values[i] = random.Int64N(9) - 4
			}
		}
		lets := func(i int, s, free int64) bool { // s cells with that one, which leaves so many
			limit := func(free int64) float64 {
				if kinds[i] == 0 {
					return float64(values[i])
				}
				return math.Floor(math.Ldexp(float64(free), int(values[i])))
			}
			return []bool{float64(s) <= limit(free), float64(s) < limit(free), float64(s-1) < limit(free+1)}[rule]
		}
		fill := func(limits int) (left int64) {
			left = b
			for range n {
				for s := int64(1); left > 0 && lets(0, s, left-1) && (limits == 1 || lets(1, s, left-1)); s++ {
					left--
				}
			}
			return left
		}
		if got, want := of("after", b, rule, kinds[0], values[0], n), fill(1); got != want {
			t.Fatalf("after(%d, %d, %d, %d, %d) is %d, want %d", b, rule, kinds[0], values[0], n, got, want)
		}
		if got, want := of("afterboth", b, rule, kinds[0], values[0], kinds[1], values[1], n), fill(2); got != want {
			t.Fatalf("afterboth(%d, %d, %d, %d, %d, %d, %d) is %d, want %d", b, rule, kinds[0], values[0], kinds[1], values[1], n, got, want)
		}
		want := int64(0)
		for n > 0 && b >= n*(want+1) && lets(0, want+1, b-n*(want+1)) {
			want++
		}
		if got := of("evenly", b, rule, kinds[0], values[0], n); got != want {
			t.Fatalf("evenly(%d, %d, %d, %d, %d) is %d, want %d", b, rule, kinds[0], values[0], n, got, want)
		}
	}
}

// every returns the knapsack by brute force over every length of packet.
func every(most int64, cell, metadata, largest units.Bytes) []int64 {
	table := make([]int64, most+1)
	for s := int64(1); s <= most; s++ {
		table[s] = table[s-1]
		for length := model.SmallestFrame; length <= largest; length++ {
			if wire := int64(length + model.InterFrame); wire <= s {
				table[s] = max(table[s], table[s-wire]+int64((length+metadata).CeilCells(cell)))
			}
		}
	}
	return table
}

func TestPackingIsTheKnapsack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := units.Bytes(rapid.IntRange(16, 500).Draw(t, "cell"))
		metadata := units.Bytes(rapid.SampledFrom([]int{0, 0, 40, 64}).Draw(t, "metadata"))
		largest := units.Bytes(rapid.IntRange(64, 600).Draw(t, "largest"))
		want := every(4000, cell, metadata, largest)
		p := newPacking(cell, metadata, largest)
		for s := range want {
			if got := p.cells(int64(s)); got != want[s] {
				t.Fatalf("cell %v, metadata %v, largest %v: %d cells in %d B, want %d", cell, metadata, largest, got, s, want[s])
			}
		}
	})
}

func BenchmarkPacking(b *testing.B) {
	for b.Loop() {
		newPacking(254, 0, 9216)
	}
}
