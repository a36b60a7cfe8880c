package policy_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// sameFabric compares everything but places. Chips are compared by name, and shapes
// that point at each other by their names, or the comparison would not end.
func sameFabric(a, b *policy.Fabric) string {
	return cmp.Diff(a, b,
		cmp.Transformer("chip", func(c *chips.Chip) string { return c.Name }),
		cmp.Transformer("card", func(c *chips.NIC) string { return c.Name }),
		cmpopts.IgnoreTypes(diag.Range{}),
		cmp.FilterPath(isPeer, cmp.Transformer("peer", peerText)),
	)
}

func isPeer(p cmp.Path) bool {
	switch p.Last().String() {
	case ".PeerNIC", ".PeerSwitch", ".PeerSwitches", ".PeerPorts":
		return true
	}
	return false
}

func peerText(v any) string {
	switch p := v.(type) {
	case *policy.Switch:
		if p != nil {
			return fmt.Sprint(p.Names)
		}
	case []*policy.Switch:
		text := ""
		for _, s := range p {
			text += fmt.Sprint(s.Names)
		}
		return text
	case *policy.PortGroup:
		if p != nil {
			return fmt.Sprint(p.Name, p.Ports)
		}
	case *policy.NIC:
		if p != nil {
			return p.Name
		}
	}
	return ""
}

// blocksOf cuts a file into the texts of its blocks.
func blocksOf(t testing.TB, text string) []string {
	file, found := hclsyntax.ParseConfig([]byte(text), "x", hcl.InitialPos)
	if found.HasErrors() {
		t.Fatal(found)
	}
	var out []string
	for _, b := range file.Body.(*hclsyntax.Body).Blocks {
		r := b.Range()
		out = append(out, text[r.Start.Byte:r.End.Byte])
	}
	return out
}

// mixed is a fabric with everything whose order could matter.
const mixed = `
fabric "mixed" {}
locals { speeds = { a = "100Gbps", b = local.slow } }
locals { slow = "40Gbps" }
variable "far" { default = "300m" }
nic "b" {
  model   = "thor2"
  cnp_pfc = 6
}
nic "a" { model = "connectx-7" }
traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 50
}
traffic_class "cnp" {
  dscp       = [48]
  queue      = 6
  scheduling = strict
  max_rate   = "1Gbps"
}
traffic_class "other" {
  dscp   = rest
  queue  = 0
  weight = 50
}
switch "tor" {
  for_each = { tor-1 = "15m", tor-2 = "5m", tor-10 = "15m" }
  chip     = "trident3"
  os       = sonic
  port_group "down" {
    ports = "Ethernet[0..3]"
    speed = local.speeds.b
    cable = each.value
    peer  = nic.a
  }
  port_group "up" {
    ports = "Ethernet[4..9]"
    speed = "100Gbps"
    peer  = switch.spine
  }
}
switch "tor-[20..21]" {
  chip = "trident3"
  os   = sonic
  port_group "down" {
    ports = "Ethernet[0..3]"
    speed = "40Gbps"
    cable = "15m"
    peer  = nic.a
  }
  port_group "up" {
    ports = "Ethernet[4..9]"
    speed = "100Gbps"
    peer  = switch.spine
  }
}
switch "spine-[1..2]" {
  chip = "tomahawk3"
  os   = eos
  role = "spine"
  port_group "down" {
    ports = "Ethernet[1..16]"
    speed = "100Gbps"
  }
}
clos "main" {
  lower       = "tor-[1..2]"
  upper       = switch.spine
  lower_ports = "up"
  upper_ports = "down"
  cable       = "30m"
}
link {
  a     = "spine-2:Ethernet16"
  b     = "tor-10:Ethernet4"
  cable = var.far
}
link {
  for_each = csvdecode(file("cables.csv"))
  a        = each.value.a
  b        = each.value.b
  cable    = each.value.cable
}
`

var mixedFiles = fstest.MapFS{"cables.csv": {Data: []byte("a,b,cable\ntor-20:Ethernet5,spine-1:Ethernet15,31m\ntor-21:Ethernet5,spine-2:Ethernet15,31m\n")}}

// Shuffling blocks, and spreading them over files, changes nothing.
func TestOrderMeansNothing(t *testing.T) {
	ucloud := must.Get(os.ReadFile("testdata/ucloud.hcl"))(t)
	for name, text := range map[string]string{"mixed": mixed, "ucloud": string(ucloud)} {
		t.Run(name, func(t *testing.T) {
			want := load(t, text, mixedFiles)
			blocks := blocksOf(t, text)
			c := catalogue(t)
			rapid.Check(t, func(t *rapid.T) {
				order := slices.Clone(blocks)
				for i, from := range rapid.Permutation(indices(len(blocks))).Draw(t, "order") {
					order[i] = blocks[from]
				}
				cut := rapid.IntRange(0, len(order)).Draw(t, "cut")
				files := []policy.Source{
					{Name: "b.hcl", Text: []byte(strings.Join(order[:cut], "\n"))},
					{Name: "a.hcl", Text: []byte(strings.Join(order[cut:], "\n"))},
				}
				got, found := policy.Load(policy.Options{Files: files, Root: mixedFiles, Catalogue: c})
				if found.HasErrors() {
					t.Fatalf("unexpected findings:\n%s", render(found, files...))
				}
				if diff := sameFabric(want, got); diff != "" {
					t.Fatalf("the order changed the fabric (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Equal content is one shape however it is written, and wiring parts shapes.
func TestShapes(t *testing.T) {
	f := load(t, mixed, mixedFiles)
	var got []string
	for _, s := range f.Switches {
		got = append(got, strings.Join(s.Names, " "))
	}
	want := []string{
		"spine-1", // wired to tor-1, tor-2 and to one that is 31 m away
		"spine-2", // and to one that is 300 m away
		"tor-1",   // 15 m to its servers, wired by the Clos
		"tor-2",   // 5 m to its servers
		"tor-10",  // one uplink of 300 m
		"tor-20 tor-21",
	}
	must.NoDiffIn(t, cmp.Diff(want, got), "shapes (-want +got):")
	tor20 := f.Switches[5]
	must.Equalf(t, tor20.Groups[1].Cables["Ethernet5"].Value, 31*units.Metre, "the CSV's cable is")
	must.Equalf(t, f.Switches[2].Groups[0].Speed.Value, 40*units.Gbps, "speed through two locals is")
	if peers := tor20.Groups[1].PeerSwitches; len(peers) != 1 || peers[0].Names[0] != "spine-1" {
		t.Errorf("tor-20 has %d peers, want spine-1", len(peers))
	}
}

func names(n int) string {
	return fmt.Sprintf(`
fabric "big" {}
switch "tor-[0001..%04d]" {
  chip = "tomahawk5"
  os   = sonic
  port_group "all" {
    ports = "Ethernet[0..504/8]"
    speed = "800Gbps"
    cable = "30m"
  }
}
`, n)
}

func forEach(n int) string {
	return fmt.Sprintf(`
fabric "big" {}
switch "tor" {
  for_each = toset([for a in range(%d) : format("tor-%%04d", a)])
  chip     = "tomahawk5"
  os       = sonic
  port_group "all" {
    ports = "Ethernet[0..504/8]"
    speed = "800Gbps"
    cable = each.key == "none" ? "1m" : "30m"
  }
}
`, n)
}

// Switches of one shape are one shape, and many of them load fast.
func TestManySwitchesAreOneShape(t *testing.T) {
	for name, c := range map[string]struct {
		text func(n int) string
		n    int
	}{"range": {names, 9999}, "for_each": {forEach, 1000}} {
		t.Run(name, func(t *testing.T) {
			f := load(t, c.text(c.n), nil)
			if len(f.Switches) != 1 || len(f.Switches[0].Names) != c.n {
				t.Errorf("%d shapes, the first of %d, want one of %d", len(f.Switches), len(f.Switches[0].Names), c.n)
			}
			// What is needed grows with the switches, and no faster; a tenth more is for what grows by doubling.
			allocated := func(n int) float64 {
				text := c.text(n)
				return testing.AllocsPerRun(1, func() { load(t, text, nil) })
			}
			if few, many := allocated(c.n/9), allocated(c.n); many > 9*1.1*few {
				t.Errorf("%d switches take %v allocations, a ninth of them %v", c.n, many, few)
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	c := catalogue(b)
	for name, text := range map[string]string{"range10000": names(9999), "forEach1000": forEach(1000), "clos": closText(1000, 32, 1)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, found := policy.Load(policy.Options{Files: []policy.Source{{Name: "x.hcl", Text: []byte(text)}}, Catalogue: c})
				if found.HasErrors() {
					b.Fatal(found[0].Message)
				}
			}
		})
	}
}

// closText wires lower switches to upper ones, with the links per pair that fill the
// lower ports.
func closText(lower, upper, perPair int) string {
	return fmt.Sprintf(`
fabric "big" {}
switch "tor-[1..%[1]d]" {
  chip = "tomahawk5"
  os   = sonic
  port_group "up" {
    ports = "Ethernet[1..%[4]d]"
    speed = "800Gbps"
  }
}
switch "leaf-[1..%[2]d]" {
  chip = "tomahawk5"
  os   = sonic
  port_group "down" {
    ports = "Ethernet[1..%[5]d]"
    speed = "800Gbps"
  }
}
clos "main" {
  lower          = switch.tor
  upper          = switch.leaf
  lower_ports    = "up"
  upper_ports    = "down"
  links_per_pair = %[3]d
}
`, lower, upper, perPair, upper*perPair, lower*perPair)
}

// A file cut off anywhere, or with bytes changed, is refused or read but never harmful.
func TestDamagedFiles(t *testing.T) {
	c := catalogue(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		text := []byte(mixed)
		for range 1 + random.IntN(4) {
			switch at := random.IntN(len(text) - 1); random.IntN(3) {
			case 0:
				text = append(text[:at:at], text[at+1:]...)
			case 1:
				text[at] = "{}[]()\"$%=,.0123456789\nxeE-*/\x00\xff"[random.IntN(31)]
			case 2:
				text = append(append(text[:at:at], text[random.IntN(len(text)):]...), text[at:]...)
			}
		}
		policy.Load(policy.Options{Files: []policy.Source{{Name: "x.hcl", Text: text}}, Root: mixedFiles, Catalogue: c})
	}
}

func FuzzLoad(f *testing.F) {
	ucloud := must.Get(os.ReadFile("testdata/ucloud.hcl"))(f)
	f.Add(string(ucloud))
	f.Add(mixed)
	f.Add(`locals { a = "${"${"${1e99}"}"}" }`)
	f.Add(`switch "a[1..9][1..9]" { count = 9 }`)
	c := catalogue(f)
	f.Fuzz(func(t *testing.T, text string) {
		src := policy.Source{Name: "x.hcl", Text: []byte(text)}
		_, found := policy.Load(policy.Options{Files: []policy.Source{src}, Root: mixedFiles, Catalogue: c})
		render(found, src)
		if formatted, bad := policy.Format(src); !bad.HasErrors() {
			again, bad := policy.Format(policy.Source{Name: "x.hcl", Text: formatted})
			if bad.HasErrors() || string(again) != string(formatted) {
				t.Fatal("formatting twice is not formatting once")
			}
		}
	})
}
