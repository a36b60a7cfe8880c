package nvue

import (
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// Lists of interfaces as the Cumulus Linux user guide has them, and as switches print them:
// `swp1-3,7` has the letters once.
func TestListsOfInterfaces(t *testing.T) {
	for key, want := range map[string]string{
		"swp1-3,swp6":     "swp1 swp2 swp3 swp6",
		"swp1-3,7":        "swp1 swp2 swp3 swp7",
		"swp1,3,5-7":      "swp1 swp3 swp5 swp6 swp7",
		"swp1s0,2-3":      "swp1s0 swp1s2 swp1s3",
		"swp9,bond1,3":    "bond1 bond3 swp9",
		"swp1s0-1,swp2,4": "swp1s0 swp1s1 swp2 swp4",
		"eth0,3":          "3 eth0", // no letters that a list may leave out
		"7,swp1":          "7 swp1",
	} {
		must.Equalf(t, strings.Join(instanceNames("interface", key), " "), want, "%s stands for", key)
	}
}

// A port that a list names is a port of the switch, in both forms.
func TestListedPortsAreRead(t *testing.T) {
	for _, text := range []string{
		"- set:\n    interface:\n      swp33,35,37-39: {type: swp, link: {mtu: 9216}}\n",
		"nv set interface swp33,35,37-39 link mtu 9216\n",
	} {
		var names []string
		for _, p := range readFile("x", []byte(text)).Switch.Ports {
			names = append(names, p.Name)
		}
		must.Equalf(t, strings.Join(names, " "), "swp33 swp35 swp37 swp38 swp39", "%q has the ports", text)
	}
}
