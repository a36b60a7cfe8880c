package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/explain"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

type calcHeadroomCmd struct {
	chipFlags
	Speed         *units.BitRate `placeholder:"RATE" help:"Rate of the port, \"100Gbps\"."`
	Cable         *units.Length  `placeholder:"LENGTH" help:"Length of the cable, \"40m\"."`
	PortMTU       *units.Bytes   `name:"port-mtu" placeholder:"BYTES" help:"Largest frame of the port (default: 9216B; for a vendor's method 9100B)."`
	LosslessMTU   *units.Bytes   `name:"lossless-mtu" placeholder:"BYTES" help:"Largest frame of the lossless class (default: that of the port; for a vendor's method 1024B)."`
	SmallPackets  *units.Ratio   `placeholder:"SHARE" help:"Share of packets of the smallest size (default: the share that fills cells fastest; for a vendor's method 50%)."`
	Gearbox       *units.Time    `placeholder:"TIME" help:"One passage through an external gearbox (default: none)."`
	Lanes         *int           `placeholder:"N" help:"Serdes lanes of the port (default: 4)."`
	OverSubscribe *int           `placeholder:"RATIO" help:"Ratio by which priority groups share a headroom pool (default: no sharing)."`
	PeerResponse  *units.Time    `placeholder:"TIME" help:"Time from a pause frame to silence, if known."`
	Method        string         `placeholder:"NAME" help:"Formula (default: compile's, the worst case and at least the vendor's figure)."`
	Table         string         `placeholder:"FILE" help:"Vendor's table of method table, as pg_profile_lookup.ini of SONiC."`
	Interpolate   bool           `help:"Interpolate between two rows of the table, rounded up to cells."`
	Compare       bool           `help:"Answer by every method that the chip's constants allow, side by side."`
	Batch         string         `placeholder:"FILE.csv" help:"Answer every row of a CSV file; - is standard input."`
}

func (calcHeadroomCmd) Help() string {
	return `One question, with the derivation of the answer:

    roceplan calc headroom --chip spectrum-3 --speed 100Gbps --cable 40m

Without --method the answer is compile's, followed by the figure of every other formula.

All formulas that apply, as a table:

    roceplan calc headroom --chip td3 --speed 25Gbps --cable 15m --compare

A vendor's table, and the difference of a formula from it:

    roceplan calc headroom --chip td3 --speed 100Gbps --cable 40m --method table --table pg_profile_lookup.ini
    roceplan calc headroom --chip td3 --speed 100Gbps --cable 100m --table pg_profile_lookup.ini --interpolate --compare

Many questions in a CSV file. The header names the inputs: chip, speed, cable, port_mtu, lossless_mtu, small_packets, gearbox, lanes, over_subscribe, method. Values without a unit are Mb/s, m, B, % or ns. The answer is the same rows with xon_bytes, xoff_bytes, size_bytes, headroom_cells and error; the exit code is 1 if any row has an error:

    roceplan calc headroom --batch questions.csv >answers.csv`
}

// Run answers one question, or a file of them.
func (c calcHeadroomCmd) Run(t *terminal) error {
	if err := c.checkTable(); err != nil {
		return err
	}
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
	table, sources, err := c.table(t, chip)
	if err != nil {
		return err
	}
	if c.Compare {
		return compareHeadroom(t, c.comparisons(chip, table))
	}
	if table == nil && c.Method == "" {
		return c.asCompiled(t, chip)
	}
	method := table
	if method == nil {
		if method, err = headroom.For(chip, c.Method); err != nil {
			return misuse{err}
		}
	}
	result, why, err := method.Explain(c.input())
	if err != nil {
		return misuse{err}
	}
	return c.answer(t, chip, sources, method, result, why)
}

// tableMethod is the name of the method that needs a file.
const tableMethod = "table"

// checkTable checks the flags of a table against each other.
func (c calcHeadroomCmd) checkTable() error {
	switch {
	case c.Method == tableMethod && c.Table == "":
		return misusef("--method table needs the file: --table pg_profile_lookup.ini")
	case c.Table != "" && c.Method != "" && c.Method != tableMethod:
		return misusef("--table goes with --method table, but --method is %s; --compare shows both", c.Method)
	case c.Interpolate && c.Table == "":
		return misusef("--interpolate needs --table")
	case c.Table != "" && c.Batch != "":
		return misusef("--batch answers by formulas; a table answers one question at a time")
	}
	return nil
}

// table reads the table and binds it to the chip; nil where none is given. Faults are reported at
// its lines.
func (c calcHeadroomCmd) table(t *terminal, chip *chips.Chip) (headroom.Method, diag.Sources, error) {
	if c.Table == "" {
		return nil, nil, nil
	}
	text, err := regular.Read(c.Table)
	if err != nil {
		return nil, nil, err
	}
	sources := diag.Sources{c.Table: text}
	table, found := headroom.ParseTable(c.Table, text)
	if found.HasErrors() && t.json {
		return nil, nil, failWith(t, found)
	}
	if err := t.report(found, sources); err != nil {
		return nil, nil, err
	}
	if found.HasErrors() {
		return nil, nil, errFindings
	}
	method, err := table.Method(chip, c.Interpolate)
	if err != nil {
		return nil, nil, misuse{err}
	}
	return method, sources, nil
}

// comparisons returns the answers of all formulas, and of the table where there is one.
func (c calcHeadroomCmd) comparisons(chip *chips.Chip, table headroom.Method) []headroom.Comparison {
	all := headroom.Compare(chip, c.input())
	if table != nil {
		result, err := table.Compute(c.input())
		all = append(all, headroom.Comparison{Method: table.Name(), Source: table.Source(), Result: result, Err: err})
	}
	return all
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

// asCompiled answers with the headroom of a port of a fabric that says no more than the flags.
func (c calcHeadroomCmd) asCompiled(t *terminal, chip *chips.Chip) error {
	asked := c.question()
	catalogue, err := c.catalogue(t)
	if err != nil {
		return err
	}
	p, faults := asked.planned(catalogue)
	method, err := headroom.Compiled(chip)
	if err != nil {
		return misuse{err}
	}
	if i := slices.IndexFunc(faults, func(d diag.Diagnostic) bool { return d.Code != calc.BufferExceeded }); i >= 0 {
		if !strings.HasPrefix(faults[i].Message, "--chip ") {
			return misusef("%s", faults[i].Message)
		}
		return c.withoutBuffer(t, chip, method) // the catalogue knows too little of its pools
	}
	pgs := p.Switches[0].Ports[0].QoS.PGs
	pg := pgs[slices.IndexFunc(pgs, func(pg plan.PG) bool { return pg.Lossless })]
	r := headroom.Result{XOff: pg.Headroom.Value, XOn: pg.XOn.Value, Size: pg.Reserved.Value, Cells: pg.Headroom.Value.CeilCells(chip.CellSize.Or(1))}
	return c.tell(t, chip, asked, method, r, headroom.Derivation{XOff: pg.Headroom.Why, XOn: pg.XOn.Why, Size: pg.Reserved.Why})
}

// withoutBuffer answers for a chip whose buffer cannot be planned.
func (c calcHeadroomCmd) withoutBuffer(t *terminal, chip *chips.Chip, method headroom.Method) error {
	in := c.input()
	if c.PortMTU == nil {
		in.PortMTU = headroom.UsualFrame
	}
	if c.LosslessMTU == nil {
		in.LosslessMTU = in.PortMTU
	}
	in.Frame, in.MixDeclared = in.LosslessMTU, c.SmallPackets != nil
	r, why, err := method.Explain(in)
	if err != nil {
		return misuse{err}
	}
	return c.answer(t, chip, nil, method, r, why)
}

// question returns a fabric of two such ports.
func (c calcHeadroomCmd) question() *question {
	q := newQuestion()
	q.add(`fabric "question" {`)
	given(q, "mtu", "--port-mtu", c.PortMTU)
	given(q, "lossless_frame", "--lossless-mtu", c.LosslessMTU)
	given(q, "small_packets", "--small-packets", c.SmallPackets)
	if c.OverSubscribe != nil {
		q.given("headroom_sharing", "--over-subscribe", fmt.Sprintf("%d:1", *c.OverSubscribe))
	}
	q.add("}\ntraffic_class \"rdma\" {\n  dscp = rest\n  queue = 3\n  pfc = 3\n  weight = 100\n  ecn = off\n  congestion_control = none\n}")
	q.add("switch \"the-switch\" {\n  os = sonic")
	q.given("chip", "--chip", c.Chip)
	q.add("  port_group \"ports\" {\n    ports = \"port[1..2]\"")
	q.given("speed", "--speed", *c.Speed)
	q.given("cable", "--cable", *c.Cable)
	given(q, "gearbox", "--gearbox", c.Gearbox)
	given(q, "pause_response", "--peer-response", c.PeerResponse)
	if c.Lanes != nil {
		q.given("lanes", "--lanes", int64(*c.Lanes))
	}
	q.add("  }\n}")
	return q
}

// given writes an attribute if its flag is there.
func given[T any](q *question, attribute, flag string, value *T) {
	if value != nil {
		q.given(attribute, flag, *value)
	}
}

// headroomAnswer is one answer as --json prints it. Amounts are bytes.
type headroomAnswer struct {
	Chip   string               `json:"chip,omitempty"`
	Method string               `json:"method"`
	Own    bool                 `json:"own,omitempty"` // the chip's own method, in a comparison
	Source string               `json:"source"`
	XOff   units.Bytes          `json:"xoff_bytes"`
	XOn    units.Bytes          `json:"xon_bytes"`
	Size   units.Bytes          `json:"size_bytes"`
	Cells  units.Cells          `json:"headroom_cells"`
	Error  string               `json:"error,omitempty"`
	Why    []explain.Derivation `json:"why,omitempty"`
}

func newHeadroomAnswer(method, source string, r headroom.Result) headroomAnswer {
	return headroomAnswer{Method: method, Source: source, XOff: r.XOff, XOn: r.XOn, Size: r.Size, Cells: r.Cells}
}

func (c calcHeadroomCmd) answer(t *terminal, chip *chips.Chip, sources diag.Sources, method headroom.Method, r headroom.Result, why headroom.Derivation) error {
	return c.print(t, chip, explain.New(sources), method, r, why)
}

// tell prints an answer whose reasons are the flags of a question.
func (c calcHeadroomCmd) tell(t *terminal, chip *chips.Chip, asked *question, method headroom.Method, r headroom.Result, why headroom.Derivation) error {
	e := explain.New(nil)
	e.Named = asked.flagAt
	return c.print(t, chip, e, method, r, why)
}

func (c calcHeadroomCmd) print(t *terminal, chip *chips.Chip, e explain.Explanation, method headroom.Method, r headroom.Result, why headroom.Derivation) error {
	var all []explain.Quantity
	for _, d := range []struct {
		name  string
		value plan.Derived[units.Bytes]
	}{{"xoff", plan.Of(r.XOff, why.XOff)}, {"xon", plan.Of(r.XOn, why.XOn)}, {"size", plan.Of(r.Size, why.Size)}} {
		if q, ok := explain.Of(d.name, d.value); ok {
			all = append(all, q)
		}
	}
	if t.json {
		out := newHeadroomAnswer(method.Name(), method.Source(), r)
		out.Chip, out.Why = chip.Name, e.Derivations(chip.Name, all)
		return t.printJSON(out)
	}
	t.printf("headroom %v = %v on %s, method %s: %s\n\n", r.Cells, r.XOff, chip.Name, method.Name(), method.Source())
	for _, q := range all {
		e.Write(t.out, chip.Name, q)
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
