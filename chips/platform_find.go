package chips

import (
	"maps"
	"slices"
	"strings"
)

// Platforms returns all platforms in the order of their names.
func (c *Catalogue) Platforms() []*Platform { return inOrder(c.platforms()) }

// Platform returns the platform that a switch says it is: by the platform's name, else
// by its HwSKU, which several platforms must not share. Case does not matter, nor does
// the revision at the end of an ONIE name. The ports of a box of sonic-buildimage are as
// its HwSKU has them.
func (c *Catalogue) Platform(platform, hwsku string) (*Platform, bool) {
	p := c.described(platform, hwsku)
	if p != nil && !p.own {
		return p, true // the user knows better
	}
	name := platform
	if p != nil && len(p.Names) > 0 {
		name = p.Names[0]
	}
	view := c.view(name, hwsku)
	switch {
	case view == nil:
		return p, p != nil
	case p == nil:
		p = &Platform{Name: view.box.Name, Title: view.box.Name, Chip: view.box.Chip, ChipAssumed: view.box.Basis == "assumed", Names: []string{view.box.Name}, HwSKUs: view.box.HwSKUs}
	default:
		described := *p
		p = &described
	}
	p.view = view
	return p, true
}

// Lists reports whether a file says that the platform can be used as the HwSKU.
func (p *Platform) Lists(hwsku string) bool {
	return p != nil && !p.own && slices.ContainsFunc(p.HwSKUs, func(n string) bool { return strings.EqualFold(n, hwsku) })
}

// described finds a platform of a file.
func (c *Catalogue) described(platform, hwsku string) *Platform {
	all := c.platforms()
	if p := all[strings.ToLower(platform)]; p != nil {
		return p
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if p := all[name]; platform != "" && slices.ContainsFunc(p.Names, func(n string) bool { return strings.EqualFold(bare(n), bare(platform)) }) {
			return p
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p := all[name]
		if platform == "" && hwsku != "" && slices.ContainsFunc(p.HwSKUs, func(n string) bool { return strings.EqualFold(n, hwsku) }) {
			return p
		}
	}
	return nil
}

// bare returns an ONIE name without its revision.
func bare(platform string) string { return strings.TrimSuffix(platform, "-r0") }

// ownPlatforms reads the embedded platforms, all at once: they are small.
func ownPlatforms(c *Catalogue) map[string]*Platform {
	r := &reader{catalogue: c, sources: ownDocuments()}
	r.layer(embeddedFolder("platforms"))
	r.mustBeSound()
	for _, p := range r.platforms {
		p.own = true
	}
	return r.platforms
}
