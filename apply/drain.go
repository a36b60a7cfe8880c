package apply

import (
	"context"
	"fmt"
)

// A Drainer takes devices out of service for changes that interrupt lossless traffic, and puts them back.
type Drainer struct {
	// Out returns when no traffic crosses a device any more, and In when it is in service again. Both are
	// called again after a run that was killed within them.
	Out, In func(ctx context.Context, device string) error
	// Waves divides devices into those that may be out of service at the same time, one wave after another.
	Waves func(devices []string) [][]string
}

// wavesOf divides the remaining works of a step: first those without a drain, the canary alone, then those
// with one.
func (x *run) wavesOf(left []Work, canary bool) (waves [][]Work) {
	var rest, drained []Work
	of := map[string]Work{}
	for _, w := range left {
		if w.Drain == "" {
			rest = append(rest, w)
			continue
		}
		of[w.Device] = w
		drained = append(drained, w)
	}
	if canary && len(rest) > 1 {
		waves, rest = append(waves, rest[:1]), rest[1:]
	}
	if len(rest) > 0 {
		waves = append(waves, rest)
	}
	if len(drained) == 0 {
		return waves
	}
	for _, devices := range x.Drainer.Waves(devicesOf(drained)) {
		var wave []Work
		for _, device := range devices {
			wave = append(wave, of[device])
		}
		waves = append(waves, wave)
	}
	return waves
}

// drain takes the devices of a wave out of service that need it.
func (x *run) drain(ctx context.Context, step string, works []Work) error {
	return each(ctx, works, func(w Work) error {
		if w.Drain == "" {
			return nil
		}
		x.say(step, w.Device, "draining: "+w.Drain)
		if err := x.Journal.Add(Entry{Event: Draining, Rollout: x.Name, Step: step, Device: w.Device, Why: w.Drain}); err != nil {
			return err
		}
		ctx, stop := context.WithTimeout(ctx, x.Work)
		defer stop()
		if err := x.Drainer.Out(ctx, w.Device); err != nil {
			return fmt.Errorf("%s: it could not be drained, and nothing was sent to it: %w", w.Device, err)
		}
		return nil
	})
}

// restore puts devices back into service that were drained, unless part of a change runs on one.
func (x *run) restore(ctx context.Context, step string, devices []string) error {
	return each(ctx, devices, func(device string) error {
		if x.Journal.drained(device) && x.unsettled(device) == nil {
			return x.inService(ctx, step, device)
		}
		return nil
	})
}

func (x *run) inService(ctx context.Context, step, device string) error {
	if x.Drainer == nil {
		return &Stop{step, device, "it is drained", "name the command that puts it back into service, and run again"}
	}
	ctx, stop := context.WithTimeout(ctx, x.Work)
	defer stop()
	if err := x.Drainer.In(ctx, device); err != nil {
		return &Stop{step, device, "it is drained, but could not be put back into service: " + err.Error(), again}
	}
	x.say(step, device, "in service again")
	return x.Journal.Add(Entry{Event: InService, Rollout: x.Name, Step: step, Device: device})
}
