package nxos

import (
	"bytes"

	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
)

// Format is a running-config of Cisco NX-OS.
func Format() read.Format {
	// Lines that no other running-config has: the three types of policy, and how the system applies
	// them.
	marks := []string{"!Command: show running-config", "!RANCID-CONTENT-TYPE: cisco-nx", "switchname ", "feature ", "no feature ", "vdc ", "system qos",
		"priority-flow-control watch-dog-interval "}
	for _, kind := range []string{"network-qos", "queuing", "control-plane"} {
		marks = append(marks, "class-map type "+kind+" ", "policy-map type "+kind+" ")
	}
	table := cli.NewTable(neutralLines())
	return read.Format{
		Name: "nxos", Title: "NX-OS", Files: []string{"nxos.cfg"},
		Shows: "`show module` names the box, and Cisco does not publish the buffers of its Cloud Scale chips, so --chip has none of them",
		Alike: true, Recognize: read.ByLine(marks),
		Device: device,
		Read: func(name string, text []byte, _ read.Options) read.Result {
			return readAll(name, text, table)
		},
		// Unicast Routing, BGP: maximum-paths has the default 1, and paths have to have one AS path without multipath-relax
		OnePath:  "by maximum-paths",
		OneAS:    true,
		Frame:    defaultMTU + frameOverhead,
		Defaults: "without a queuing policy of type input, NX-OS sizes the buffer of a paused class itself, by a rule that is not published; `show queuing interface` prints the sizes, and pause buffer-size in a class of such a policy would say them",
		Neutral:  cli.Neutral(neutralLines()),
	}
}

// device finds the line that says the name.
func device(text []byte) (name string, at int) {
	for _, key := range []string{"hostname ", "switchname "} {
		i := bytes.Index(text, []byte("\n"+key)) + 1
		if i == 0 && !bytes.HasPrefix(text, []byte(key)) {
			continue
		}
		at = i + len(key)
		line, _, _ := bytes.Cut(text[at:min(len(text), at+256)], []byte("\n"))
		host := bytes.TrimLeft(line, " \t")
		return string(bytes.TrimRight(host, " \t\r")), at + len(line) - len(host)
	}
	return "", 0
}
