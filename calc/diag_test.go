package calc_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/roceplan/roceplan/calc"
	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/testing/diagtest"
	"github.com/roceplan/roceplan/policy"
)

// What is wrong with the numbers of a fabric is said at the line that caused it.
func TestBadNumbers(t *testing.T) {
	diagtest.Run(t, "../golden/diag/numbers", 20, func(t *testing.T, archive *txtar.Archive) diag.List {
		var opts policy.Options
		var extra []chips.Source
		for _, f := range archive.Files {
			switch f.Name {
			case "chips.hcl":
				extra = append(extra, chips.Source{Name: f.Name, Text: f.Data})
			case "want.txt":
			default:
				opts.Files = append(opts.Files, policy.Source{Name: f.Name, Text: f.Data})
			}
		}
		catalogue, list := chips.Load(extra...)
		opts.Catalogue = catalogue
		fabric, more := policy.Load(opts)
		list = append(list, more...)
		if !list.HasErrors() {
			_, more = calc.Compute(fabric)
			list = append(list, more...)
		}
		return list.Sorted()
	})
}
