package cabling

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/roceplan/roceplan/internal/posjson"
)

// ethtool reads `ethtool --json -m PORT` (ethtool 6.13, module_info.json). It names neither port
// nor device, so the file must be called after the port, "/" as "_", in a folder that is called
// after the device. Only the length of an assembly is a cable's; those by kind of fibre are how far
// the optics reach.
func (r *reader) ethtool(n *posjson.Node) {
	length := metres(text(n.Get("cable_assembly_length")))
	if length == 0 {
		length = metres(text(n.Get("length_(copper_or_active_cable)")))
	}
	if length == 0 {
		length = metres(text(n.Get("length_(copper)")))
	}
	if length == 0 {
		return
	}
	folder := path.Base(path.Dir(filepath.ToSlash(r.file)))
	port := stem(r.file)
	r.see(Sighting{A: End{Device: folder, Port: port, Also: []string{strings.ReplaceAll(port, "_", "/")}}, Cable: length, At: r.doc.At(n)})
}
