package verify

import (
	"slices"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/diag"
	nvuetarget "github.com/roceplan/roceplan/emit/nvue"
	sonictarget "github.com/roceplan/roceplan/emit/sonic"
	systems "github.com/roceplan/roceplan/format/all"
	"github.com/roceplan/roceplan/format/system"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/eos"
	"github.com/roceplan/roceplan/read/junos"
	"github.com/roceplan/roceplan/read/nvue"
	"github.com/roceplan/roceplan/read/nxos"
	"github.com/roceplan/roceplan/read/openconfig"
	"github.com/roceplan/roceplan/read/sonic"
	"github.com/roceplan/roceplan/read/srlinux"
)

// Formats lists all formats that can be read, in the order in which a file is checked against
// them: those that ask for more come first. A new reader with Go code goes in here.
func Formats() []read.Format { return slices.Clone(formats()) }

// Each format compiles the expressions by which it recognizes a file.
var formats = sync.OnceValue(func() []read.Format {
	all := []read.Format{nvue.Format(), openconfig.Format(), srlinux.Format(), sonic.Format(), nxos.Format(), junos.Format(), eos.Format()}
	for _, s := range systems.OfRows() {
		all = append(all, system.Format(s))
	}
	return all
})

// uncut says which packets a file has cut that the chip of the switch does not cut, or may not.
func uncut(s *Switch) diag.List {
	switch s.shape.Format.Name {
	case "sonic":
		return sonictarget.UncutBy(s.Plan)
	case "nvue":
		return nvuetarget.UncutBy(s.Plan)
	}
	return nil
}

// FormatOf finds a format by its name, which is that of the target that writes it.
func FormatOf(name string) (read.Format, bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return read.Format{}, false
}

// Telling returns the place of a format among those by which a device may be described twice: the one
// that says most of losslessness is 0. Other formats come last.
func Telling(f read.Format) int {
	most := []string{"sonic", "eos", "nvue", "srlinux", "junos", "nxos", "openconfig"}
	if i := slices.Index(most, f.Name); i >= 0 {
		return i
	}
	return len(most)
}

// FormatTitles is all formats as people call them: "SONiC, EOS".
func FormatTitles() string {
	var titles []string
	for _, f := range Formats() {
		titles = append(titles, f.Title)
	}
	return strings.Join(titles, ", ")
}
