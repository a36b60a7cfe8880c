package read

import (
	"net/netip"
	"testing"
)

// A policy that is called as a list and asks that list ends, and does not know.
func TestPolicyThatAsksItself(t *testing.T) {
	var all Policies
	term := all.Policy("list A", Reject).Term("10")
	term.Result, term.Lists = Accept, []string{"list A"}
	if got := all.Of("list A", netip.MustParsePrefix("10.0.0.0/24"), BGPRoutes); got != Unsure {
		t.Error(got)
	}
	if all.Text("list A") == "" {
		t.Error("no text")
	}
}

// Policies that say the same decide alike wherever they are.
func TestTextOfPolicies(t *testing.T) {
	one := func(bits string) Policies {
		var all Policies
		all.Lead([]string{"ip", "prefix-list", "L", "seq", "10", "permit", "10.0.0.0/8", "le", bits})
		all.Lead([]string{"route-map", "M", "permit", "10", "match", "ip", "address", "prefix-list", "L"})
		return all
	}
	all, alike, other := one("24"), one("24"), one("25")
	if text := all.Text("M"); alike.Text("M") != text || other.Text("M") == text || all.Text("N") == text {
		t.Errorf("%q", text)
	}
}
