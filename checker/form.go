package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The page, "The file", "A certificate", "An obligation" and "Conditions". Fields are called as they are there.
// All amounts are integers: cells of the buffer unless the page says otherwise, B, bit/s, mm, ps, or billionths.

type file struct {
	Schema  string
	Devices []string
	Lacks   []struct{ Device, Because string }

	Certificates []certificate
}

type certificate struct {
	Chip, Verdict                            string
	Switches, Declared, Because, Assumptions []string
	Files                                    map[string]string // SHA-256 by name
	Model                                    model
	Obligations                              []obligation
	Coverage                                 struct {
		Ports, Groups, Classes, Modelled, Neutral int
		LosslessPorts                             int    `json:"lossless_ports"`
		LosslessClasses                           int    `json:"lossless_classes"`
		LosslessDSCPs                             string `json:"lossless_dscps"`
		Unmodelled                                int    `json:"not_modelled"`
	}
}

// Verdicts, the worst last.
const holds, conditional, unjudged, fails = "holds", "conditional", "cannot be judged", "fails"

var verdicts = []string{holds, conditional, unjudged, fails}

type obligation struct {
	inequality
	ID, Where, Verdict, Because, Counterexample, At string

	Lines      map[string]string // of figures, "leaf-1/config_db.json:17"
	Conditions []condition
	Under      *inequality // its form under its conditions
}

// An inequality says left ≤ right. Its terms are figures that the model does not give, by symbol; a term that is left
// out is 0.
type inequality struct {
	Terms       map[string]int64
	Fills       []fill
	Left, Right int64
}

// A fill is so many accounts with the same limits that fill a pool up one after another.
type fill struct {
	Pool     string
	Limits   []limit
	Accounts int64
}

type condition struct {
	ID, Where, Says string
	Bound, Cells    int64
	Together        bool // a bound on the layers of the switch and the response of the peer
}

const schema = "roceplan/certificates/2"

// parse reads a file of certificates. Keys that the page does not list are refused.
func parse(text []byte) (*file, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	f := &file{}
	err := decoder.Decode(f)
	if f.Schema != schema {
		return nil, fmt.Errorf("its schema is %q, and this program reads %q", f.Schema, schema)
	}
	if _, after := decoder.Token(); err == nil && after != io.EOF {
		err = errors.New("something follows the last brace")
	}
	return f, err
}
