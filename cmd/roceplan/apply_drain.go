package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/apply"
	"github.com/roceplan/roceplan/diff"
	"github.com/roceplan/roceplan/internal/plain"
)

// drainable refuses drains that apply does not carry out, before anything is sent: of switches that take
// their whole configuration, and of all where no command drains.
func (o *rolling) drainable(d deviceFile) error {
	for _, device := range slices.Sorted(maps.Keys(o.drained)) {
		if o.wholes[device] != "" {
			return fmt.Errorf("nothing was sent: %s takes its whole configuration at once, which apply does not load: %s; roceplan diff --steps writes the file and the waves", device, o.wholes[device])
		}
	}
	if len(o.drained) > 0 && d.drain == "" {
		return fmt.Errorf("nothing was sent: %s would have to be drained, and no command does that: add lines drain = COMMAND and undrain = COMMAND to the file of --devices, with the device as $1", diff.Fold(slices.Sorted(maps.Keys(o.drained))))
	}
	return nil
}

// drainer drains by the commands of the operator, in the waves of diff --steps.
func (o *rolling) drainer(d deviceFile) *apply.Drainer {
	if d.drain == "" {
		return nil
	}
	return &apply.Drainer{
		Out: func(ctx context.Context, device string) error { return runHook(ctx, d.drain, device) },
		In:  func(ctx context.Context, device string) error { return runHook(ctx, d.undrain, device) },
		Waves: func(devices []string) (waves [][]string) {
			for _, w := range diff.Waves(o.ends[0], devices, o.keep) {
				waves = append(waves, w.Devices)
			}
			return waves
		},
	}
}

// runHook runs a command of the operator. Its exit code counts, and the end of its output says why.
func runHook(ctx context.Context, command, device string) error {
	out, err := exec.CommandContext(ctx, "/bin/sh", "-c", command, "sh", device).CombinedOutput()
	if err == nil {
		return nil
	}
	const most = 200 // bytes of the last line
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	last := lines[len(lines)-1]
	return fmt.Errorf("%s", plain.Text(strings.TrimSpace(fmt.Sprintf("%q ended with %v %s", command, err, last[:min(len(last), most)]))))
}
