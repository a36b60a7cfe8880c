package sim

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/plantest"
	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// A headroom one cell smaller than the prover says is needed loses a packet in the simulator
// under the adversary's schedule, and what is needed never does, on random fabrics.
func FuzzHeadroom(f *testing.F) {
	cat := catalogue(f)
	names := judgeable(f, cat)
	source := rand.NewChaCha8([32]byte{1})
	for range 200 { // draws end where the bytes do
		bytes := make([]byte, 1024)
		source.Read(bytes)
		f.Add(bytes)
	}
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		a, err := drawAttack(t, cat, names)
		if err != nil {
			t.Skip(err)
		}
		must.Do(t, a.judge())
	}))
}

var hunting = flag.Bool("hunt", false, "attack the headroom of 1,000 fabrics, which takes minutes of processor time, not of 100")

// The same on fabrics that are the same in every run, which must mean something: nine in ten are
// judged, and each of these fills more than nine tenths of the headroom that is needed.
func TestHeadroomOfFabrics(t *testing.T) {
	fabrics := 100
	if *hunting {
		fabrics = 1000
	}
	cat := catalogue(t)
	names := judgeable(t, cat)
	judged, slack, least := 0, 0, 100.0
	for seed := range fabrics {
		var a *attacked
		var text error
		rapid.Custom(func(t *rapid.T) int { a, text = drawAttack(t, cat, names); return 0 }).Example(seed)
		if text != nil || a.needed < 1 {
			continue
		}
		judged++
		if err := a.judge(); err != nil {
			t.Errorf("fabric %d: %v", seed, err)
		}
		// It loses a packet where a cell less is there than it fills: see trials.
		filled := 100 * float64(a.needed-a.slack) / float64(a.needed)
		if least = min(least, filled); filled <= 90 {
			t.Errorf("fabric %d: the adversary fills %.1f %% of the headroom that is needed", seed, filled)
		}
		if a.slack > 0 {
			t.Logf("fabric %d: the adversary misses %d of %d cells: %+v", seed, a.slack, a.needed, a.Ports[0].Link)
			slack++
		}
	}
	t.Logf("%d of %d fabrics judged; each fills %.1f %% at least", judged, fabrics, least)
	if 10*judged < 9*fabrics || 50*slack > judged {
		t.Errorf("of %d fabrics %d were judged; of %d the adversary misses cells", fabrics, judged, slack)
	}
}

func catalogue(t testing.TB) *chips.Catalogue {
	t.Helper()
	cat := must.Sound(chips.Load())(t)
	return cat
}

// drawAttack draws a fabric of one switch with one of the named chips and compiles it. The error
// says why there is nothing to attack.
func drawAttack(t *rapid.T, cat *chips.Catalogue, names []string) (*attacked, error) {
	chip, _ := cat.Find(rapid.SampledFrom(names).Draw(t, "chip"))
	text := drawFabric(t, chip, cat.NICs())
	// The pool is cut, so that filling it up takes thousands of packets and not millions.
	return attack(text, units.Cells(rapid.IntRange(500, 8000).Draw(t, "shared")), cat)
}

// judgeable returns the chips on which a fabric can be judged: the prover does so, their buffer is
// published, and headroom is counted in the cells of it.
func judgeable(t testing.TB, cat *chips.Catalogue) []string {
	return plantest.Chips(t, cat, func(chip *chips.Chip) bool {
		return chip.Family != chips.SiliconOneFam && chip.PacketBuffer.Fact() != nil && chip.CellSize.Fact() != nil && chip.HeadroomCell.Fact() == nil
	})
}

// drawFabric draws a policy of one switch with one or two kinds of ports, as many of each as the chip can forward for.
func drawFabric(t *rapid.T, chip *chips.Chip, nics []*chips.NIC) string {
	number := func(what string, low, high int) int { return rapid.IntRange(low, high).Draw(t, what) }
	methods := []string{"ieee8021q"}
	for _, name := range headroom.Names() {
		if _, err := headroom.For(chip, name); err == nil {
			methods = append(methods, name)
		}
	}
	method := rapid.SampledFrom(methods).Draw(t, "method")
	mtu := number("mtu", 1200, 9216)
	var b strings.Builder
	fmt.Fprintf(&b, fabricHead, mtu, min(mtu, number("frame", 1086, 9216)), method, chip.Name)
	first, left := 0, chip.Capacity.Or(1<<62)
	for group := range number("groups", 1, 2) {
		ports, speed := number("ports", 2, 12), rapid.SampledFrom(chip.PortSpeeds.Or([]units.BitRate{100 * units.Gbps})).Draw(t, "speed")
		if ports = min(ports, int(left/speed)); ports == 0 {
			break
		}
		left -= units.BitRate(ports) * speed
		fmt.Fprintf(&b, fabricPorts, group, first, first+4*(ports-1), speed, first+1, number("cable", 1, 300))
		if nic := nicOf(nics, speed); nic != "" {
			fmt.Fprintf(&b, "peer = nic.%s\n", nic)
		}
		if number("declared", 1, 3) > 1 {
			fmt.Fprintf(&b, "pause_response = \"%dns\"\n", number("response", 1, 3000))
		}
		b.WriteString("}\n")
		first += 4 * ports
	}
	b.WriteString("}\n")
	for _, nic := range nics {
		fmt.Fprintf(&b, "nic %q { model = %q }\n", nic.Name, nic.Name)
	}
	return b.String()
}

// nicOf returns the first card that has ports of a speed; "" where none has.
func nicOf(nics []*chips.NIC, speed units.BitRate) string {
	i := slices.IndexFunc(nics, func(n *chips.NIC) bool { return slices.Contains(n.PortSpeeds.Or(nil), speed) })
	if i < 0 {
		return ""
	}
	return nics[i].Name
}

// losslessPG is the group of the policy's lossless class.
const losslessPG = 3

const fabricHead = `
fabric "f" {
  mtu             = "%dB"
  lossless_frame  = "%dB"
  headroom_method = %q
}
traffic_class "rdma" {
  dscp               = [46]
  queue              = 3
  pfc                = 3
  weight             = 50
  congestion_control = "none"
}
traffic_class "rest" {
  dscp   = rest
  queue  = 0
  weight = 50
}
pfc_watchdog {
  detection   = "1s" # ten pauses at 1 Gb/s take 336 ms
  restoration = "1s"
}
switch "s" {
  chip = %q
  os   = "sonic"
  role = "tor"
`

const fabricPorts = `
port_group "g%d" {
  ports      = "Ethernet[%d..%d/4]"
  speed      = "%v"
  lanes      = 4
  first_lane = %d
  cable      = "%dm"
  medium     = fiber
`

// attack compiles a policy and cuts the switch's ingress pool to so many shared cells a slice.
func attack(text string, shared units.Cells, cat *chips.Catalogue) (*attacked, error) {
	f, list := policy.Load(policy.Options{Files: []policy.Source{{Name: "fabric.hcl", Text: []byte(text)}}, Catalogue: cat, Root: os.DirFS(".")})
	if list.HasErrors() {
		return nil, fmt.Errorf("%v", list)
	}
	p, list := calc.Compute(f)
	if list.HasErrors() || len(p.Switches) == 0 {
		return nil, fmt.Errorf("%v", list)
	}
	sw := p.Switches[0]
	chip, _ := cat.Find(sw.Chip)
	config, err := model.Buffer(sw, chip)
	if err != nil {
		return nil, err
	}
	for i := range sw.Pools {
		if pool := &sw.Pools[i]; pool.Direction == plan.Ingress {
			if pool.Both { // queues keep all of it
				whole := *pool
				whole.Direction, whole.Both = plan.Egress, false
				sw.Pools = append(sw.Pools, whole)
				pool = &sw.Pools[i]
				pool.Both = false
			}
			spare := max(0, config.IngressPools[0].SharedCells-shared)
			pool.Size.Value -= (spare * units.Cells(config.Slices)).Bytes(config.CellBytes)
		}
	}
	return headroomOf(sw, chip)
}

// standard reports whether IEEE 802.3 bounds the response of ports of a speed.
func standard(speed units.BitRate) bool {
	_, ok := model.StandardResponse(speed)
	return ok
}

// headroomOf asks the prover what the first lossless group needs.
func headroomOf(sw *plan.Switch, chip *chips.Chip) (*attacked, error) {
	report, err := proof.Prove(sw, chip, proof.Context{})
	if err != nil {
		return nil, err
	}
	if report.Model == nil {
		return nil, errors.New("no such switch can be configured")
	}
	a := &attacked{Switch: &model.Switch{Config: report.Model.Config, Ports: report.Worst.Ports}, pg: losslessPG}
	for _, o := range report.Obligations {
		switch {
		case o.ID != proof.Headroom:
		case a.needed == 0 && o.Verdict == proof.Fails && !standard(a.Ports[0].Link.Rate):
			return nil, errors.New("no standard bounds the response, and the failure is one for the fastest peer: what another one needs is not said")
		case a.needed == 0 && o.Verdict != proof.Unjudged:
			a.needed = units.Cells(o.Left.Value) // of the first port, as they go by ports
		}
	}
	return a, nil
}
