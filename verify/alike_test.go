package verify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/internal/testing/must"
)

// Files that differ only by the names of their devices, of any length, are of one shape; one with another byte before or
// behind the name is of another, and so is one whose name is no plain word or ends elsewhere.
func TestFilesThatAreAlike(t *testing.T) {
	text := func(name, before, behind string) string {
		return "! device: 7060\n" + before + "hostname " + name + "\n!\nplatform trident mmu queue profile roceplan\n   ingress headroom 1000\n!\n" + behind + "end\n"
	}
	var files []File
	want := map[string]string{} // the devices of each shape, by the first file
	add := func(shape, device, content string) {
		name := fmt.Sprintf("%s.cfg", strings.ReplaceAll(device, " ", "_"))
		files = append(files, Text(name, []byte(content)))
		want[shape] += device + " "
	}
	for _, device := range []string{"a", "leaf-0001", "leaf-2"} {
		add("same", device, text(device, "", ""))
	}
	add("before", "b1", text("b1", "!\n", ""))
	add("behind", "c1", text("c1", "", "no ip routing\n"))
	add("behind", "c22", text("c22", "", "no ip routing\n"))
	add("same", "two words", text("two words", "", ""))
	add("same", "zz", text("zz", "", ""))
	for round := range 4 { // whichever is read first
		shapes := must.Get(Read(files[round:], 0))(t)
		all, took := map[string]bool{}, 0
		for _, s := range shapes {
			all[strings.Join(s.Devices, " ")+" "] = true
			took += len(s.Files)
			for i, device := range s.Devices {
				must.Equalf(t, s.Files[i], strings.ReplaceAll(device, " ", "_")+".cfg", "%s has the file", device)
			}
			if at := s.shown(); !strings.Contains(string(s.Text[at.Start.Byte:at.End.Byte]), s.by.shown) || s.by.shown == "" {
				t.Errorf("%s is recognized by %q, which is %q there", s.First(), s.by.shown, s.Text[at.Start.Byte:at.End.Byte])
			}
		}
		if len(shapes) != 3 || took != len(files)-round {
			t.Errorf("shapes from file %d on: %v", round, all)
		}
		if round == 0 && !slices.Equal([]bool{all[want["same"]], all[want["before"]], all[want["behind"]]}, []bool{true, true, true}) {
			t.Errorf("shapes are %v, and should be %v", all, want)
		}
	}
}
