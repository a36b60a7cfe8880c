package fabric

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// ParseFault reads KIND, or KIND@SWITCH:PORT, or either with =QUANTITY:
//
//	cable@leaf-1:Ethernet0=80m                the cable is 80 m long
//	response@leaf-1:Ethernet0=2us             the other end obeys a pause after 2 us
//	kmin@leaf-1=4                             all ports of the switch mark at four times Kmin
//	no_pfc@leaf-1:Ethernet0
//	no_cnp@leaf-1:Ethernet0                   of the NIC at the port
//	swap@leaf-1:Ethernet0=leaf-2:Ethernet0    these two cables
//	storm@leaf-1:Ethernet0=100us              from then on
//
// [Network.Draw] draws the parts that are left out.
func ParseFault(text string) (f Fault, err error) {
	head, quantity, given := strings.Cut(text, "=")
	kind, at, _ := strings.Cut(head, "@")
	f.Kind = FaultKind(kind)
	if !slices.Contains(FaultKinds(), f.Kind) {
		return Fault{}, fmt.Errorf("%q is not a fault; there are %v", kind, FaultKinds())
	}
	if f.At.Switch, f.At.Port, _ = strings.Cut(at, ":"); at != "" && f.At.Port == "" && f.Kind != SteepKMin {
		return Fault{}, fmt.Errorf("%q is not SWITCH:PORT", at)
	}
	if !given {
		return f, nil
	}
	switch f.Kind {
	case LongCable:
		f.Length, err = units.ParseLength(quantity)
	case SlowPeer:
		f.Response, err = units.ParseTime(quantity)
	case StormingNIC:
		f.From, err = units.ParseTime(quantity)
	case SteepKMin:
		if f.Times, err = strconv.ParseInt(quantity, 10, 32); err != nil {
			err = fmt.Errorf("%q is not a whole number", quantity)
		}
	case SwappedCables:
		var ok bool
		if f.With.Switch, f.With.Port, ok = strings.Cut(quantity, ":"); !ok {
			err = fmt.Errorf("%q is not SWITCH:PORT", quantity)
		}
	default:
		err = fmt.Errorf("%s has no quantity", f.Kind)
	}
	return f, err
}

// Draw fills in what a fault does not say: the place by the seed, and a quantity that makes a difference.
func (n *Network) Draw(f Fault, seed uint64) (Fault, error) {
	random := rand.New(rand.NewPCG(seed, 0x6661756c74))
	if f.At == (plan.LinkEnd{}) {
		places := n.places(f.Kind)
		if len(places) == 0 {
			return Fault{}, fmt.Errorf("no port can have the fault %s", f.Kind)
		}
		f.At = places[random.IntN(len(places))]
	}
	link, end := n.At(f.At)
	if link < 0 {
		return f, nil // or a whole switch
	}
	switch {
	case f.Kind == LongCable && f.Length == 0:
		f.Length = n.Cables[link] + units.Length(50+random.IntN(250))*units.Metre
	case f.Kind == SlowPeer && f.Response == 0:
		f.Response = n.Scenario.Links[link].Response[1-end] + units.Time(1+random.IntN(5))*units.Microsecond
	case f.Kind == SteepKMin && f.Times == 0:
		f.Times = 4
	case f.Kind == SwappedCables && f.With == (plan.LinkEnd{}):
		f.With = n.partner(f.At, random)
	}
	return f, nil
}

// places returns the ports that can have a fault, in the order of the links.
func (n *Network) places(kind FaultKind) (list []plan.LinkEnd) {
	for link, ends := range n.ends {
		for end, at := range ends {
			marks := n.Scenario.Links[link].Egress[end] != nil && slices.ContainsFunc(n.Scenario.Links[link].Egress[end].ECN[:], func(e sim.ECN) bool { return e.KMax > 0 })
			switch {
			case at == plan.LinkEnd{}, link >= len(n.Hosts) && (kind == LostCNPs || kind == StormingNIC), kind == SteepKMin && !marks:
			default:
				list = append(list, at)
			}
		}
	}
	return list
}

// partner returns a port whose cable can be swapped with that of another; zero if there is none.
func (n *Network) partner(at plan.LinkEnd, random *rand.Rand) plan.LinkEnd {
	places := n.places(SwappedCables)
	for _, i := range random.Perm(len(places)) {
		other := *n
		other.ends, other.Scenario.Links = slices.Clone(n.ends), slices.Clone(n.Scenario.Links)
		other.Scenario.Silicon = slices.Clone(n.Scenario.Silicon)
		link, end := other.At(at)
		if f := (Fault{At: at, With: places[i]}); other.swap(link, end, &f, &Injected{}) == nil {
			return places[i]
		}
	}
	return plan.LinkEnd{}
}
