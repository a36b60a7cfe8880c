package chips_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// Lines of the port_config.ini, where the HwSKU has the port as it is used, else ports of
// the platform.json, that sonic-buildimage has for each platform: name, lanes, label, index. Speed and parts are what the line implies.
var portLines = []struct {
	platform, hwsku string
	use             chips.Use
	lines           string
}{
	{"x86_64-mlnx_msn2700-r0", "", chips.Use{Speed: 100 * units.Gbps}, `
		Ethernet0 0,1,2,3 etp1 1
		Ethernet92 92,93,94,95 etp24 24
		Ethernet124 124,125,126,127 etp32 32`},
	{"x86_64-mlnx_msn3700-r0", "", chips.Use{Ports: 4, Speed: 50 * units.Gbps}, `
		Ethernet0 0 etp1a 1
		Ethernet1 1 etp1b 1
		Ethernet127 127 etp32d 32`},
	{"x86_64-mlnx_msn4600c-r0", "", chips.Use{Speed: 100 * units.Gbps}, `
		Ethernet60 120,121,122,123 etp16 16
		Ethernet252 504,505,506,507 etp64 64`},
	{"x86_64-mlnx_msn4600c-r0", "", chips.Use{Ports: 2, Speed: 50 * units.Gbps}, `
		Ethernet62 122,123 etp16b 16`},
	{"x86_64-mlnx_msn4700-r0", "", chips.Use{Speed: 400 * units.Gbps}, `
		Ethernet8 8,9,10,11,12,13,14,15 etp2 2
		Ethernet248 248,249,250,251,252,253,254,255 etp32 32`},
	{"x86_64-mlnx_msn4700-r0", "", chips.Use{Ports: 4, Speed: 25 * units.Gbps}, `
		Ethernet0 0,1 etp1a 1
		Ethernet2 2,3 etp1b 1`}, // of 100G ports that run at 25G; 4x25G(4) comes later in the list
	{"x86_64-nvidia_sn5600-r0", "", chips.Use{Speed: 800 * units.Gbps}, `
		Ethernet0 0,1,2,3,4,5,6,7 etp1 1
		Ethernet504 504,505,506,507,508,509,510,511 etp64 64`},
	{"", "ACS-SN5600", chips.Use{Speed: 10 * units.Gbps}, `
		Ethernet512 512 etp65 65`},
	{"x86_64-nvidia_sn5600", "", chips.Use{Ports: 2, Speed: 400 * units.Gbps}, `
		Ethernet440 440,441,442,443 etp56a 56
		Ethernet444 444,445,446,447 etp56b 56`},
	{"", "DellEMC-S5232f-C32", chips.Use{Speed: 100 * units.Gbps}, `
		Ethernet0 1,2,3,4 hundredGigE1/1 1
		Ethernet64 65,66,67,68 hundredGigE1/17 17
		Ethernet124 125,126,127,128 hundredGigE1/32 32`},
	{"", "DellEMC-Z9264f-C64", chips.Use{Speed: 100 * units.Gbps}, `
		Ethernet0 49,50,51,52 hundredGigE1/1 1
		Ethernet68 129,130,131,132 hundredGigE1/18 18
		Ethernet120 197,198,199,200 hundredGigE1/31 31
		Ethernet164 9,10,11,12 hundredGigE1/42 42
		Ethernet220 253,254,255,256 hundredGigE1/56 56
		Ethernet252 205,206,207,208 hundredGigE1/64 64
		Ethernet257 259 tenGigE1/66 66`},
	{"", "DellEMC-Z9332f-O32", chips.Use{Speed: 400 * units.Gbps}, `
		Ethernet0 33,34,35,36,37,38,39,40 etp1 1
		Ethernet64 1,2,3,4,5,6,7,8 etp9 9
		Ethernet160 225,226,227,228,229,230,231,232 etp21 21
		Ethernet192 161,162,163,164,165,166,167,168 etp25 25
		Ethernet248 217,218,219,220,221,222,223,224 etp32 32
		Ethernet257 258 etp34 34`},
	{"", "Arista-7050CX3-32S-C32", chips.Use{Speed: 100 * units.Gbps}, `
		Ethernet0 1,2,3,4 Ethernet1/1 1
		Ethernet16 21,22,23,24 Ethernet5/1 5
		Ethernet68 65,66,67,68 Ethernet18/1 18
		Ethernet112 117,118,119,120 Ethernet29/1 29
		Ethernet124 125,126,127,128 Ethernet32/1 32`},
	{"x86_64-arista_7050cx3_32s", "", chips.Use{Ports: 2, Speed: 50 * units.Gbps}, `
		Ethernet18 23,24 Ethernet5/3 5`},
	{"", "Arista-7060CX-32S-C32", chips.Use{Speed: 100 * units.Gbps}, `
		Ethernet0 33,34,35,36 Ethernet1/1 1
		Ethernet92 125,126,127,128 Ethernet24/1 24
		Ethernet96 1,2,3,4 Ethernet25/1 25`},
	{"", "Arista-7260CX3-C64", chips.Use{Speed: 100 * units.Gbps}, `
		Ethernet0 77,78,79,80 Ethernet1/1 1
		Ethernet24 5,6,7,8 Ethernet7/1 7
		Ethernet84 213,214,215,216 Ethernet22/1 22
		Ethernet128 69,70,71,72 Ethernet33/1 33
		Ethernet156 1,2,3,4 Ethernet40/1 40
		Ethernet216 233,234,235,236 Ethernet55/1 55
		Ethernet252 177,178,179,180 Ethernet64/1 64
		Ethernet260 259 Ethernet66 66`},
	{"x86_64-arista_7060x6_64pe", "", chips.Use{Speed: 800 * units.Gbps}, `
		Ethernet0 17,18,19,20,21,22,23,24 etp1 1
		Ethernet24 25,26,27,28,29,30,31,32 etp4 4
		Ethernet32 57,58,59,60,61,62,63,64 etp5 5
		Ethernet64 89,90,91,92,93,94,95,96 etp9 9
		Ethernet232 233,234,235,236,237,238,239,240 etp30 30
		Ethernet256 273,274,275,276,277,278,279,280 etp33 33
		Ethernet264 257,258,259,260,261,262,263,264 etp34 34
		Ethernet288 313,314,315,316,317,318,319,320 etp37 37
		Ethernet360 361,362,363,364,365,366,367,368 etp46 46`},
	{"", "Arista-7060X6-64PE-O128S2", chips.Use{Ports: 2, Speed: 400 * units.Gbps}, `
		Ethernet4 21,22,23,24 etp1b 1
		Ethernet384 409,410,411,412 etp49a 49
		Ethernet508 501,502,503,504 etp64b 64
		Ethernet512 513 Ethernet65 65`},
	{"", "Seastone-DX010", chips.Use{Speed: 100 * units.Gbps}, `
		Ethernet0 65,66,67,68 Eth1 1
		Ethernet16 33,34,35,36 Eth5 5
		Ethernet48 81,82,83,84 Eth13 13
		Ethernet80 1,2,3,4 Eth21 21
		Ethernet108 29,30,31,32 Eth28 28
		Ethernet112 113,114,115,116 Eth29 29`},
	{"x86_64-cel_seastone-r0", "", chips.Use{Lanes: 1, Speed: 10 * units.Gbps}, `
		Ethernet19 36 Eth5/4 5`},
	{"", "Accton-AS7726-32X", chips.Use{Speed: 40 * units.Gbps}, `
		Ethernet8 9,10,11,12 hundredGigE3 3
		Ethernet124 125,126,127,128 hundredGigE32 32`},
	{"", "Accton-AS7726-32X", chips.Use{Ports: 4, Speed: 10 * units.Gbps}, `
		Ethernet35 36 Eth9/4(Port9) 9`},
	{"", "Accton-AS9716-32D", chips.Use{Speed: 400 * units.Gbps}, `
		Ethernet0 73,74,75,76,77,78,79,80 fourHundredGigE1 0
		Ethernet72 33,34,35,36,37,38,39,40 fourHundredGigE10 9
		Ethernet160 1,2,3,4,5,6,7,8 fourHundredGigE21 20
		Ethernet248 241,242,243,244,245,246,247,248 fourHundredGigE32 31`},
	{"", "Accton-AS9716-32D", chips.Use{Ports: 4, Speed: 25 * units.Gbps}, `
		Ethernet75 36 Eth10/4(Port10) 10`}, // 4x25G[10G](4): four of the eight lanes
}

func TestPlatformsHaveThePortsOfSONiC(t *testing.T) {
	c := own(t)
	tested := map[string]bool{}
	for _, want := range portLines {
		p, ok := c.Platform(want.platform, want.hwsku)
		if !ok {
			t.Errorf("no platform %q %q", want.platform, want.hwsku)
			continue
		}
		tested[p.Name] = true
		for line := range strings.Lines(strings.TrimSpace(want.lines)) {
			f := strings.Fields(line)
			use := want.use
			if strings.Count(f[1], ",") == 0 && use.Ports == 0 && use.Lanes == 0 {
				use = chips.Use{Speed: 10 * units.Gbps}
			}
			if f[0] == "Ethernet512" {
				use.Ports = 0
			}
			at, err := p.Place(f[0], use)
			lanes := strings.Trim(strings.ReplaceAll(fmt.Sprint(at.Lanes), " ", ","), "[]")
			if got := fmt.Sprint(f[0], " ", lanes, " ", at.Alias, " ", at.Index); err != nil || got != strings.Join(f, " ") {
				t.Errorf("%s: %s, %v; want %s", p.Name, got, err, strings.Join(f, " "))
			}
		}
	}
	for _, p := range c.Platforms() {
		if !tested[p.Name] {
			t.Errorf("no line of %s is tested", p.Name)
		}
	}
	if len(c.Platforms()) < 10 {
		t.Errorf("there are %d platforms", len(c.Platforms()))
	}
}

// No lane of a box belongs to two cages, and its chip is known.
func TestPlatformsAreSound(t *testing.T) {
	c := own(t)
	for _, p := range c.Platforms() {
		if _, ok := c.Find(p.Chip); !ok || len(p.Names) == 0 || len(p.HwSKUs) == 0 {
			t.Errorf("%s: chip %q, names %v, HwSKUs %v", p.Name, p.Chip, p.Names, p.HwSKUs)
		}
		owner := map[int]string{}
		for _, cages := range p.Cages {
			for i, first := range cages.FirstLanes.Or(nil) {
				for lane := first; lane < first+cages.Lanes; lane++ {
					name := fmt.Sprint(cages.Name, " ", i+1)
					if before := owner[lane]; before != "" {
						t.Errorf("%s: lane %d belongs to %s and to %s", p.Name, lane, before, name)
					}
					owner[lane] = name
				}
			}
		}
	}
}

func TestPlatformRefuses(t *testing.T) {
	p, _ := own(t).Platform("sn5600", "")
	for port, use := range map[string]chips.Use{
		"Ethernet4":   {Speed: 800 * units.Gbps}, // half of a cage that is not split
		"Ethernet520": {Speed: 10 * units.Gbps},
		"swp1":        {Speed: 800 * units.Gbps},
		"Ethernet1":   {Ports: 4, Speed: 200 * units.Gbps}, // the second port is Ethernet2
	} {
		var no *chips.NotAPort
		if _, err := p.Place(port, use); !errors.As(err, &no) {
			t.Errorf("%s of %+v: %v", port, use, err)
		}
	}
	for _, use := range []chips.Use{{Ports: 8, Speed: 100 * units.Gbps}, {Ports: 4, Speed: 400 * units.Gbps}, {Lanes: 3, Speed: 400 * units.Gbps}} {
		var no *chips.NotAMode
		if _, err := p.Place("Ethernet0", use); !errors.As(err, &no) || len(no.Known) != 3 {
			t.Errorf("%+v: %v", use, err)
		}
	}
	if port, ok := p.Called("etp2"); !ok || port != "Ethernet8" {
		t.Errorf("etp2 is %s", port)
	}
}

// A user's platform is found before roceplan's own, starts from it, and may be new.
func TestOwnPlatforms(t *testing.T) {
	const text = `
platform "sn5600" {
  extends = "sn5600"
  cages "sfp" {
    lanes       = 1
    first_port  = 512
    first_index = 65
    first_lanes {
      value      = [513]
      confidence = "measured"
      source     = "our laboratory, 2026-03"
    }
  }
}
platform "whitebox" {
  title = "White box"
  chip  = "th3"
  names = ["x86_64-white_box-r0"]
  cages "qsfp" {
    lanes      = 4
    first_port = 1
    first_lanes {
      value      = ["1..9/4", 33, "40..44/4"]
      confidence = "assumed"
      source     = "a guess"
    }
  }
}
`
	c, found := chips.Load(chips.Source{Name: "own.hcl", Text: []byte(text)})
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	sn5600, _ := c.Platform("x86_64-nvidia_sn5600-r0", "")
	sfp, err1 := sn5600.Place("Ethernet512", chips.Use{Speed: 25 * units.Gbps})
	whole, err2 := sn5600.Place("Ethernet8", chips.Use{Speed: 800 * units.Gbps})
	if err1 != nil || err2 != nil || !slices.Equal(sfp.Lanes, []int{513}) || whole.Alias != "etp2" {
		t.Errorf("%+v %v, %+v %v", sfp, err1, whole, err2)
	}
	white, ok := c.Platform("X86_64-white_box-r0", "")
	if !ok || white.Chip != "tomahawk3" || white.Cages[0].Count() != 6 {
		t.Fatalf("%+v", white)
	}
	last, err := white.Place("Ethernet21", chips.Use{Speed: 100 * units.Gbps})
	if err != nil || !slices.Equal(last.Lanes, []int{44, 45, 46, 47}) || last.Index != 6 || last.Mode != "" {
		t.Errorf("%+v %v", last, err)
	}
	if text := fmt.Sprint(len(c.Platforms())); text != fmt.Sprint(len(own(t).Platforms())+1) {
		t.Errorf("%s platforms", text)
	}
}
