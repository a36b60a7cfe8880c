package policy_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/internal/testing/oracle"
	"github.com/roceplan/roceplan/policy"
	"github.com/roceplan/roceplan/units"
)

// one is a fabric of one class and one switch, whose blocks take more lines.
func one(class, group string) string {
	if !strings.Contains(group, "speed") && !strings.Contains(group, "breakout") {
		group += "\nspeed = \"100Gbps\""
	}
	return `
fabric "one" {}
nic "cx" { model = "connectx-7" }
traffic_class "rdma" {
  dscp   = [26]
  queue  = 3
  pfc    = 3
  weight = 50
  ` + class + `
}
switch "tor" {
  chip = "tomahawk5"
  os   = "sonic"
  port_group "p" {
    ports = "Ethernet[0..3]"
    ` + group + `
  }
}
`
}

func class(t *testing.T, line string) *policy.Class { return load(t, one(line, ""), nil).Classes[0] }
func group(t *testing.T, line string) *policy.PortGroup {
	return load(t, one("", line), nil).Switches[0].Groups[0]
}

func TestClassDefaultsFollowOtherAttributes(t *testing.T) {
	c := class(t, "")
	if c.TrafficClass.Value != 3 || c.PriorityGroup.Value != 3 || !c.Lossless.Value || c.CongestionControl.Value != "dcqcn" || c.ECN.Value != "derived" {
		t.Errorf("lossless: traffic class %d, PG %d, %s, ECN %s", c.TrafficClass.Value, c.PriorityGroup.Value, c.CongestionControl.Value, c.ECN.Value)
	}
	if c.TrafficClass.Set || c.ECN.Set || c.Alpha.Set || c.ECN.Range != c.Range {
		t.Error("what is left out is not Set, and has the place of the label")
	}
	if c := class(t, "congestion_control = timely"); c.ECN.Value != "off" {
		t.Errorf("TIMELY reads no ECN, yet ECN is %s", c.ECN.Value)
	}
}

func TestAlphaIsArithmeticOrText(t *testing.T) {
	for text, want := range map[string]units.Alpha{"1/8": -3, `"1/8"`: -3, "1": 0, "4": 2, `"1/1024"`: -10, "2 * 2": 2} {
		if got := class(t, "alpha = "+text).Alpha; !got.Set || got.Value != want {
			t.Errorf("alpha = %s gives %v, want %v", text, got.Value, want)
		}
	}
}

func TestNullIsLeftOut(t *testing.T) {
	if c := class(t, "max_rate = 1 > 2 ? \"1Gbps\" : null"); c.MaxRate.Set {
		t.Error("max_rate = null is set")
	}
	if c := class(t, "ecn = null"); c.ECN.Set || c.ECN.Value != "derived" {
		t.Error("ecn = null has lost its default")
	}
}

func TestWordsBareOrQuoted(t *testing.T) {
	for _, line := range []string{"medium = aoc", `medium = "aoc"`, "medium = true ? aoc : dac"} {
		if g := group(t, line); g.Medium.Value != "aoc" {
			t.Errorf("%s gives %q", line, g.Medium.Value)
		}
	}
}

func TestPorts(t *testing.T) {
	g := group(t, "breakout = \"4x25G\"\n lanes = 2\n first_lane = 5\n aliases = \"etp[1..4]\"")
	if g.Speed.Value != 25*units.Gbps || !g.Speed.Set {
		t.Errorf("speed of 4x25G is %v", g.Speed.Value)
	}
	must.NoDiffIn(t, cmp.Diff([][]int{{5, 6}, {7, 8}, {9, 10}, {11, 12}}, g.Lanes), "lanes (-want +got):")
	if g.FanIn.Value != 3 || g.FanIn.Set || g.Trust.Value != "dscp" || !g.Lossless.Value || g.Aliases[3] != "etp4" {
		t.Errorf("defaults: fan-in %d, trust %s, lossless %v, aliases %v", g.FanIn.Value, g.Trust.Value, g.Lossless.Value, g.Aliases)
	}
}

func TestMarginIsShareOrAmount(t *testing.T) {
	for text, want := range map[string][2]string{
		`"5%"`: {"5%", ""}, `"10KiB"`: {"", "10240B"}, `["5%", "1KiB"]`: {"5%", "1024B"},
	} {
		f := load(t, "fabric \"x\" {\n headroom_margin = "+text+"\n}", nil)
		var got [2]string
		if f.HeadroomMargin.Set {
			got[0] = f.HeadroomMargin.Value.String()
		}
		if f.HeadroomMarginBytes.Set {
			got[1] = f.HeadroomMarginBytes.Value.String()
		}
		must.Equalf(t, got, want, "headroom_margin = %s gives", text)
	}
}

func TestPeers(t *testing.T) {
	if g := group(t, "peer = nic.cx"); g.PeerNIC == nil || g.PeerNIC.CNPInterval.Value != 4*units.Microsecond || g.PeerNIC.CNPPFC.Value != 6 {
		t.Errorf("peer %+v, want the ConnectX-7 with its defaults", g.PeerNIC)
	}
	// by label, and by a conditional
	for _, line := range []string{`peer = switch["tor"]`, "peer = switch.tor", "peer = 1 > 2 ? switch.tor : switch.tor"} {
		if g := group(t, line); g.PeerSwitch == nil || g.PeerSwitch.Names[0] != "tor" {
			t.Errorf("%s finds no switch", line)
		}
	}
}

// References are values: a local can hold one, and a conditional choose.
func TestReferencesAreValues(t *testing.T) {
	f := load(t, one("", "peer = local.card")+"nic \"old\" { model = \"connectx-4\" }\nlocals {\n  card = 1 > 2 ? nic.cx : nic.old\n}\n", nil)
	if n := f.Switches[0].Groups[0].PeerNIC; n == nil || n.Name != "old" {
		t.Errorf("peer %v, want nic.old", n)
	}
}

func TestNICUsesLosslessClasses(t *testing.T) {
	f := load(t, one("", ""), nil)
	if n := f.NICs[0]; len(n.Classes) != 1 || n.Classes[0] != f.Classes[0] || n.MTU.Value != 9216 {
		t.Errorf("classes %v, mtu %v", n.Classes, n.MTU.Value)
	}
}

func TestRepeatedSwitches(t *testing.T) {
	sw := func(lines string) string {
		return "fabric \"x\" {}\nswitch \"leaf\" {\n" + lines + `
  chip = "tomahawk5"
  os   = sonic
  port_group "p" {
    ports = "Ethernet0"
    speed = "100Gbps"
  }
}`
	}
	for lines, want := range map[string]string{
		"":                                 "leaf",
		"count = 3":                        "leaf-0 leaf-1 leaf-2",
		"for_each = toset([\"b\", \"a\"])": "a b",
		"count = 2\n name = \"pod${count.index + 1}-leaf-[01..02]\"": "pod1-leaf-01 pod1-leaf-02 pod2-leaf-01 pod2-leaf-02",
		"name = [\"x[1..2]\", \"y\"]":                                "x1 x2 y",
		"for_each = []":                                              "",
	} {
		var got []string
		for _, s := range load(t, sw(lines), nil).Switches {
			got = append(got, s.Names...)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q names %v, want %s", lines, got, want)
		}
	}
}

// The wiring rule of clos, link by link: two lower switches, two upper, two links per
// pair. Lower i reaches upper j from its ports 2j, 2j+1 to the ports 2i, 2i+1 there.
func TestClosWiring(t *testing.T) {
	f := load(t, closText(2, 2, 2), nil)
	var got []string
	for _, l := range f.Links {
		got = append(got, l.A.Switch+":"+l.A.Port+" "+l.B.Switch+":"+l.B.Port)
	}
	want := []string{
		"leaf-1:Ethernet1 tor-1:Ethernet1", "leaf-1:Ethernet2 tor-1:Ethernet2",
		"leaf-1:Ethernet3 tor-2:Ethernet1", "leaf-1:Ethernet4 tor-2:Ethernet2",
		"leaf-2:Ethernet1 tor-1:Ethernet3", "leaf-2:Ethernet2 tor-1:Ethernet4",
		"leaf-2:Ethernet3 tor-2:Ethernet3", "leaf-2:Ethernet4 tor-2:Ethernet4",
	}
	must.NoDiffIn(t, cmp.Diff(want, got), "links (-want +got):")
	if f.Links[0].Cable.Set || f.Switches[0].Groups[0].Cable.Set {
		t.Error("a Clos without cable gives no length")
	}
}

// A link without b says the length at a server's port.
func TestLengthsOfServerPorts(t *testing.T) {
	csv := "port,metres\nEthernet0,3\nEthernet1,5\n"
	f := load(t, one("", "peer = nic.cx\n cable = \"1m\"")+`
link {
  for_each = csvdecode(file("lengths.csv"))
  a        = "tor:${each.value.port}"
  cable    = "${each.value.metres}m"
}`, fstest.MapFS{"lengths.csv": {Data: []byte(csv)}})
	g := f.Switches[0].Groups[0]
	if g.Cables["Ethernet0"].Value != 3*units.Metre || g.Cables["Ethernet1"].Value != 5*units.Metre || len(g.Cables) != 2 || g.Cable.Value != units.Metre {
		t.Errorf("cables %v beside %v", g.Cables, g.Cable.Value)
	}
	if g.PeerNIC == nil || len(f.Links) != 0 {
		t.Errorf("the peer is %v, and there are %d links", g.PeerNIC, len(f.Links))
	}
}

func TestVariables(t *testing.T) {
	src := policy.Source{Name: "f.hcl", Text: []byte(`
variable "mtu"  { default = "1500B" }
variable "hops" {
  type    = list(string)
  default = []
}
fabric "x" {
  mtu             = var.mtu
  expected_delay  = "${length(var.hops)}us"
  tolerable_delay = "80us"
}`)}
	file := func(text string) policy.Source { return policy.Source{Name: "v.hclvars", Text: []byte(text)} }
	for _, c := range []struct {
		vars  map[string]string
		files []policy.Source
		mtu   units.Bytes
		delay units.Time
	}{
		{nil, nil, 1500, 0},
		{nil, []policy.Source{file(`mtu = "2000B"`), file(`mtu = "3000B"`)}, 3000, 0},
		{map[string]string{"mtu": "4000B", "hops": `["a", "b"]`}, []policy.Source{file(`mtu = "2000B"`)}, 4000, 2 * units.Microsecond},
	} {
		f, found := policy.Load(policy.Options{Files: []policy.Source{src}, Vars: c.vars, VarFiles: c.files})
		if len(found) > 0 {
			t.Fatal(render(found, src))
		}
		if f.MTU.Value != c.mtu || f.ExpectedDelay.Value != c.delay {
			t.Errorf("%v %v: mtu %v, delay %v", c.vars, c.files, f.MTU.Value, f.ExpectedDelay.Value)
		}
	}
}

// A symbolic link that leads out of the folder is refused by os.Root.
func TestSymbolicLinkOutOfTheFolder(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(dir, "fabric")
	must.Do(t, os.Mkdir(inside, 0o755))
	must.Do(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o644))
	if err := os.Symlink("../secret", filepath.Join(inside, "link")); err != nil {
		oracle.Missing(t, "no symbolic links here: "+err.Error())
	}
	root := must.Get(os.OpenRoot(inside))(t)
	defer root.Close()
	src := policy.Source{Name: "f.hcl", Text: []byte("fabric \"x\" {}\nlocals {\n a = file(\"link\")\n}")}
	_, found := policy.Load(policy.Options{Files: []policy.Source{src}, Root: root.FS()})
	if len(found) != 1 || found[0].Code != policy.FileOutside {
		t.Errorf("want file-outside, got:\n%s", render(found, src))
	}
}

// Inventories come out of spreadsheets, with a byte order mark and CRLF.
func TestSpreadsheetExports(t *testing.T) {
	f := load(t, one("", "")+`
link {
  for_each = csvdecode(file("a/cables.csv"))
  a        = "tor:${each.value.port}"
  cable    = each.value.cable
}`, fstest.MapFS{"a/cables.csv": {Data: []byte("\xef\xbb\xbfport,cable\r\nEthernet0,3m\r\n")}})
	must.Equalf(t, f.Switches[0].Groups[0].Cables["Ethernet0"].Value, 3*units.Metre, "cable")
}

func TestFileNeedsAFolder(t *testing.T) {
	src := policy.Source{Name: "f.hcl", Text: []byte("fabric \"x\" {}\nlocals {\n a = file(\"b\")\n}")}
	_, found := policy.Load(policy.Options{Files: []policy.Source{src}})
	if len(found) != 1 || found[0].Code != policy.FileUnreadable {
		t.Errorf("want file-unreadable, got:\n%s", render(found, src))
	}
}

func TestFormat(t *testing.T) {
	src := policy.Source{Name: "f.hcl", Text: []byte("fabric \"x\" {\nmtu=\"9216B\"\n  expected_delay = \"1us\" # note\n}\n")}
	got, found := policy.Format(src)
	want := "fabric \"x\" {\n  mtu            = \"9216B\"\n  expected_delay = \"1us\" # note\n}\n"
	if len(found) > 0 || string(got) != want {
		t.Errorf("formatted:\n%s%s", got, render(found, src))
	}
	bad := policy.Source{Name: "f.hcl", Text: []byte("fabric {")}
	if got, found := policy.Format(bad); !found.HasErrors() || string(got) != "fabric {" {
		t.Errorf("a file that does not parse: %q, %d findings", got, len(found))
	}
}

// Findings come sorted by file and place, whatever order HCL found them in.
func TestFindingsAreSorted(t *testing.T) {
	src := policy.Source{Name: "f.hcl", Text: []byte("fabric \"x\" {\n a = 1\n b = 2\n c = 3\n d = 4\n}\n")}
	for range 20 {
		_, found := policy.Load(policy.Options{Files: []policy.Source{src}})
		var lines []int
		for _, d := range found {
			lines = append(lines, d.Subject.Start.Line)
		}
		if !slices.Equal(lines, []int{2, 3, 4, 5}) {
			t.Fatalf("lines %v, want 2 3 4 5", lines)
		}
	}
}
