package cli

import (
	"strconv"

	"github.com/roceplan/roceplan/diag"
)

// Findings are those on the lines of a running-config.
type Findings struct {
	Found diag.List
	once  map[string]bool // messages of Once
}

// Once adds a finding whose message has not been added.
//
//go:noinline
func (f *Findings) Once(severity diag.Severity, code diag.Code, at diag.Range, message, fix string) {
	if f.once[message] {
		return
	}
	if f.once == nil {
		f.once = map[string]bool{}
	}
	f.once[message] = true
	f.Found = append(f.Found, diag.Diagnostic{Severity: severity, Code: code, Subject: at, Message: message, Fix: fix})
}

// Number reads a word of a line as a decimal number between low and high. Another word is an error with the code.
func (f *Findings) Number(code diag.Code, l Line, word string, low, high int64) (int64, bool) {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < low || n > high {
		f.Found.Errorf(code, l.Word(word), "%q is not a number from %d to %d", Clip(word), low, high).Fixf("write a number from %d to %d", low, high)
		return 0, false
	}
	return n, true
}
