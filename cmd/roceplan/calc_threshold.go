package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/calc/threshold"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/units"
)

type calcThresholdCmd struct {
	chipFlags
	PoolSize      *units.Bytes `placeholder:"BYTES" help:"Size of the ingress pool, as the chip counts it."`
	HeadroomPool  *units.Bytes `placeholder:"BYTES" help:"Size of the headroom pool (default: every priority group owns its headroom)."`
	Reserved      *units.Bytes `placeholder:"BYTES" help:"Reserve of a lossless priority group."`
	Headroom      *units.Bytes `placeholder:"BYTES" help:"Its headroom."`
	Alpha         *units.Alpha `placeholder:"A" help:"Alpha of its threshold, \"1/8\"."`
	XOnOffset     *units.Bytes `name:"xon-offset" placeholder:"BYTES" help:"Distance below its threshold at which it resumes."`
	LosslessPorts *int64       `placeholder:"N" help:"Ports with lossless priority groups, if the pool's size covers them."`
	LosslessPGs   *int64       `name:"lossless-pgs" placeholder:"N" help:"Lossless priority groups of a port (default: 2)."`
	LossyQueues   *int64       `placeholder:"N" help:"Lossy queues of a port with a reserve, if the pool's size covers them."`
	QueueReserved *units.Bytes `placeholder:"BYTES" help:"Reserve of a lossy queue (default: the chip's)."`
	QueueAlpha    *units.Alpha `placeholder:"A" help:"Alpha of a lossy queue."`
	Packet        *units.Bytes `placeholder:"BYTES" help:"Length of the packets (default: 64B)."`
	PGs           int          `name:"pgs" placeholder:"N" default:"2" help:"Priority groups that share the buffer in questions about several (default: 2)."`
	Batch         string       `placeholder:"FILE.json" help:"Answer a list of set-ups; - is standard input."`
}

func (calcThresholdCmd) Help() string {
	return `The results of a hardware test of the switch, from the buffer model packet by packet:

    roceplan calc threshold --chip td3 --pool-size 32340992B --headroom-pool 4MiB --lossless-ports 32 --lossy-queues 2 --reserved 4608B --headroom 160000B --xon-offset 4608B --alpha 1 --queue-alpha 1/2

A figure that needs a missing flag names the flag. A list of set-ups with chip, config and expect; each comes back with predict, which has the keys of expect:

    roceplan calc threshold --batch setups.json >predicted.json`
}

// Run answers one question, or a file of them.
func (c calcThresholdCmd) Run(t *terminal) error {
	if c.Batch != "" {
		return c.answerBatch(t)
	}
	if c.Chip == "" {
		return misusef("--chip is missing, or --batch; see roceplan calc threshold --help")
	}
	chip, err := c.find(t)
	if err != nil {
		return err
	}
	behaviour, err := threshold.Of(chip)
	if err != nil {
		return misuse{err}
	}
	setup := c.setup(behaviour)
	if err := cmp.Or(setup.Validate(), threshold.ValidatePGs(c.PGs)); err != nil {
		return misuse{byFlags(err)}
	}
	answers := c.ask(setup)
	if t.json {
		err = t.printJSON(answers)
	} else {
		printThresholds(t, behaviour, answers)
	}
	if err == nil && !slices.ContainsFunc(answers, func(a thresholdAnswer) bool { return a.Error == "" }) {
		err = errFindings
	}
	return err
}

func printThresholds(t *terminal, b threshold.Behaviour, answers []thresholdAnswer) {
	var rows table
	rows.add("PACKETS", "CLOSED FORM", "FIGURE")
	for _, a := range answers {
		if a.Error != "" {
			rows.add("-", "-", a.Figure+": "+a.Error)
			continue
		}
		rows.add(packets(a.Packets), packets(a.ClosedForm), a.Figure)
	}
	t.printf("%s", rows)
	if len(b.Assumed) > 0 {
		t.printf("\nassumed of %s, on which the catalogue is silent: %s\n", b.Chip, strings.Join(b.Assumed, ", "))
	}
}

// thresholdFlag returns the flag that gives an input of a set-up.
func thresholdFlag(in threshold.Input) string {
	return map[threshold.Input]string{
		threshold.PoolSize: "--pool-size", threshold.HeadroomPool: "--headroom-pool",
		threshold.LosslessPorts: "--lossless-ports", threshold.LosslessPGs: "--lossless-pgs",
		threshold.Reserved: "--reserved", threshold.Xoff: "--headroom", threshold.XonOffset: "--xon-offset", threshold.Alpha: "--alpha",
		threshold.LossyQueues: "--lossy-queues", threshold.QueueReserved: "--queue-reserved", threshold.QueueAlpha: "--queue-alpha",
		threshold.PacketBytes: "--packet", threshold.PGs: "--pgs",
	}[in]
}

// byFlags words an error about inputs with the flags that give them.
func byFlags(err error) error {
	var missing *threshold.Missing
	var wrong *threshold.OutOfRange
	switch {
	case errors.As(err, &missing):
		return errors.New(missing.Named(thresholdFlag))
	case errors.As(err, &wrong):
		return errors.New(wrong.Named(thresholdFlag))
	}
	return err
}

// packets writes one count, or several, without brackets.
func packets(v any) string { return strings.Trim(fmt.Sprint(v), "[]") }

func (c calcThresholdCmd) setup(b threshold.Behaviour) *threshold.Setup {
	s := threshold.NewSetup(b)
	s.PoolSize, s.HeadroomPool = c.PoolSize, c.HeadroomPool
	s.Reserved, s.Xoff, s.XonOffset, s.Alpha = c.Reserved, c.Headroom, c.XOnOffset, c.Alpha
	s.LosslessPorts, s.LossyQueues = c.LosslessPorts, c.LossyQueues
	s.QueueReserved, s.QueueAlpha = c.QueueReserved, c.QueueAlpha
	setIf(&s.LosslessPGs, c.LosslessPGs)
	if c.Packet != nil {
		s.PacketBytes = int64(*c.Packet)
	}
	return s
}

// thresholdAnswer is one figure in packets, by running the model and in closed form. One
// that has no answer says what it needs.
type thresholdAnswer struct {
	Figure     string `json:"figure"`
	Packets    any    `json:"packets,omitempty"`
	ClosedForm any    `json:"closed_form,omitempty"`
	Error      string `json:"error,omitempty"`
}

func (c calcThresholdCmd) ask(s *threshold.Setup) []thresholdAnswer {
	groups := natural.Count(c.PGs, "priority group", "priority groups")
	figures := []struct {
		name string
		ask  func(threshold.Figures) (any, error)
	}{
		{"packet that makes the first pause", func(f threshold.Figures) (any, error) { return f.FirstPause() }},
		{"packet that is the first to be dropped", func(f threshold.Figures) (any, error) { return f.FirstIngressDrop() }},
		{"packets from pause to drop", func(f threshold.Figures) (any, error) { return f.PauseToDrop() }},
		{"packets drained until the resume", func(f threshold.Figures) (any, error) { return f.DrainedToResume() }},
		{"packet that an empty lossy queue drops", func(f threshold.Figures) (any, error) { return f.FirstLossyEgressDrop() }},
		{"packets to each of " + groups + " at the first pause", func(f threshold.Figures) (any, error) { return f.EqualPGs(c.PGs) }},
		{"packets that pause " + groups + " one after another", func(f threshold.Figures) (any, error) { return f.Successive(c.PGs) }},
	}
	var answers []thresholdAnswer
	for _, figure := range figures {
		a := thresholdAnswer{Figure: figure.name}
		var err, errFormula error
		a.Packets, err = figure.ask(s.Run())
		a.ClosedForm, errFormula = figure.ask(s.Formula())
		if err = cmp.Or(err, errFormula); err != nil {
			a = thresholdAnswer{Figure: figure.name, Error: byFlags(err).Error()}
		}
		answers = append(answers, a)
	}
	return answers
}

// answerBatch answers a list of set-ups, and says where it could not.
func (c calcThresholdCmd) answerBatch(t *terminal) error {
	return c.batch(t, c.Batch, func(in io.Reader, out io.Writer, catalogue *chips.Catalogue) (int, error) {
		text, err := regular.Stream(in, c.Batch)
		if err != nil {
			return 0, err
		}
		answer, problems := threshold.Batch(text, catalogue)
		for _, p := range problems {
			t.errorf("%s:%v", c.Batch, p)
		}
		_, err = out.Write(answer)
		return len(problems), err
	})
}
