package headroom

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/units"
)

// Catalogue finds chips by name or alias; *chips.Catalogue does.
type Catalogue interface {
	Find(name string) (*chips.Chip, bool)
}

// Columns that a batch may have, in any order.
var columns = [...]string{"chip", "speed", "cable", "port_mtu", "lossless_mtu", "small_packets", "gearbox", "lanes", "over_subscribe", "method"}

// answers are the columns that a batch appends.
var answers = [...]string{"xon_bytes", "xoff_bytes", "size_bytes", "headroom_cells", "error"}

// byteOrderMark precedes the header in files of spreadsheets.
const byteOrderMark = "\ufeff"

// Batch reads questions as CSV and writes them as CSV with the answers appended:
// xon_bytes, xoff_bytes, size_bytes, headroom_cells, error. The header names the
// inputs, any subset of chip, speed, cable, port_mtu, lossless_mtu, small_packets,
// gearbox, lanes, over_subscribe, method. A value may have its unit; without one it is
// in Mb/s, m, B, % or ns. An absent column or an empty value is the figure of
// [Defaults]; chip, speed and cable have no default. A row without a method has what
// `compile` computes, see [Compiled], and that has frames of 9216 B unless they are given.
//
// A row without an answer has the reason in its error and stops no other. Batch
// returns how many such rows there were; err is a fault of the header, of reading or
// of writing.
func Batch(r io.Reader, w io.Writer, cat Catalogue) (bad int, err error) {
	in := newRows(r)
	header, err := in.next()
	if err != nil {
		return 0, fmt.Errorf("no header: %w", err)
	}
	b := batch{cat: cat, bound: make(map[binding]boundMethod)}
	if b.columns, err = readHeader(header); err != nil {
		return 0, err
	}
	buffered := bufio.NewWriterSize(w, 1<<16)
	out := csv.NewWriter(buffered)
	b.record = append(slices.Clone(header), answers[:]...)
	b.record[0] = strings.TrimPrefix(b.record[0], byteOrderMark)
	for err = out.Write(b.record); err == nil; err = out.Write(b.record) {
		fields, readErr := in.next()
		if readErr != nil && !errors.As(readErr, new(rowError)) {
			out.Flush()
			err = errors.Join(out.Error(), buffered.Flush())
			if readErr != io.EOF {
				err = errors.Join(readErr, err)
			}
			return b.bad, err
		}
		b.answer(fields, readErr)
	}
	return b.bad, err
}

// batch is the state of one run.
type batch struct {
	cat     Catalogue
	columns []int // of each field, the index into columns
	bound   map[binding]boundMethod
	record  []string // the line to write: as many fields as the header, then the answers
	bad     int
}

// A binding is a chip under some name and a method; it is looked up once.
type binding struct{ chip, method string }

type boundMethod struct {
	Method
	err error
}

// readHeader returns which column each field is.
func readHeader(header []string) ([]int, error) {
	of := make([]int, len(header))
	for i, name := range header {
		name = strings.TrimSpace(strings.TrimPrefix(name, byteOrderMark))
		column := slices.Index(columns[:], name)
		if column < 0 {
			return nil, fmt.Errorf("header: there is no input %q; inputs are %s", name, list(columns[:]))
		}
		if slices.Contains(of[:i], column) {
			return nil, fmt.Errorf("header: %q occurs twice", name)
		}
		of[i] = column
	}
	return of, nil
}

// answer fills the record for one line of input.
func (b *batch) answer(fields []string, err error) {
	n := len(b.columns)
	clear(b.record)
	copy(b.record[:n], fields)
	if err == nil && len(fields) != n {
		err = fmt.Errorf("the row has %d fields, the header %d", len(fields), n)
	}
	var r Result
	if err == nil {
		r, err = b.compute(fields)
	}
	if err != nil {
		b.bad++
		b.record[n+4] = err.Error()
		return
	}
	b.record[n] = strconv.FormatInt(int64(r.XOn), 10)
	b.record[n+1] = strconv.FormatInt(int64(r.XOff), 10)
	b.record[n+2] = strconv.FormatInt(int64(r.Size), 10)
	b.record[n+3] = strconv.FormatInt(int64(r.Cells), 10)
}

func (b *batch) compute(fields []string) (Result, error) {
	var by binding
	in := Defaults()
	in.Speed, in.Cable = -1, -1
	for i, field := range fields {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		if err := set(&in, &by, columns[b.columns[i]], field); err != nil {
			return Result{}, err
		}
	}
	switch {
	case by.chip == "":
		return Result{}, errors.New("chip is missing")
	case in.Speed < 0:
		return Result{}, errors.New("speed is missing")
	case in.Cable < 0:
		return Result{}, errors.New("cable is missing")
	}
	m := b.bind(by)
	if m.err != nil {
		return Result{}, m.err
	}
	if by.method == "" {
		in = b.asCompiled(in, fields)
	}
	return m.Compute(in)
}

// asCompiled returns the inputs of a row as a fabric that says no more has them.
func (b *batch) asCompiled(in Input, fields []string) Input {
	given := func(column string) bool {
		i := slices.IndexFunc(b.columns, func(c int) bool { return columns[c] == column })
		return i >= 0 && strings.TrimSpace(fields[i]) != ""
	}
	if !given("port_mtu") {
		in.PortMTU = UsualFrame
	}
	if !given("lossless_mtu") {
		in.LosslessMTU = in.PortMTU
	}
	in.Frame, in.MixDeclared = in.LosslessMTU, given("small_packets")
	return in
}

// UsualFrame is the largest frame of a fabric that says none.
const UsualFrame units.Bytes = 9216

// set stores one field.
func set(in *Input, by *binding, column, text string) (err error) {
	switch column {
	case "chip":
		by.chip = text
	case "method":
		by.method = text
	case "speed":
		in.Speed, err = quantity(text, units.Mbps, "Mbps", units.ParsePortSpeed)
	case "cable":
		in.Cable, err = quantity(text, units.Metre, "m", units.ParseLength)
	case "port_mtu":
		in.PortMTU, err = quantity(text, units.Byte, "B", units.ParseBytes)
	case "lossless_mtu":
		in.LosslessMTU, err = quantity(text, units.Byte, "B", units.ParseBytes)
	case "small_packets":
		in.SmallPackets, err = quantity(text, units.Percent, "%", units.ParseRatio)
	case "gearbox":
		in.Gearbox, err = quantity(text, units.Nanosecond, "ns", units.ParseTime)
	case "lanes":
		in.Lanes, err = strconv.Atoi(text)
	case "over_subscribe":
		in.OverSubscribe, err = strconv.Atoi(text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", column, err)
	}
	return nil
}

// quantity reads a value with or without unit. Nine digits and no more are read
// directly: that is nearly all there is in a large file.
func quantity[T ~int64](text string, unit T, symbol string, parse func(string) (T, error)) (T, error) {
	if len(text) <= 9 {
		if n, err := strconv.ParseUint(text, 10, 63); err == nil {
			return T(n) * unit, nil
		}
	}
	if strings.Trim(text, "0123456789._-") == "" {
		text += symbol
	}
	return parse(text)
}

// bind looks a chip and a method up, once each.
func (b *batch) bind(by binding) boundMethod {
	m, known := b.bound[by]
	if known {
		return m
	}
	if chip, ok := b.cat.Find(by.chip); ok {
		if by.method == "" {
			m.Method, m.err = Compiled(chip)
		} else {
			m.Method, m.err = For(chip, by.method)
		}
	} else {
		m.err = fmt.Errorf("there is no chip %.100q in the catalogue", by.chip)
	}
	if m.err == nil { // of names that do not exist there is no end
		b.bound[by] = m
	}
	return m
}
