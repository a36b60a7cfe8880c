package verify

import (
	"strings"

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
// them: those that ask for more come first. A new reader goes in here.
func Formats() []read.Format {
	return []read.Format{nvue.Format(), openconfig.Format(), srlinux.Format(), sonic.Format(), nxos.Format(), junos.Format(), eos.Format()}
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

// FormatTitles is all formats as people call them: "SONiC, EOS".
func FormatTitles() string {
	var titles []string
	for _, f := range Formats() {
		titles = append(titles, f.Title)
	}
	return strings.Join(titles, ", ")
}
