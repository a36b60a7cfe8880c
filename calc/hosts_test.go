package calc

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/policy"
)

// fabricOf draws classes that the language admits: PFC priorities differ, and every
// class that is not strict has a weight.
func fabricOf(t *rapid.T) (*policy.Fabric, *policy.NIC) {
	f := &policy.Fabric{}
	f.MTU.Value = 9216
	pfc := rapid.Permutation([]uint8{0, 1, 2, 3, 4, 5, 6, 7}).Draw(t, "pfc")
	dscps := rapid.Permutation([]uint8{0, 10, 18, 26, 34, 46, 48, 56}).Draw(t, "dscps")
	nic := &policy.NIC{Name: "nic"}
	nic.CNPDSCP.Value, nic.CNPPFC.Value = 48, rapid.Uint8Range(0, 7).Draw(t, "cnp")
	for i := range rapid.IntRange(1, 6).Draw(t, "classes") {
		c := &policy.Class{Name: fmt.Sprint("c", i)}
		c.DSCPs.Value = []uint8{dscps[i]}
		c.TrafficClass.Value = rapid.Uint8Range(0, 7).Draw(t, "tc")
		c.Lossless.Value, c.Strict.Value = rapid.Bool().Draw(t, "lossless"), rapid.Bool().Draw(t, "strict")
		if c.Lossless.Value {
			c.PFC.Value = pfc[i]
		}
		if !c.Strict.Value {
			c.Weight.Value = rapid.Int64Range(1, 100).Draw(t, "weight")
		}
		f.Classes = append(f.Classes, c)
	}
	return f, nic
}

// A pause of one class never stops another: no class shares the priority of a lossless
// one, CNPs excepted, whose priority the author names. Every code point has the priority
// of its class. Shares fill the link.
func TestHostClasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, nic := fabricOf(t)
		host := planHost(f, nic, &plan.Path{})
		var sum int64
		weighted := false
		for _, c := range host.Classes {
			sum += c.Share
			weighted = weighted || !c.Strict
			if c.Strict && c.Share != 0 {
				t.Fatalf("%s is strict and has a share of %d %%", c.Name, c.Share)
			}
			for _, dscp := range c.DSCPs {
				if host.Priorities[dscp] != c.Priority {
					t.Fatalf("DSCP %d of %s has priority %d, its class %d", dscp, c.Name, host.Priorities[dscp], c.Priority)
				}
			}
			for _, other := range host.Classes {
				if other.Name != c.Name && !other.CNP && c.Lossless && other.Priority == c.Priority {
					t.Fatalf("%s has the priority %d of %s, which is lossless", other.Name, c.Priority, c.Name)
				}
			}
		}
		if weighted && sum != 100 || !weighted && sum != 0 {
			t.Fatalf("the shares add up to %d %%", sum)
		}
	})
}
