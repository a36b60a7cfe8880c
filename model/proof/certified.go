package proof

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// certified is a switch as a certificate describes it: the subjects of its claims, with pools by name.
type certified struct {
	Cell      units.Bytes              `json:"cell"`
	Metadata  units.Bytes              `json:"metadata,omitempty"`
	Slices    int                      `json:"slices"`
	Memory    units.Cells              `json:"memory,omitempty"`
	Admission *mmu.Admission           `json:"admission"`
	Pause     *mmu.Pause               `json:"pause"`
	Resume    *mmu.Resume              `json:"resume"`
	Decided   *mmu.Decided             `json:"decided"`
	Ingress   map[string]certifiedPool `json:"ingress"`
	Egress    map[string]certifiedPool `json:"egress"`
	Ports     []certifiedPort          `json:"ports"`
}

type certifiedPool struct {
	Shared   units.Cells `json:"shared"`
	Headroom units.Cells `json:"headroom,omitempty"`
}

type certifiedPort struct {
	Name     string                    `json:"name"`
	Slice    int                       `json:"slice,omitempty"`
	Link     certifiedLink             `json:"link"`
	Pausable uint8                     `json:"pausable"`
	Groups   []certifiedGroup          `json:"groups"`
	Queues   []certifiedQueue          `json:"queues"`
	Ingress  map[string]CertifiedBound `json:"ingress,omitempty"`
	Egress   map[string]CertifiedBound `json:"egress,omitempty"`
	Feeds    [mmu.MaxPGs]uint16        `json:"feeds"`
	Map      int                       `json:"map,omitempty"`
	Others   [][mmu.MaxPGs]uint16      `json:"others,omitempty"`
}

type certifiedLink struct {
	Rate      units.BitRate `json:"rate"`
	Cable     units.Length  `json:"cable"`
	Gearbox   units.Time    `json:"gearbox,omitempty"`
	Interface units.Time    `json:"interface,omitempty"`
	Response  units.Time    `json:"response"`
	Frame     units.Bytes   `json:"frame"`
	Lossless  units.Bytes   `json:"lossless"`
	Small     units.Ratio   `json:"small,omitempty"`
}

type certifiedQueue struct {
	Pool     string         `json:"pool"`
	Reserved units.Cells    `json:"reserved,omitempty"`
	Limit    CertifiedBound `json:"limit"`
}

type certifiedGroup struct {
	certifiedQueue
	Lossless bool        `json:"lossless,omitempty"`
	Pooled   bool        `json:"pooled,omitempty"`
	Headroom units.Cells `json:"headroom,omitempty"`
	Xon      units.Cells `json:"xon,omitempty"`
	Offset   units.Cells `json:"offset,omitempty"`
}

// CertifiedBound is so many cells, or 2^Alpha times the free ones if it is dynamic. The code in which a chip holds it is not among
// what is certified.
type CertifiedBound struct {
	Dynamic bool        `json:"dynamic,omitempty"`
	Alpha   units.Alpha `json:"alpha,omitempty"`
	Cells   units.Cells `json:"cells,omitempty"`
}

func boundOf(l mmu.Limit) CertifiedBound { return CertifiedBound{l.Dynamic, l.Alpha, l.StaticCells} }

func (b CertifiedBound) limit() mmu.Limit {
	return mmu.Limit{Dynamic: b.Dynamic, Alpha: b.Alpha, StaticCells: b.Cells}
}

// nameOf returns the name of a pool; a number that there is not has none.
func nameOf(pools []mmu.Pool, i int) string {
	if i < 0 || i >= len(pools) {
		return ""
	}
	return pools[i].Name
}

// certifiedOf writes a switch. Pools have names of their own: it is a configuration that is read by them.
func certifiedOf(m *model.Switch) *certified {
	if m == nil || m.Config == nil || len(m.Ports) != len(m.Config.Ports) {
		return nil
	}
	b := m.Config
	c := &certified{
		b.CellBytes, b.MetadataBytes, b.Slices, b.SliceCells, &b.Rules.Admission, &b.Rules.Pause, &b.Rules.Resume, &b.Rules.Decided,
		poolsOf(b.IngressPools), poolsOf(b.EgressPools), []certifiedPort{},
	}
	for i := range m.Ports {
		p, l, own := &m.Ports[i], &m.Ports[i].Link, &b.Ports[i]
		port := certifiedPort{
			Name: p.Name, Slice: own.Slice, Pausable: p.Pausable, Feeds: p.Queues, Map: p.Map, Others: p.Other,
			Link:    certifiedLink{l.Rate, l.Cable, l.Gearbox, l.Interface, l.Response, l.PortFrame, l.LosslessFrame, l.SmallPackets},
			Ingress: boundsByName(b.IngressPools, own.Ingress), Egress: boundsByName(b.EgressPools, own.Egress),
		}
		for _, g := range own.PGs {
			queue := certifiedQueue{nameOf(b.IngressPools, g.Pool), g.ReservedCells, boundOf(g.Limit)}
			port.Groups = append(port.Groups, certifiedGroup{queue, g.Lossless, g.HeadroomPooled, g.HeadroomCells, g.XonCells, g.XonOffsetCells})
		}
		for _, q := range own.Queues {
			port.Queues = append(port.Queues, certifiedQueue{nameOf(b.EgressPools, q.Pool), q.ReservedCells, boundOf(q.Limit)})
		}
		c.Ports = append(c.Ports, port)
	}
	return c
}

func poolsOf(pools []mmu.Pool) map[string]certifiedPool {
	all := map[string]certifiedPool{}
	for _, p := range pools {
		all[p.Name] = certifiedPool{p.SharedCells, p.HeadroomCells}
	}
	return all
}

func boundsByName(pools []mmu.Pool, bounds []mmu.Bound) map[string]CertifiedBound {
	all := map[string]CertifiedBound{}
	for _, b := range bounds {
		all[nameOf(pools, b.Pool)] = boundOf(b.Limit)
	}
	return all
}

// model reads a switch. The error is of a rule or a pool that there is not.
func (c *certified) model() (*model.Switch, error) {
	if c.Admission == nil || c.Pause == nil || c.Resume == nil || c.Decided == nil {
		return nil, errors.New("the model does not say how the chip compares")
	}
	b := &mmu.Config{CellBytes: c.Cell, MetadataBytes: c.Metadata, Slices: c.Slices, SliceCells: c.Memory, Rules: mmu.Rules{Admission: *c.Admission, Pause: *c.Pause, Resume: *c.Resume, Decided: *c.Decided}}
	ingress, egress := slices.Sorted(maps.Keys(c.Ingress)), slices.Sorted(maps.Keys(c.Egress))
	for _, name := range ingress {
		b.IngressPools = append(b.IngressPools, mmu.Pool{Name: name, SharedCells: c.Ingress[name].Shared, HeadroomCells: c.Ingress[name].Headroom})
	}
	for _, name := range egress {
		b.EgressPools = append(b.EgressPools, mmu.Pool{Name: name, SharedCells: c.Egress[name].Shared, HeadroomCells: c.Egress[name].Headroom})
	}
	m := &model.Switch{Config: b}
	var err error
	number := func(pools []string, name string) int {
		i := slices.Index(pools, name)
		if i < 0 {
			err = fmt.Errorf("the model has no pool %q", name)
		}
		return i
	}
	bounds := func(pools []string, all map[string]CertifiedBound) (list []mmu.Bound) {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			list = append(list, mmu.Bound{Pool: number(pools, name), Limit: all[name].limit()})
		}
		return list
	}
	for i := range c.Ports {
		p := &c.Ports[i]
		own := mmu.Port{Slice: p.Slice, Ingress: bounds(ingress, p.Ingress), Egress: bounds(egress, p.Egress)}
		for _, g := range p.Groups {
			own.PGs = append(own.PGs, mmu.PG{Pool: number(ingress, g.Pool), ReservedCells: g.Reserved, Limit: g.Limit.limit(), Lossless: g.Lossless, HeadroomPooled: g.Pooled, HeadroomCells: g.Headroom, XonCells: g.Xon, XonOffsetCells: g.Offset})
		}
		for _, q := range p.Queues {
			own.Queues = append(own.Queues, mmu.Queue{Pool: number(egress, q.Pool), ReservedCells: q.Reserved, Limit: q.Limit.limit()})
		}
		link := model.Link{Rate: p.Link.Rate, Cable: p.Link.Cable, Gearbox: p.Link.Gearbox, Interface: p.Link.Interface, Response: p.Link.Response, PortFrame: p.Link.Frame, LosslessFrame: p.Link.Lossless, SmallPackets: p.Link.Small}
		b.Ports = append(b.Ports, own)
		m.Ports = append(m.Ports, model.Port{Name: p.Name, Link: link, Pausable: p.Pausable, Queues: p.Feeds, Map: p.Map, Other: p.Others})
	}
	return m, err
}
