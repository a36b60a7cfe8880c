package main

import (
	"io"

	"github.com/roceplan/roceplan/calc/formulas"
	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

type calcHeadroomCmd struct {
	chipFlags
	Speed         *units.BitRate `placeholder:"RATE" help:"Rate of the port, \"100Gbps\"."`
	Cable         *units.Length  `placeholder:"LENGTH" help:"Length of the cable, \"40m\"."`
	PortMTU       *units.Bytes   `name:"port-mtu" placeholder:"BYTES" help:"Largest frame of the port (default: 9100B)."`
	LosslessMTU   *units.Bytes   `name:"lossless-mtu" placeholder:"BYTES" help:"Largest frame of the lossless class (default: 1024B)."`
	SmallPackets  *units.Ratio   `placeholder:"SHARE" help:"Share of packets of the smallest size (default: 50%)."`
	Gearbox       *units.Time    `placeholder:"TIME" help:"One passage through an external gearbox (default: none)."`
	Lanes         *int           `placeholder:"N" help:"Serdes lanes of the port (default: 4)."`
	OverSubscribe *int           `placeholder:"RATIO" help:"Ratio by which priority groups share a headroom pool (default: they do not)."`
	PeerResponse  *units.Time    `placeholder:"TIME" help:"Time from a pause frame to silence, where it is known."`
	Method        string         `placeholder:"NAME" help:"Formula (default: the chip's own)."`
	Compare       bool           `help:"Answer by every method that the chip's constants allow, side by side."`
	Batch         string         `placeholder:"FILE.csv" help:"Answer every row of a CSV file; - is standard input."`
}

func (calcHeadroomCmd) Help() string {
	return `One question, with the derivation of the answer:

    roceplan calc headroom --chip spectrum-3 --speed 100Gbps --cable 40m

Every formula that applies, side by side:

    roceplan calc headroom --chip td3 --speed 25Gbps --cable 15m --compare

Thousands. The header names the inputs: chip, speed, cable, port_mtu, lossless_mtu, small_packets, gearbox, lanes, over_subscribe, method. Values may leave their unit out, and are then Mb/s, m, B, % or ns. The answer is the same rows with xon_bytes, xoff_bytes, size_bytes, headroom_cells and error; the exit code is 1 if any row has an error:

    roceplan calc headroom --batch questions.csv >answers.csv`
}

// Run answers one question, or a file of them.
func (c calcHeadroomCmd) Run(t *terminal) error {
	if c.Batch != "" {
		return c.batch(t, c.Batch, func(r io.Reader, w io.Writer, catalogue *chips.Catalogue) (int, error) {
			return headroom.Batch(r, w, catalogue)
		})
	}
	chip, err := c.find(t)
	if err != nil {
		return err
	}
	if c.Speed == nil || c.Cable == nil {
		return misusef("--speed and --cable are needed; see roceplan calc headroom --help")
	}
	if c.Compare {
		return compareHeadroom(t, headroom.Compare(chip, c.input()))
	}
	method, err := headroom.For(chip, c.Method)
	if err != nil {
		return misuse{err}
	}
	result, why, err := method.Explain(c.input())
	if err != nil {
		return misuse{err}
	}
	return c.answer(t, chip, method, result, why)
}

func (c calcHeadroomCmd) input() headroom.Input {
	in := headroom.Defaults()
	in.Speed, in.Cable = *c.Speed, *c.Cable
	setIf(&in.PortMTU, c.PortMTU)
	setIf(&in.LosslessMTU, c.LosslessMTU)
	setIf(&in.SmallPackets, c.SmallPackets)
	setIf(&in.Gearbox, c.Gearbox)
	setIf(&in.Lanes, c.Lanes)
	setIf(&in.OverSubscribe, c.OverSubscribe)
	setIf(&in.PeerResponse, c.PeerResponse)
	return in
}

// headroomAnswer is one answer as --json prints it. Amounts are bytes.
type headroomAnswer struct {
	Chip   string         `json:"chip,omitempty"`
	Method string         `json:"method"`
	Own    bool           `json:"own,omitempty"` // the chip's own method, in a comparison
	Source string         `json:"source"`
	XOff   units.Bytes    `json:"xoff_bytes"`
	XOn    units.Bytes    `json:"xon_bytes"`
	Size   units.Bytes    `json:"size_bytes"`
	Cells  units.Cells    `json:"headroom_cells"`
	Error  string         `json:"error,omitempty"`
	Why    []jsonQuantity `json:"why,omitempty"`
}

func newHeadroomAnswer(method, source string, r headroom.Result) headroomAnswer {
	return headroomAnswer{Method: method, Source: source, XOff: r.XOff, XOn: r.XOn, Size: r.Size, Cells: r.Cells}
}

func (c calcHeadroomCmd) answer(t *terminal, chip *chips.Chip, method headroom.Method, r headroom.Result, why headroom.Derivation) error {
	var all quantities
	addDerived(&all, "", "xoff", plan.Of(r.XOff, why.XOff))
	addDerived(&all, "", "xon", plan.Of(r.XOn, why.XOn))
	addDerived(&all, "", "size", plan.Of(r.Size, why.Size))
	e := explanation{book: formulas.Load()}
	if t.json {
		out := newHeadroomAnswer(method.Name(), method.Source(), r)
		out.Chip, out.Why = chip.Name, e.json(nil, chip.Name, all.list).Quantities
		return t.printJSON(out)
	}
	t.printf("headroom %v = %v on %s, method %s: %s\n\n", r.Cells, r.XOff, chip.Name, method.Name(), method.Source())
	for _, q := range all.list {
		e.print(t, chip.Name, q)
	}
	return nil
}

func compareHeadroom(t *terminal, all []headroom.Comparison) error {
	answers := make([]headroomAnswer, len(all))
	for i, a := range all {
		answers[i] = newHeadroomAnswer(a.Method, a.Source, a.Result)
		answers[i].Own = a.Own
		if a.Err != nil {
			answers[i].Error = a.Err.Error()
		}
	}
	if t.json {
		return t.printJSON(answers)
	}
	var rows table
	rows.add("METHOD", "HEADROOM", "", "XON", "SIZE", "SOURCE")
	for _, a := range answers {
		name := a.Method
		if a.Own {
			name += " (the chip's)"
		}
		if a.Error != "" {
			rows.add(name, "-", "-", "-", "-", a.Error)
			continue
		}
		rows.add(name, a.Cells.String(), a.XOff.String(), a.XOn.String(), a.Size.String(), a.Source)
	}
	t.printf("%s", rows)
	return nil
}
