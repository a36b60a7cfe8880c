package verify

import (
	"fmt"
	"strings"
	"testing"
)

// A moved code point is a file of golden, and how DSCP 26, or 46 in SONiC's, goes to the class
// of a number or a name there. other is how DSCP 30 becomes lossless beside it.
type movedCodePoint struct {
	file    string
	unmark  func(string) string // without the curve of the lossless class, if that would show it
	classes []string
	move    func(class string) func(string) string
	other   func(string) string
	both    string // the lossless code points then
	left    string // and once the first has been moved
}

// movedCodePoints are those of all formats that say what is lossless.
func movedCodePoints() []movedCodePoint {
	numbers := func(own string) (all []string) {
		for class := range 8 {
			if n := fmt.Sprint(class); n != own {
				all = append(all, n)
			}
		}
		return all
	}
	const (
		junosOwn = "            forwarding-class rdma {\n                loss-priority low code-points 011010;\n            }\n"
		srlDSCP  = srlQoS + "classifiers/dscp-policy/0/dscp/"
	)
	return []movedCodePoint{
		{"tomahawk-eos-pod/leaf-1/eos.cfg", everywhere("      random-detect ecn minimum-threshold 12480 bytes maximum-threshold 72592 bytes max-mark-probability 4 weight 0\n", ""), numbers("3"), func(class string) func(string) string {
			return swap("qos map dscp 26 to traffic-class 3", "qos map dscp 26 to traffic-class "+class)
		}, beforeEnd("qos map dscp 30 to traffic-class 3"), "26,30", "30"},
		{"cumulus-storage/leaf-1/nvue.yaml", nil, numbers("3"), func(class string) func(string) string {
			return nvSet("qos/mapping/default-global/dscp/26/switch-priority", class)
		}, nvSet("qos/mapping/default-global/dscp/30/switch-priority", "3"), "26,30", "30"},
		{"ucloud-pod/tor-01/config_db.json", nil, numbers("5"), func(class string) func(string) string {
			return put("DSCP_TO_TC_MAP/AZURE/46", `"`+class+`"`)
		}, put("DSCP_TO_TC_MAP/AZURE/30", `"5"`), "30,46", "30"},
		{"junos-rail/leaf-1/junos.conf", nil, []string{"rest", "cnp"}, func(class string) func(string) string {
			to := map[string]func(string) string{
				"rest": swap("low code-points [ 000000 ", "low code-points [ 011010 000000 "),
				"cnp":  swap("low code-points 110000;", "low code-points [ 011010 110000 ];"),
			}
			return each(swap(junosOwn, ""), to[class])
		}, nil, "", ""},
		{"srlinux-rail/leaf-1/srlinux.json", nil, []string{"rest", "cnp"}, func(class string) func(string) string {
			return put(srlDSCP+"26/forwarding-class", `"`+class+`"`)
		}, put(srlDSCP+"30/forwarding-class", `"rdma"`), "26,30", "30"},
	}
}

// A lossless class that is left without its one code point is told of without the fabric. Of
// several code points one that goes is a change that no rule can see: who reads the report
// sees which ones are lossless.
func TestLosslessCodePoints(t *testing.T) {
	for _, c := range movedCodePoints() {
		s := redSubjectOf(t, c.file)
		if c.unmark != nil {
			s.text = c.unmark(s.text)
			for i := range s.options {
				s.known[i], s.verdict[i] = told(t, s.options[i], c.file, s.text)
			}
		}
		for _, class := range c.classes {
			edited := c.move(class)(s.text)
			if edited == s.text {
				t.Errorf("%s: class %s: the edit changes nothing", c.file, class)
			}
			if !s.seen(t, 0, edited) {
				t.Errorf("%s: its code point in class %s: nothing shows it", c.file, class)
			}
		}
		_, name, _ := strings.Cut(c.file, "/")
		dscps := func(text string) string {
			return judge(t, s.options[0], Text(name, []byte(text))).Switches[0].Coverage.LosslessDSCPs
		}
		if c.other == nil {
			continue
		}
		both := c.other(s.text)
		if got := dscps(both); got != c.both {
			t.Errorf("%s: with another code point DSCP %s are lossless, want %s", c.file, got, c.both)
		}
		if got := dscps(c.move(c.classes[0])(both)); got != c.left {
			t.Errorf("%s: with one code point moved DSCP %s are lossless, want %s", c.file, got, c.left)
		}
	}
}
