package chips

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
)

// A Source is a file of chips, platforms and NICs: its name, for findings, and its text.
type Source struct {
	Name string
	Text []byte
}

// Load reads roceplan's own catalogue and then the user's files over it. A chip with
// a new name is added; one with the name of an embedded chip takes its place, with a
// warning unless it says `extends`. The user's files may cite the sources of the
// catalogue. All faults of all files are reported; the
// catalogue holds whatever could be read.
func Load(extra ...Source) (*Catalogue, diag.List) {
	own := embedded()
	if len(extra) == 0 {
		return own, nil
	}
	r := &reader{catalogue: own.clone(), base: own, sources: ownDocuments()}
	r.layer(extra)
	r.catalogue.nics = over(own.nics, r.nics)
	r.catalogue.published = over(own.published, r.published)
	r.catalogue.platforms = over(own.platforms, r.platforms)
	return r.catalogue, r.found.Sorted()
}

// A reader builds a catalogue out of files, one layer over the other.
type reader struct {
	catalogue *Catalogue
	base      *Catalogue           // the layer below the one being read; nil in the lowest
	here      map[string]bool      // chips of the layer being read
	platforms map[string]*Platform // of the layer being read
	nics      map[string]*NIC      // likewise
	published map[string]*Configuration
	sources   map[string]*document
	found     diag.List
}

// layer reads files of one layer. Sources are read first, so that the order of files and blocks
// does not matter.
func (r *reader) layer(files []Source) {
	below := r.sources
	r.sources, r.here = map[string]*document{}, map[string]bool{}
	r.platforms, r.nics, r.published = map[string]*Platform{}, map[string]*NIC{}, map[string]*Configuration{}
	bodies := make([]*hclsyntax.Body, 0, len(files))
	for _, f := range files {
		parsed, diags := diag.ParseHCL(f.Text, f.Name)
		r.fromHCL(diags)
		if diags.HasErrors() {
			continue // the text after a syntax error would be misread
		}
		bodies = append(bodies, parsed.Body.(*hclsyntax.Body))
	}
	for _, body := range bodies {
		r.blocks(body, "source", r.document)
	}
	for name, d := range below {
		if _, shadowed := r.sources[name]; !shadowed {
			r.sources[name] = d
		}
	}
	for _, body := range bodies {
		r.topLevel(body)
		r.blocks(body, "chip", r.chip)
	}
	for _, body := range bodies {
		r.blocks(body, "platform", r.platform) // after the chips that they name
		r.blocks(body, "nic", r.nic)
		r.blocks(body, "published", r.publication)
	}
}

func (r *reader) blocks(body *hclsyntax.Body, kind string, read func(*hclsyntax.Block)) {
	for _, block := range body.Blocks {
		if block.Type == kind {
			read(block)
		}
	}
}

// topLevel refuses what is none of a file's blocks.
func (r *reader) topLevel(body *hclsyntax.Body) {
	known := []string{"chip", "platform", "nic", "published", "source"}
	for _, attr := range body.Attributes {
		r.unknown("attribute", attr.Name, attr.NameRange, known)
	}
	for _, block := range body.Blocks {
		if !slices.Contains(known, block.Type) {
			r.unknown("block", block.Type, block.TypeRange, known)
		}
	}
}

// A document is a source that several data share.
type document struct {
	text string
	at   diag.Range
}

// document reads
//
//	source "sonic-mgmt-th5" {
//	  document = "sonic-mgmt tests/qos/files/qos_params.th5.yaml"
//	  url      = "https://github.com/…"
//	}
func (r *reader) document(block *hclsyntax.Block) {
	name, ok := r.label(block)
	if !ok {
		return
	}
	if first := r.sources[name]; first != nil {
		r.errorf(Duplicate, block.LabelRanges[0], "the source %q is defined already", name).Fixf("give this source another name, or remove it").Notef(first.at, "here")
		return
	}
	d := &document{at: block.LabelRanges[0]}
	r.sources[name] = d
	r.attributes(block, map[string]func(attribute){
		"document": func(a attribute) { d.text = r.nonEmpty(a) + d.text },
		"url":      func(a attribute) { d.text += " <" + r.nonEmpty(a) + ">" },
	}, "document")
	r.noBlocks(block)
}

// label returns the only label of a block.
func (r *reader) label(block *hclsyntax.Block) (string, bool) {
	switch {
	case len(block.Labels) == 0:
		r.errorf(Missing, block.TypeRange, "this %s has no name", block.Type).Fixf("write %s \"name\" { … }", block.Type)
		return "", false
	case len(block.Labels) > 1:
		r.errorf(UnknownName, block.LabelRanges[1], "a %s has one name only", block.Type).Fixf("write %s \"NAME\" {", block.Type)
	}
	return block.Labels[0], true
}

// attributes hands each attribute to its reader, refuses others, and demands those
// that are required.
func (r *reader) attributes(block *hclsyntax.Block, readers map[string]func(attribute), required ...string) {
	for name, attr := range block.Body.Attributes {
		if read, ok := readers[name]; ok {
			read(attr)
			continue
		}
		r.unknown("attribute", name, attr.NameRange, keys(readers))
	}
	for _, name := range required {
		if block.Body.Attributes[name] == nil {
			r.errorf(Missing, block.DefRange(), "%s has no %s", describe(block), name).Fixf("add the line %s = …", name)
		}
	}
}

func (r *reader) noBlocks(block *hclsyntax.Block) {
	for _, inner := range block.Body.Blocks {
		r.errorf(UnknownName, inner.TypeRange, "%s takes no block, %q is one", describe(block), inner.Type).Fixf("remove the block")
	}
}

// nonEmpty reads a text with something in it.
func (r *reader) nonEmpty(a attribute) string {
	text, ok := r.str(a.Expr, "a text")
	if ok && strings.TrimSpace(text) == "" {
		r.errorf(Missing, a.Expr.Range(), "the %s is empty", a.Name).Fixf("write the %s, or remove the line", a.Name)
	}
	return text
}

func describe(block *hclsyntax.Block) string {
	return strings.Join(append([]string{block.Type}, block.Labels...), " ")
}

func (r *reader) errorf(code diag.Code, at diag.Range, format string, args ...any) *diag.Diagnostic {
	return r.found.Errorf(code, at, format, args...)
}

func (r *reader) fromHCL(diags hcl.Diagnostics) { r.found = append(r.found, diag.FromHCL(diags)...) }

// unknown reports a name that nothing has, with the nearest that something has.
func (r *reader) unknown(what, name string, at diag.Range, known []string) {
	r.errorf(UnknownName, at, "there is no %s %q here", what, name).
		Repaired(diag.Rename(name, known, "known are "+strings.Join(sorted(known), ", ")))
}
