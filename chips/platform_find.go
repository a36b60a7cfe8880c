package chips

import (
	"maps"
	"slices"
	"strings"
)

// Platforms returns all platforms in the order of their names.
func (c *Catalogue) Platforms() []*Platform {
	all := c.platforms()
	out := make([]*Platform, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[name])
	}
	return out
}

// Platform returns the platform that a switch says it is: by the platform's name, else
// by its HwSKU, which several platforms may not share. Case does not matter, nor does
// the revision at the end of an ONIE name.
func (c *Catalogue) Platform(platform, hwsku string) (*Platform, bool) {
	all := c.platforms()
	if p := all[strings.ToLower(platform)]; p != nil {
		return p, true
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if p := all[name]; platform != "" && slices.ContainsFunc(p.Names, func(n string) bool { return strings.EqualFold(bare(n), bare(platform)) }) {
			return p, true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p := all[name]
		if platform == "" && hwsku != "" && slices.ContainsFunc(p.HwSKUs, func(n string) bool { return strings.EqualFold(n, hwsku) }) {
			return p, true
		}
	}
	return nil, false
}

// bare is an ONIE name without its revision.
func bare(platform string) string { return strings.TrimSuffix(platform, "-r0") }

// ownPlatforms reads the embedded platforms, all at once: they are small.
func ownPlatforms(c *Catalogue) map[string]*Platform {
	entries, err := embedded.ReadDir("catalogue/platforms")
	if err != nil {
		panic(err)
	}
	r := &reader{catalogue: c, sources: ownDocuments()}
	var files []Source
	for _, entry := range entries {
		files = append(files, embeddedFile("platforms/"+entry.Name()))
	}
	r.layer(files)
	r.mustBeSound()
	return r.platforms
}
