package main

import (
	"strings"

	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/observe/live"
)

// A deviceFile is the content of a file of --devices.
type deviceFile struct {
	addresses []string
	// drain takes a device out of service and undrain puts it back: commands of a shell with the
	// device as $1. Empty: there are none.
	drain, undrain string
}

// readDevices reads files of devices, an address on each line: one on the command line is seen by
// everybody on the machine.
func readDevices(files []string) (d deviceFile, err error) {
	for _, name := range files {
		text, err := regular.Read(name)
		if err != nil {
			return d, err
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			line = strings.TrimSpace(line)
			key, command, set := strings.Cut(line, "=")
			command = strings.TrimSpace(command)
			switch key = strings.TrimSpace(key); {
			case line == "" || strings.HasPrefix(line, "#"):
			case set && key == "drain" && command != "":
				d.drain = command
			case set && key == "undrain" && command != "":
				d.undrain = command
			case live.IsAddress(line):
				if _, err := live.ParseAddress(line); err != nil {
					return d, misusef("%s:%d: %w", name, number, err)
				}
				d.addresses = append(d.addresses, line)
			default:
				return d, misusef("%s:%d: this is neither an address such as redis://leaf-1 nor drain = COMMAND or undrain = COMMAND", name, number)
			}
		}
	}
	if (d.drain == "") != (d.undrain == "") {
		return d, misusef("drain and undrain go together, but one of them is missing in %s", strings.Join(files, ", "))
	}
	return d, nil
}
