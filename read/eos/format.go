package eos

import (
	"bytes"
	"regexp"

	row "github.com/roceplan/roceplan/format/eos"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/read/cli"
	"github.com/roceplan/roceplan/units"
)

// Format is a running-config of Arista EOS.
func Format() read.Format {
	// Lines at the left margin that running-configs and fragments of them begin with.
	line := regexp.MustCompile(`(?m)^(no |default )?(! (Command|device|boot system|EOS)|(hostname|interface|qos|priority-flow-control|platform|policy-map|class-map|` +
		`hardware|ip|ipv6|vlan|router|spanning-tree|service|transceiver|queue-monitor|logging|aaa|username|ntp|snmp-server|management|daemon|vrf|end)\b)`)
	t := cli.NewTable(rules())
	return read.Format{
		Name: "eos", Title: "EOS", Files: []string{"eos.cfg", "running-config", "startup-config"},
		Shows: "the first line of `show running-config` names the box",
		Alike: true, Recognize: func(head []byte) []byte {
			if at := line.FindIndex(head); at != nil {
				return read.LineWith(head, at[0])
			}
			return nil
		},
		Device: device,
		Cells:  true,
		Read: func(name string, text []byte, o read.Options) read.Result {
			return readAll(name, text, o.Cell, t)
		},
		OwnPools: true, Frame: units.Bytes(row.Of(row.MTU).Default()),
		Defaults: "EOS has defaults of its own for each platform, which are not published; on Trident and Tomahawk, lines of platform trident mmu queue profile would say them",
		Neutral:  cli.Neutral(rules()),
	}
}

// device finds the line that says the hostname.
func device(text []byte) (name string, at int) {
	key := []byte("hostname ")
	if !bytes.HasPrefix(text, key) {
		key = []byte("\nhostname ")
	}
	i := bytes.Index(text, key)
	if i < 0 {
		return "", 0
	}
	at = i + len(key)
	line, _, _ := bytes.Cut(text[at:min(len(text), at+256)], []byte("\n"))
	host := bytes.TrimLeft(line, " \t")
	return string(bytes.TrimRight(host, " \t\r")), at + len(line) - len(host)
}
