package adopt_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/adopt"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/verify"
)

// openLength is the end of a row of a table of cables without a length, before the longest one that the headroom allows.
var openLength = regexp.MustCompile(`(?m),,([^,\n]*)$`)

// Configurations in forms that guides and generators print come out as they were read, every value of QoS. The chip
// is before the name of a file.
func TestFormsOfOthers(t *testing.T) {
	archive := must.Get(txtar.ParseFile("testdata/others.txtar"))(t)
	c := catalogue(t)
	for _, f := range archive.Files {
		t.Run(f.Name, func(t *testing.T) {
			chip, ok := c.Find(filepath.Dir(f.Name))
			if !ok {
				t.Fatal("no such chip")
			}
			file := verify.Text(f.Name, f.Data)
			shapes := gather(t, []verify.File{file})
			r := adopt.Import(shapes, adopt.Options{Name: "imported", Catalogue: c, Targets: target.All(), Chips: []adopt.Choice{{Chip: chip}}})
			r.Cables = openLength.ReplaceAll(r.Cables, []byte(",3,$1"))
			if own := count(t, c, r, shapes); own.compiled != 1 || own.equal != own.values {
				_, found := loaded(t, c, r)
				for _, d := range append(r.Found, found...) {
					t.Log(d.Severity, d.Code, d.Message)
				}
				t.Errorf("%s\n%s", own, r.HCL)
			}
		})
	}
}

// A difference that several priority groups share names them by their numbers.
func TestDifferenceOfTwoGroups(t *testing.T) {
	const text = `nv set interface swp1-4 link speed 400G
nv set qos mapping default-global trust l3
nv set qos pfc default-global switch-priority 3,5
nv set qos pfc default-global port-buffer 200000
nv set qos pfc default-global xoff-threshold 20000
nv set qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha alpha_0
`
	c := catalogue(t)
	chip, _ := c.Find("spectrum4")
	r := adopt.Import(gather(t, []verify.File{verify.Text("leaf1/nvue.sh", []byte(text))}), adopt.Options{Name: "imported", Catalogue: c, Targets: target.All(), Chips: []adopt.Choice{{Chip: chip}}})
	for _, d := range r.Found {
		if d.Code == adopt.Differs && strings.HasPrefix(d.Message, "PG 3, 5 limit on swp[1..4] is 0B") {
			return
		}
	}
	t.Errorf("no difference of PG 3, 5: %v", r.Found)
}

// Each difference has its reason, also one of a value that compile refuses, of queues that NVUE names for the whole switch and of
// a class that no classifier names.
func TestReasonsOfOthers(t *testing.T) {
	c := catalogue(t)
	for _, f := range []struct{ name, chip, text, want string }{
		{"config_db.json", "tomahawk", `{"DEVICE_METADATA": {"localhost": {"hostname": "a"}}, "PORT": {"Ethernet0": {"speed": "100000", "lanes": "1,2,3,4"}}, "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}},
 "BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress", "mode": "static", "size": "139458560"}, "ingress_lossy_pool": {"type": "ingress", "mode": "dynamic", "size": "139458560"}}}`, "compile refuses the value of the file: size of ingress_lossless_pool is 139458560B"},
		{"leaf/nvue.sh", "spectrum3", "nv set interface swp1-2 link speed 100G\nnv set qos mapping default-global trust l3\nnv set qos pfc default-global switch-priority 3,5\nnv set qos pfc default-global port-buffer 100000\nnv set qos pfc default-global xoff-threshold 30000\nnv set qos egress-scheduler list2 traffic-class 3,5,6 bw-percent 30\nnv set interface swp1 qos egress-scheduler profile list2\n", "thresholds of queues are for the whole switch"},
		{"leaf.cli", "tomahawk4", "set / interface ethernet-1/1 ethernet port-speed 400G\nset / qos queues queue r queue-index 3\nset / qos forwarding-classes forwarding-class r forwarding-class-index 3\nset / qos forwarding-classes forwarding-class r output unicast-queue r\nset / qos classifiers dscp-policy p dscp 26 forwarding-class r\nset / qos interfaces interface ethernet-1/1.0 interface-ref interface ethernet-1/1\nset / qos interfaces interface ethernet-1/1.0 interface-ref subinterface 0\nset / qos interfaces interface ethernet-1/1.0 input classifiers dscp-policy p\n", "SR Linux puts them into fc0"},
	} {
		chip, _ := c.Find(f.chip)
		r := adopt.Import(gather(t, []verify.File{verify.Text(f.name, []byte(f.text))}), adopt.Options{Name: "imported", Catalogue: c, Targets: target.All(), Chips: []adopt.Choice{{Chip: chip}}})
		found := false
		for _, d := range r.Found {
			found = found || strings.Contains(d.Fix, f.want)
			if strings.HasPrefix(d.Fix, "keep the value of compile") {
				t.Errorf("%s: no reason for %s", f.name, d.Message)
			}
		}
		if !found {
			t.Errorf("%s: no difference has the reason %q: %v", f.name, f.want, r.Found)
		}
	}
}
