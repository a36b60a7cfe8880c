package counters

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/roceplan/roceplan/model/sim/fabric"
)

// A File is a part of a recording on disk.
type File struct {
	Path string // with slashes
	Text []byte
}

// timeLayout names readings: package observe/intake takes their time from it.
const timeLayout = "20060102T150405.000000Z"

// Files are a reading's: counters/DEVICE/TIME.json of a switch and of rdma's counters of a NIC,
// counters/NIC/TIME.txt of ethtool's.
func (r *Reading) Files() (files []File) {
	at := r.Time().Format(timeLayout)
	for i := range r.Switches {
		s := &r.Switches[i]
		files = append(files, File{path.Join(Folder, folder(s.Name), at+".json"), s.Dump(r)})
	}
	for i := range r.NICs {
		n := &r.NICs[i]
		files = append(files,
			File{path.Join(Folder, folder(n.Name), at+".json"), n.RDMA()}, File{path.Join(Folder, folder(n.Name), at+".txt"), n.Ethtool()})
	}
	return files
}

// Folder is the folder of the counters in a recording.
const Folder = "counters"

// folder returns a name as the name of a folder: a switch's port may hold a slash.
func folder(name string) string { return strings.NewReplacer("/", "_", "\\", "_").Replace(name) }

// Cabling are dumps of the neighbours that switches see by LLDP, in APPL_DB: lldp/SWITCH.json.
func Cabling(net *fabric.Network) (files []File) {
	type hash struct {
		Type  string            `json:"type"`
		Value map[string]string `json:"value"`
	}
	var names []string
	seen := map[string]map[string]hash{}
	for link := range net.Scenario.Links {
		for end := range 2 {
			at, peer := net.End(link, end), net.End(link, 1-end)
			if at.Switch == "" {
				continue
			}
			if seen[at.Switch] == nil {
				names, seen[at.Switch] = append(names, at.Switch), map[string]hash{}
			}
			fields := map[string]string{"lldp_rem_sys_name": peer.Switch, "lldp_rem_port_id": peer.Port, "lldp_rem_port_id_subtype": "5"}
			if peer.Switch == "" {
				fields["lldp_rem_sys_name"], fields["lldp_rem_port_id"] = net.Hosts[link].Name(), "nic"
			}
			seen[at.Switch]["LLDP_ENTRY_TABLE:"+at.Port] = hash{"hash", fields}
		}
	}
	for _, name := range names {
		text, err := json.MarshalIndent(seen[name], "", "  ")
		if err != nil {
			panic(err) // texts
		}
		files = append(files, File{path.Join("lldp", folder(name)+".json"), append(text, '\n')})
	}
	return files
}

// Truth is faults.json: what a measurement should find out.
func Truth(net *fabric.Network) File {
	faults := net.Faults
	if faults == nil {
		faults = []fabric.Injected{}
	}
	text, err := json.MarshalIndent(map[string]any{"faults": faults}, "", "  ")
	if err != nil {
		panic(err) // texts
	}
	return File{"faults.json", append(text, '\n')}
}
