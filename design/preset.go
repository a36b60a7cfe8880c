package design

import (
	"strings"

	"github.com/roceplan/roceplan/units"
)

// A Preset is a published design.
type Preset struct {
	Name, About, Source string
	Wish                Wish
}

// Presets returns all of them.
func Presets() []Preset {
	all := []Preset{
		{
			Name:   "amd-mi3xx-128",
			About:  "128 GPUs at one 51.2T switch: AMD Instinct MI3XX reference design, single switch, 8 to 128 GPUs",
			Source: "https://github.com/ROCm/gpu-cluster-networking/blob/develop/docs/design/mi3xx.rst",
			Wish:   Wish{GPUs: 128, NIC: 400 * units.Gbps, NICModel: "thor2", Leaf: "tomahawk5", OS: "sonic"},
		},
		{
			Name:   "juniper-qpp-64",
			About:  "64 GPUs in two stripes of eight QFX5240, four spines, 400G throughout: Juniper validated design with QPP and BGP-DPF",
			Source: "https://www.juniper.net/documentation/us/en/software/jvd/jvd-ai-dc-qpp-bgp-dpf/ip_fabric_gpu_backend_fabric_architecture.html",
			Wish:   Wish{GPUs: 64, NIC: 400 * units.Gbps, Leaf: "tomahawk5", Spine: "tomahawk5", OS: "junos", PerLeaf: 4, Spines: 4, Uplink: 400 * units.Gbps},
		},
	}
	for i := range all {
		all[i].Wish.Source = all[i].Source
	}
	return all
}

// FindPreset returns the preset of that name; case does not matter.
func FindPreset(name string) (Preset, bool) {
	for _, p := range Presets() {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	return Preset{}, false
}
