package policy

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/internal/packed"
)

// libraryFile is library.hcl, compressed. TestLibraryFile writes it.
//
//go:embed library.flate
var libraryFile string

// librarySizes are the distributions of the library, which every fabric may refer to.
var librarySizes = []string{"hadoop", "websearch"}

// Library returns the scenarios that come with the product, sorted by name. They
// name no hosts, so that each fits every fabric with enough of them. The file is part
// of the program: a fault in it is a panic.
func Library() []*Scenario { return slices.Clone(library()) }

var library = sync.OnceValue(func() []*Scenario {
	d := newDecoder(Options{})
	desc := d.shipped()
	d.ctx.Variables["sizes"] = namespace("sizes", librarySizes)
	d.ctx.Variables["local"] = d.locals(desc.locals)
	decls := decodeScenarios(d, desc.scenarios, decodeSizes(d, desc.sizes))
	d.mustBeSound()
	out := make([]*Scenario, len(decls))
	for i, s := range decls {
		out[i] = s.Scenario
	}
	return out
})

// shippedSizes are the distributions of the library, for scenarios of fabrics.
var shippedSizes = sync.OnceValue(func() []*Sizes {
	d := newDecoder(Options{})
	return decodeSizes(d, d.shipped().sizes)
})

// shipped parses the file of the scenarios that come with the product.
func (d *decoder) shipped() *description {
	desc := d.gather(Options{Files: []Source{{Name: "library.hcl", Text: []byte(packed.Text(libraryFile))}}})
	d.mustBeSound()
	return desc
}

func (d *decoder) mustBeSound() {
	if d.diags.HasErrors() {
		panic(fmt.Sprint("library.hcl: ", d.diags))
	}
}

// scenarios reads the scenarios of a fabric, whose distributions go before the library's.
func (d *decoder) scenarios(desc *description) []*scenarioDecl {
	sizes := decodeSizes(d, desc.sizes)
	if len(desc.scenarios) == 0 {
		return nil
	}
	for _, s := range shippedSizes() {
		if !slices.ContainsFunc(sizes, func(z *Sizes) bool { return z.Name == s.Name }) {
			sizes = append(sizes, s)
		}
	}
	return decodeScenarios(d, desc.scenarios, sizes)
}

func newDecoder(opts Options) *decoder {
	s := &session{
		catalogue: remembering(opts.Catalogue), root: opts.Root,
		seen: map[hclsyntax.Expression]*evaluated{}, patterns: map[string][]string{},
		budget: budget{maxEffort},
	}
	return &decoder{session: s, ctx: &hcl.EvalContext{Variables: keywords(), Functions: functionTable(opts.Root, &s.budget)}}
}
