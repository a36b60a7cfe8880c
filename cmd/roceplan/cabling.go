package main

import (
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/roceplan/roceplan/cabling"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/observe/intake"
	"github.com/roceplan/roceplan/verify"
)

type cablingCmd struct {
	Fabric string   `arg:"" help:"Fabric file or folder."`
	Paths  []string `arg:"" name:"lldp" help:"Files or folders with LLDP, inventories and transceivers; - is standard input."`
	sourceFlags
}

func (cablingCmd) Help() string {
	return `Compares installed cables with those of the fabric. It finds swapped ends, missing cables, wrong peers, servers at the leaf of another rail, ports at another speed, and cables that are too long for their headroom.

    roceplan cabling fabric.hcl lldp/

It recognizes these formats by their content:

    SONiC          show lldp table; sonic-db-dump of APPL_DB (LLDP_ENTRY_TABLE) and STATE_DB (TRANSCEIVER_INFO)
    lldpd          lldpctl, also with -f json or json0
    Arista EOS     show lldp neighbors, also with detail and | json
    NX-OS          show lldp neighbors, also detail
    Junos          show lldp neighbors, also with | display json
    SR Linux       show system lldp neighbor
    Cumulus Linux  nv show interface lldp
    gNMI, REST     LLDP in OpenConfig's or Nokia's model as JSON, also as gnmic prints it
    ethtool        ethtool --json -m PORT
    inventories    NetBox's cables as CSV or REST JSON, containerlab topologies, DOT, CSV with switch,port,far,metres,speed

LLDP output does not name its own device: name the file after it, leaf-1.json, or its folder, leaf-1/lldp.json. Name a file of ethtool after the port, leaf-1/swp1.json. Switches without a file are seen by their neighbours. Only copper and active cables have their length in the EEPROM; optics have their reach.

Exit codes: 0 no finding; 1 there are findings; 2 the call was wrong, or a file could not be read.`
}

// cablingReport is the result with --json.
type cablingReport struct {
	Diagnostics diag.List `json:"diagnostics"`
	Links       int       `json:"links"`
	Right       int       `json:"right"`
	Unheard     int       `json:"unheard"`
	Servers     int       `json:"servers"`
	Lengths     int       `json:"lengths"`
}

// Run plans the fabric, reads what was seen, and compares.
func (c cablingCmd) Run(t *terminal) error {
	loaded, err := c.load(t, []string{c.Fabric})
	if err != nil {
		return err
	}
	p, err := planOf(t, loaded, c.Fabric)
	if err != nil {
		return err
	}
	seen, found, err := readCabling(t, c.Paths, loaded.Sources)
	if err != nil {
		return err
	}
	if len(seen)+len(found) == 0 {
		found.Errorf(cabling.Unknown, diag.Top(c.Paths[0]), "nothing that was given has a cable or a neighbour").
			Fixf("give LLDP of devices, or an inventory: roceplan help cabling lists their formats")
	}
	r := cabling.Check(p, seen)
	found = append(found, r.Found...).Sorted()
	if err := t.tell(found, loaded.Sources); err != nil {
		return err
	}
	if t.json {
		err = t.printJSON(cablingReport{nonNil(found), r.Planned, r.Right, r.Unheard, r.Servers, r.Lengths})
	} else {
		t.printf("%d of %d links are where they belong; %d not seen; %s to servers; %s known\n", r.Right, r.Planned, r.Planned-r.Right, natural.Count(r.Servers, "port", "ports"), natural.Count(r.Lengths, "length", "lengths"))
	}
	if err == nil && len(found) > 0 {
		err = errFindings
	}
	return err
}

// readCabling reads all files that arguments name, and those below folders that are not of
// counters or configuration. Texts that findings point into go into sources.
func readCabling(t *terminal, args []string, sources diag.Sources) (all []cabling.Sighting, found diag.List, err error) {
	take := func(f verify.File, named bool) error {
		text, err := f.Read()
		if err != nil || !named && !cabling.Recognizes(text) && (intake.Recognizes(text) || verify.Recognizes(text)) {
			return err // of a folder, for other commands
		}
		seen, wrong := cabling.Read(f.Name, text)
		all, found = append(all, seen...), append(found, wrong...)
		if len(wrong) > 0 || len(text) < 1<<20 {
			sources[f.Name] = text
		}
		return nil
	}
	err = eachArgument(t, args,
		func(f verify.File) error { return take(f, true) },
		func(folder string) error {
			return dataBelow(folder, func(f verify.File) error { return take(f, false) })
		})
	return all, found, err
}

// filesBelow lists the regular files of a folder and of those below it, hidden ones left out.
func filesBelow(root string) (names []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		hidden := path != root && strings.HasPrefix(d.Name(), ".")
		switch {
		case err != nil:
			return err
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.Type().IsRegular() && !hidden:
			names = append(names, path)
		}
		return nil
	})
	return names, err
}
