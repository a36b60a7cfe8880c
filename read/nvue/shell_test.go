package nvue

import (
	"testing"

	"github.com/roceplan/roceplan/internal/testing/readtest"
)

// A line of a script is a command of NVUE and nothing else: what a shell makes of more than words
// is not modelled, wherever it is.
func TestShellSyntaxIsNotModelled(t *testing.T) {
	const set = "nv set interface swp1 link mtu 9000"
	var tales []readtest.Tale
	for _, more := range []string{
		"; true", " ; nv unset qos", " || true", " && nv unset qos", " > /dev/null", " 2>/dev/null", " < file", " &", " | tee log",
		" $(nv unset qos)", " `nv unset qos`", " $MTU", ` "$MTU"`, ` "$(nv unset qos)"`, ` "a\`, ` \`, " {a,b}", " (a)", ` 'a`, ` "a`,
	} {
		tales = append(tales, readtest.Tale{more, set + more + "\n", "interface swp1 link mtu 9000; not modelled: a shell"})
	}
	for _, line := range []string{"! nv unset qos", "(nv unset qos)", "{ nv unset qos; }", "$(nv unset qos)", "A=1 nv unset qos", "if true; then nv unset qos; fi", "set -n", "set +e; nv unset qos", "set -- nv"} {
		tales = append(tales, readtest.Tale{line, set + "\n" + line + "\n", "2:1; not modelled: a shell"})
	}
	for _, words := range []string{`'a; b'`, `"a | b"`, `a#b`, "a # remark; nv unset qos", "' $A '", "swp[1-4]*"} {
		tales = append(tales, readtest.Tale{words, "nv set interface swp1 description " + words + "\n", "description; neutral by label; !not modelled"})
	}
	for _, line := range []string{"set -e", "set -eux", "set -o pipefail", "set -euo pipefail"} {
		tales = append(tales, readtest.Tale{line, line + "\n" + set + "\n", "neutral by script; !not modelled"})
	}
	readtest.Tales(t, Format(), tales)
}

// nv config brings in files and revisions that are not in the script, or drops what it staged.
// Options of apply that answer prompts with yes change nothing. NVUE command reference, Config
// Commands.
func TestConfigCommands(t *testing.T) {
	const set = "nv set interface swp1 link mtu 9000\n"
	var tales []readtest.Tale
	for _, words := range []string{
		"replace /etc/nvue.d/startup.yaml", "patch /tmp/more.yaml", "detach", "delete 12", "apply 12", "apply empty", "apply startup -y", "apply -y startup",
		"apply --assume-no", "apply --confirm", "apply --confirm 60", "checkout 3", "translate filename x", "", "apply --strange",
	} {
		tales = append(tales, readtest.Tale{words, set + "nv config " + words + "\n", "Ports[0].MTU = 9022B; 2:1; not modelled"})
	}
	for _, words := range []string{
		"apply", "apply -y", "apply --y", "apply --assume-yes", "apply -m text", "apply --message 'of the day' -y", "apply --confirm-yes", "save", "show", "show -o commands", "diff", "diff applied startup", "history", "revision", "find mtu", "apply --confirm-status",
	} {
		tales = append(tales, readtest.Tale{words, set + "nv config " + words + "\n", "Ports[0].MTU = 9022B; 2:1; neutral by script; !not modelled"})
	}
	tales = append(tales,
		readtest.Tale{"staged behind the last apply", set + "nv config apply -y\nnv set interface swp1 link mtu 5000\n", "interface swp1 link mtu 5000: not modelled: it is staged"},
		readtest.Tale{"unset behind the last apply", set + "nv config apply -y\nnv unset interface swp1 link mtu\n", "unset interface swp1 link mtu: not modelled: it is staged"},
		readtest.Tale{"applied twice", set + "nv config apply -y\nnv set interface swp1 link mtu 5000\nnv config apply -y\n", "Ports[0].MTU = 5022B; !not modelled"},
	)
	readtest.Tales(t, Format(), tales)
}

// A tunnel's packets have a code point inside and one outside.
func TestTunnelsAreNotModelled(t *testing.T) {
	readtest.Tales(t, Format(), []readtest.Tale{
		{"GRE", "nv set interface tunnelR2 tunnel mode gre\nnv set interface tunnelR2 tunnel dest-ip 10.2.2.2\n", "tunnel mode gre: not modelled: packets in a tunnel; tunnel dest-ip 10.2.2.2: not modelled"},
		{"the kind", "nv set interface gre1 type tunnel\n", "type tunnel: not modelled: packets in a tunnel"},
		{"in YAML", "- set:\n    interface:\n      storage: {tunnel: {mode: gre}}\n", "tunnel mode gre: not modelled: packets in a tunnel"},
		{"no tunnel", "nv set interface lo type loopback\n", "neutral by not-a-port; !not modelled"},
	})
}
