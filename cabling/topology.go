package cabling

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// isTopology recognizes a containerlab topology.
func isTopology(head []byte) bool {
	return bytes.Contains(head, []byte("topology:")) && bytes.Contains(head, []byte("endpoints:"))
}

// A topology is what a containerlab file says of links (containerlab, "Topology definition":
// links in brief as [NODE:PORT, NODE:PORT], or in full as mappings).
type topology struct {
	Topology struct {
		Defaults struct {
			Kind string `yaml:"kind"`
		} `yaml:"defaults"`
		Nodes map[string]struct {
			Kind string `yaml:"kind"`
		} `yaml:"nodes"`
		Links []struct {
			Endpoints []yaml.Node `yaml:"endpoints"`
		} `yaml:"links"`
	} `yaml:"topology"`
}

// maxTopology bounds a file, and so what aliases can make of it.
const maxTopology = 4 << 20

func readTopology(r *reader, src []byte) {
	if len(src) > maxTopology {
		r.found.Errorf(Invalid, r.line(1, 1), "the topology has %d bytes; more than %d are not read", len(src), maxTopology).Fixf("split the topology into files of at most %d bytes", maxTopology)
		return
	}
	var t topology
	if err := yaml.Unmarshal(bytes.ToValidUTF8(src, []byte("?")), &t); err != nil {
		r.found.Errorf(Invalid, r.line(1, 1), "%v", strings.ReplaceAll(err.Error(), "\n", "; ")).Fixf("write a topology that containerlab takes: topology: with nodes: and links: below")
		return
	}
	kindOf := func(node string) string {
		if kind := t.Topology.Nodes[node].Kind; kind != "" {
			return kind
		}
		return t.Topology.Defaults.Kind
	}
	for _, link := range t.Topology.Links {
		if len(link.Endpoints) != 2 {
			continue // to the host, or to nowhere
		}
		a, okA := endpoint(&link.Endpoints[0])
		b, okB := endpoint(&link.Endpoints[1])
		if !okA || !okB {
			r.found.Errorf(Invalid, r.line(link.Endpoints[0].Line, link.Endpoints[0].Column), "an end is written NODE:PORT, or with node and interface").Fixf("write the ends as [\"leaf-1:eth1\", \"spine-1:eth1\"]")
			continue
		}
		a.Also, b.Also = onDevice(kindOf(a.Device), a.Port), onDevice(kindOf(b.Device), b.Port)
		r.see(Sighting{A: a, B: b, At: r.line(link.Endpoints[0].Line, link.Endpoints[0].Column)})
	}
}

// endpoint reads one end in either form.
func endpoint(n *yaml.Node) (End, bool) {
	if n.Kind == yaml.ScalarNode {
		node, port, ok := strings.Cut(n.Value, ":")
		return End{Device: node, Port: port}, ok
	}
	var full struct {
		Node      string `yaml:"node"`
		Interface string `yaml:"interface"`
	}
	err := n.Decode(&full)
	return End{Device: full.Node, Port: full.Interface}, err == nil && full.Node != "" && full.Interface != ""
}

// onDevice returns the device's names of a port of its container: eth1_2 of cEOS is Ethernet1/2,
// eth2 of SONiC is Ethernet4, since each port has four lanes there (containerlab, manual of
// the kinds arista_ceos and sonic-vm), e1-2 of SR Linux is ethernet-1/2.
func onDevice(kind, port string) []string {
	switch {
	case strings.Contains(kind, "ceos") || strings.Contains(kind, "veos"):
		if n, ok := strings.CutPrefix(port, "eth"); ok {
			return []string{"Ethernet" + strings.ReplaceAll(n, "_", "/")}
		}
	case strings.Contains(kind, "sonic"):
		if n, err := strconv.Atoi(strings.TrimPrefix(port, "eth")); err == nil && n > 0 && n < 1<<20 {
			return []string{fmt.Sprintf("Ethernet%d", 4*(n-1))}
		}
	case strings.Contains(kind, "srlinux") || kind == "srl":
		if n, ok := strings.CutPrefix(port, "e"); ok {
			return []string{"ethernet-" + strings.Replace(n, "-", "/", 1)}
		}
	}
	return nil
}
