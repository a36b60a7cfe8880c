package main

import (
	"fmt"
	"io"
	"reflect"

	"github.com/alecthomas/kong"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/units"
)

// calcCmd is the formulas as a calculator, for one question or for thousands.
type calcCmd struct {
	Headroom  calcHeadroomCmd  `cmd:"" help:"Headroom of a priority group."`
	Pool      calcPoolCmd      `cmd:"" help:"Sizes of the buffer pools of a switch."`
	Threshold calcThresholdCmd `cmd:"" help:"The packet that causes the first pause, the first drop, the resume."`
	Ecn       calcECNCmd       `cmd:"" name:"ecn" help:"Kmin, Kmax and Pmax of a queue."`
}

func (calcCmd) Help() string {
	return "    roceplan calc headroom --chip trident3 --speed 100Gbps --cable 100m --method ucloud"
}

// quantityFlags teaches kong the types of package units: "100m", "9216B", "5%".
func quantityFlags() kong.Option {
	return kong.OptionFunc(func(k *kong.Kong) error {
		for _, option := range []kong.Option{
			quantityFlag(units.ParseBytes), quantityFlag(units.ParsePortSpeed), quantityFlag(units.ParseTime),
			quantityFlag(units.ParseLength), quantityFlag(units.ParseRatio), quantityFlag(units.ParseAlpha),
		} {
			if err := option.Apply(k); err != nil {
				return err
			}
		}
		return nil
	})
}

func quantityFlag[T any](parse func(string) (T, error)) kong.Option {
	return kong.TypeMapper(reflect.TypeFor[T](), kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		var text string
		if err := ctx.Scan.PopValueInto("value", &text); err != nil {
			return err
		}
		v, err := parse(text)
		if err == nil {
			target.Set(reflect.ValueOf(v))
		}
		return err
	}))
}

// chipFlags name a chip of the catalogue.
type chipFlags struct {
	Chip  string   `complete:"chip" placeholder:"NAME" help:"Chip, under any of its names; see roceplan chips."`
	Chips []string `placeholder:"DIR" sep:"none" help:"Folder with chips of your own (*.hcl); may be repeated."`
}

// find reads the catalogue and looks the chip up.
func (f chipFlags) find(t *terminal) (*chips.Chip, error) {
	if f.Chip == "" {
		return nil, misusef("--chip is missing; roceplan chips lists the names")
	}
	catalogue, err := f.catalogue(t)
	if err != nil {
		return nil, err
	}
	return findChip(catalogue, f.Chip)
}

func (f chipFlags) catalogue(t *terminal) (*chips.Catalogue, error) {
	return chipsCmd{Chips: f.Chips}.catalogue(t)
}

// openBatch opens the questions of --batch; - is standard input.
func openBatch(t *terminal, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(t.in), nil
	}
	return regular.Open(name)
}

// batch answers a file of questions. Rows without an answer say why themselves; here
// they decide the exit code.
func (f chipFlags) batch(t *terminal, name string, answer func(io.Reader, io.Writer, *chips.Catalogue) (bad int, err error)) error {
	catalogue, err := f.catalogue(t)
	if err != nil {
		return err
	}
	in, err := openBatch(t, name)
	if err != nil {
		return err
	}
	defer in.Close()
	bad, err := answer(in, t.out, catalogue)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if bad > 0 {
		return errFindings
	}
	return nil
}

// setIf copies what was given on the command line over a default.
func setIf[T any](to *T, given *T) {
	if given != nil {
		*to = *given
	}
}
