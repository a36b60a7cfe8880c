package headroom

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxRow bounds a row of a batch. Ten columns of quantities have some 100 bytes.
const maxRow = 64 << 10

// rows reads comma-separated values line by line: a quote that is never closed, or a line
// that never ends, spoils its own row alone, and takes no memory.
type rows struct {
	in     *bufio.Reader
	fields []string
}

func newRows(r io.Reader) *rows { return &rows{in: bufio.NewReaderSize(r, maxRow)} }

// A rowError is a fault of one row; the rows after it can be read.
type rowError struct{ error }

// next gives the fields of the next row that is not empty, valid until the next call.
// Besides a [rowError] it returns those of reading, io.EOF at the end.
func (r *rows) next() ([]string, error) {
	for {
		line, err := r.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.in.ReadSlice('\n')
			}
			if err != nil && err != io.EOF {
				return nil, err
			}
			return nil, rowError{fmt.Errorf("the row has more than %d bytes", maxRow)}
		case err != nil && (err != io.EOF || len(line) == 0):
			return nil, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text != "" {
			return r.split(text)
		}
	}
}

func (r *rows) split(line string) ([]string, error) {
	if !strings.Contains(line, `"`) {
		return r.plain(line), nil
	}
	fields, err := csv.NewReader(strings.NewReader(line)).Read()
	if fault := new(csv.ParseError); errors.As(err, &fault) {
		return r.plain(line), rowError{fmt.Errorf("column %d: %w", fault.Column, fault.Err)}
	}
	return fields, err
}

func (r *rows) plain(line string) []string {
	r.fields = r.fields[:0]
	for field := range strings.SplitSeq(line, ",") {
		r.fields = append(r.fields, field)
	}
	return r.fields
}
