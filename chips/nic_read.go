package chips

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// nic reads
//
//	nic "connectx-7" {
//	  title  = "NVIDIA ConnectX-7"
//	  vendor = "NVIDIA"
//	  rpg_ai_rate { … }
//	}
//
// With `extends = "NAME"` it starts from that NIC of the layer below, or of a file of its
// own layer that was read before.
func (r *reader) nic(block *hclsyntax.Block) {
	name, ok := r.label(block)
	if !ok {
		return
	}
	n := &NIC{Name: strings.ToLower(name), Range: block.LabelRanges[0]}
	required := []string{"title", "vendor"}
	if a := block.Body.Attributes["extends"]; a != nil {
		required = nil
		r.extendsNIC(n, a)
	}
	r.attributes(block, map[string]func(attribute){
		"extends": func(attribute) {},
		"title":   func(a attribute) { n.Title = r.nonEmpty(a) },
		"vendor":  func(a attribute) { n.Vendor = r.nonEmpty(a) },
		"aliases": func(a attribute) { n.Aliases = r.texts(a.Expr, "names") },
	}, required...)
	r.fill(nicRows(n), n.Name, block.Body.Blocks)
	if first := r.nics[n.Name]; first != nil {
		r.errorf(Duplicate, n.Range, "the nic %q is defined already", n.Name).Fixf("give one of the two another name").Notef(first.Range, "here")
		return
	}
	if _, own := r.belowNIC(n.Name); own && block.Body.Attributes["extends"] == nil {
		r.found.Warnf(Replaced, n.Range, "this nic takes the place of roceplan's own %q", n.Name).
			Fixf("say extends = %q to change only what is given here", n.Name)
	}
	r.nics[n.Name] = n
}

func (r *reader) extendsNIC(n *NIC, a attribute) {
	name, ok := r.str(a.Expr, "the name of a nic")
	if !ok {
		return
	}
	base := r.nics[strings.ToLower(name)]
	if base == nil {
		base, _ = r.belowNIC(name)
	}
	if base == nil {
		r.errorf(Undefined, a.Expr.Range(), "there is no nic %q to extend", name).Fixf("`roceplan nics` lists them")
		return
	}
	own, at := n.Name, n.Range
	*n = *base
	n.Name, n.Range = own, at
	if own != base.Name {
		n.Aliases = nil // they are the other's
	}
}

func (r *reader) belowNIC(name string) (*NIC, bool) {
	if r.base == nil {
		return nil, false
	}
	return r.base.NIC(name)
}

// ownNICs reads the embedded NICs, all at once: they are few.
func ownNICs() map[string]*NIC {
	r := &reader{catalogue: newCatalogue(), sources: ownDocuments()}
	r.layer(embeddedFolder("nics"))
	r.mustBeSound()
	return r.nics
}
