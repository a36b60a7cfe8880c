package main

import (
	"fmt"

	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/model/adversary"
	"github.com/roceplan/roceplan/units"
)

type replayCmd struct {
	File string `arg:"" help:"Counterexample that verify --counterexample wrote."`
}

func (replayCmd) Help() string {
	return `Replays a counterexample, packet by packet, and shows the loss: port, packet, and counter with its value.

    roceplan verify config_db.json --chip th5 --counterexample lost.json
    roceplan replay lost.json

Exit codes: 0 the loss is as recorded; 1 it is not, or a packet breaks a rule of senders; 2 the file could not be read.`
}

// Run plays and prints the timeline.
func (c replayCmd) Run(t *terminal) error {
	text, err := regular.Read(c.File)
	if err != nil {
		return err
	}
	if _, err := adversary.ReadCounterexample(text); err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	played, wrong := adversary.Replay(text)
	switch {
	case t.json:
		err = t.printJSON(newJSONReplay(played, wrong))
	case played != nil && played.Loss != nil:
		err = played.Write(t.out)
	}
	if wrong != nil && err == nil {
		if !t.json {
			t.linef("%s: %v", c.File, wrong)
		}
		err = errFindings
	}
	return err
}

// A jsonReplay is the output of replay --json.
type jsonReplay struct {
	Loss     *adversary.Loss `json:"loss"`
	Timeline []jsonLine      `json:"timeline"`
	Problem  string          `json:"problem,omitempty"`
}

type jsonLine struct {
	At    units.Time `json:"at_ps"`
	Text  string     `json:"text"`
	State string     `json:"state"`
	Event string     `json:"event,omitempty"`
}

func newJSONReplay(played *adversary.Replayed, wrong error) jsonReplay {
	r := jsonReplay{Timeline: []jsonLine{}}
	if wrong != nil {
		r.Problem = wrong.Error()
	}
	if played == nil {
		return r
	}
	r.Loss = played.Loss
	for _, l := range played.Lines {
		r.Timeline = append(r.Timeline, jsonLine{l.At, l.Text, l.State, l.Event})
	}
	return r
}
