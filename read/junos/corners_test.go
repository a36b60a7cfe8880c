package junos

import (
	"fmt"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/readtest"
)

// Statements that few files have. An MTU of Junos counts no checksum, 4 B.
func TestCorners(t *testing.T) {
	const port = "interfaces { et-0/0/0 { mtu 9000; } }\n"
	readtest.Tales(t, Format(), []readtest.Tale{
		{"a group that says nothing", "groups { g; }\napply-groups g;\n" + port, "Ports[0].MTU = 9004B; apply-groups g: not modelled: the group is not in the file"},
		{"a range without a member", "interfaces { interface-range r { member; mtu 5000; } et-0/0/0 { mtu 9000; } }\n", "Ports[0].MTU = 9004B; interface-range r mtu 5000: not modelled"},
		{"a range of another hierarchy", "protocols { interface-range r { member et-0/0/0; mtu 5000; } }\n" + port, "Ports[0].MTU = 9004B"},
		{"a range", "interfaces { interface-range r { member et-0/0/1; mtu 5000; } }\n" + port, "Ports[0].MTU = 9004B; Ports[1].Name = et-0/0/1; Ports[1].MTU = 5004B"},
		{"class of service of a range", "interfaces { interface-range LEAF { member et-0/0/1; } }\nclass-of-service { interfaces { LEAF { scheduler-map s; } lo0 { unit 0 { classifiers { dscp default; } } } } }\n" + port,
			"class-of-service interfaces LEAF scheduler-map s: not modelled: the ports of LEAF are not known; lo0 unit 0 classifiers dscp default: modelled"},
		{"carriage returns", strings.ReplaceAll("interfaces {\n et-0/0/0 {\n mtu 9000;\n }\n}\n", "\n", "\r\n"), "Ports[0].MTU = 9004B; !error"},
		{"a comment at the end", port + "# the end", "Ports[0].MTU = 9004B; !error"},
		{"a mark that opens a remark alone", "/*/ interfaces { et-0/0/1 { mtu 9000; } } */" + port, "Ports[0].Name = et-0/0/0; !et-0/0/1; !error"},
		{"a remark that does not end", port + "/* the end", "Ports[0].MTU = 9004B; error[junos-read-syntax] this comment is never closed"},
		{"no classifier anywhere", port, "!classifier"},
	})
}

// A plan has one classifier and one rewrite rule for a port; of two units that differ the second line is
// not modelled. The same line twice, the last of two for one unit, and two units that agree are.
func TestUnitsThatDiffer(t *testing.T) {
	const port = "set class-of-service interfaces et-0/0/1 "
	for _, what := range []string{"classifiers dscp ", "rewrite-rules dscp "} {
		const other = "not modelled: another unit of the port has other settings"
		readtest.Tales(t, Format(), []readtest.Tale{
			{"two units", port + "unit 0 " + what + "a\n" + port + "unit 1 " + what + "b\n", "unit 0 " + what + "a: modelled; unit 1 " + what + "b: " + other},
			{"the port and a unit", port + what + "a\n" + port + "unit 1 " + what + "b\n", "unit 1 " + what + "b: " + other},
			{"two units that agree", port + "unit 0 " + what + "a\n" + port + "unit 1 " + what + "a\n", "unit 1 " + what + "a: modelled"},
			{"one unit twice", port + "unit 0 " + what + "a\n" + port + "unit 0 " + what + "b\n", "unit 0 " + what + "b: modelled; \"b\""},
			{"two ports", port + "unit 0 " + what + "a\nset interfaces et-0/0/2 unit 1 family inet\nset class-of-service interfaces et-0/0/2 unit 1 " + what + "b\n", "unit 1 " + what + "b: modelled"},
		})
	}
}

// A classifier is of a unit. It does not classify what comes in by another one that the file has, or by
// unit 0 where the file has none of the port.
func TestUnitsClassified(t *testing.T) {
	const (
		of     = "set class-of-service interfaces et-0/0/1 unit "
		unit   = "set interfaces et-0/0/1 unit "
		dscp   = " classifiers dscp a"
		family = " family inet\n"
		other  = dscp + ": not modelled: it belongs to another unit of the port than "
	)
	readtest.Tales(t, Format(), []readtest.Tale{
		{"no unit in the file", of + "0" + dscp + "\n", "unit 0" + dscp + ": modelled"},
		{"not unit 0", of + "1" + dscp + "\n", "unit 1" + other + "0, with another classifier"},
		{"its unit", unit + "1" + family + of + "1" + dscp + "\n", "unit 1" + dscp + ": modelled"},
		{"another unit", unit + "1" + family + of + "0" + dscp + "\n", "unit 0" + other + "1, with another classifier"},
		{"one of two", unit + "0" + family + unit + "7" + family + of + "0" + dscp + "\n", "unit 0" + other + "7, with another classifier"},
		{"both of two", unit + "0" + family + unit + "7" + family + of + "0" + dscp + "\n" + of + "7" + dscp + "\n", "unit 0" + dscp + ": modelled; unit 7" + dscp + ": modelled"},
		{"all units", unit + "0" + family + unit + "7" + family + of + "*" + dscp + "\n", "unit *" + dscp + ": modelled"},
		{"all ports", unit + "7" + family + "set class-of-service interfaces et-* unit 0" + dscp + "\n", "unit 0" + other + "7, with another classifier; touches ports [et-0/0/1]"},
	})
}

// A file has so many statements, with and without those that groups bring, and not one more.
func TestMost(t *testing.T) {
	for text, most := range map[string]int{
		"a 1;\nb 2;\nc 3;\n": 3,
		"set a 1\nset b 2\n": 2,
		"a [ 1 2 3 ];\n":     3,
		"groups { g { a { b 1; c 2; } } }\napply-groups g;\na { d 3; }\n": 6, // four that stand there, of which two are told again
	} {
		for limit, refused := range map[int]bool{most: false, most - 1: true} {
			var found diag.List
			p := &parser{file: "f", src: []byte(text), found: &found, most: limit}
			if isCommands(p.src) {
				p.commands()
			} else {
				p.section(nil, 0, word{})
			}
			p.expand()
			told := fmt.Sprintf("more than %d statements", limit)
			if got := len(found) > 0 && strings.HasSuffix(found[0].Message, told); got != refused {
				t.Errorf("%q with at most %d statements: %v", text, limit, found)
			}
		}
	}
}

// Six bits, or a name of Junos' default aliases: cs of a class is 8 times it, af of a class and a
// drop precedence 8 and 2 times them (RFC 2474, 2597).
func TestCodePoints(t *testing.T) {
	for s, want := range map[string]int{
		"000000": 0, "111111": 63, "011010": 26, "be": 0, "ef": 46, "nc1": 48, "nc2": 56, "cs1": 8, "cs7": 56, "af11": 10, "af13": 14, "af41": 34, "af43": 38, "af31": 26,
		"01101": -1, "0110100": -1, "000002": -1, "cs0": -1, "cs8": -1, "cs": -1, "cs11": -1, "xs1": -1, "af01": -1, "af51": -1, "af10": -1, "af14": -1, "af1": -1, "af111": -1, "xf11": -1, "": -1, "26": -1, "cs/": -1, "af1:": -1,
	} {
		if d, ok := codePoint(s); ok != (want >= 0) || int(d) != max(0, want) {
			t.Errorf("%q is %d, %t, want %d", s, d, ok, want)
		}
	}
}

// The name of a device stands within the first MiB.
func TestDeviceWithinAMebibyte(t *testing.T) {
	const line = "set system host-name leaf"
	for pad, want := range map[int]string{1<<20 - len(line) - 1: "leaf", 1<<20 - len(line): "lea"} {
		if got, _ := Format().Device([]byte(strings.Repeat(" ", pad) + "\n" + line + "\n")); got != want {
			t.Errorf("behind %d bytes the device is %q, want %q", pad, got, want)
		}
	}
}
