package verify

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
)

// BenchmarkNetwork judges what files say of links, sessions, policies and subnets of hosts, without reading them: 10,000
// switches in pods of 192 leaves and 8 spines, with one file each or three, each with its BGP neighbours, their policies and a subnet of
// hosts. MB-live is what stays allocated while the findings are made.
func BenchmarkNetwork(b *testing.B) {
	for _, size := range [][2]int{{5, 1}, {5, 3}, {50, 1}, {50, 3}} {
		pods, files := size[0], size[1]
		b.Run(fmt.Sprintf("%dx%d", 200*pods, files), func(b *testing.B) {
			v, all := podsOf(b, pods, files)
			b.ReportAllocs()
			before := live()
			after := before
			for b.Loop() {
				says, order, files := endings(all)
				speakers := speakersOf(v.Fabric.Plan, says)
				ends, err := v.linkEnds(all, says, order, speakers, files)
				led, failed := v.routes(&Deadlock{}, all, says, order, speakers)
				if err != nil || failed != nil {
					b.Fatal(err, failed)
				}
				found := append(ends, led...)
				b.StopTimer()
				if len(found) > 0 {
					b.Fatalf("%d findings: %v", len(found), found[0])
				}
				after = max(after, live())
				runtime.KeepAlive(says)
				runtime.KeepAlive(speakers)
				b.StartTimer()
			}
			b.ReportMetric(float64(after-before)/1e6, "MB-live")
		})
	}
}

func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// podsOf returns the switches of some pods as files of EOS describe them.
func podsOf(b *testing.B, pods, files int) (*Verifier, []*Switch) {
	const leaves, spines = 192, 8
	format, _ := FormatOf("eos")
	fabric := &plan.Plan{}
	var all []*Switch
	add := func(name string, as, ports int, up func(port int) (own, peer string, peerAS int), hosts string) {
		var t strings.Builder
		fmt.Fprintf(&t, "hostname %s\nip prefix-list ALL seq 10 permit 10.0.0.0/8 le 32\nroute-map ALL permit 10\n   match ip address prefix-list ALL\n", name)
		sw := &plan.Switch{Names: []string{name}}
		var bgp strings.Builder
		fmt.Fprintf(&bgp, "router bgp %d\n   maximum-paths 64\n   redistribute connected\n   neighbor FABRIC peer group\n   neighbor FABRIC route-map ALL in\n   neighbor FABRIC route-map ALL out\n", as)
		for i := range ports {
			own, peer, peerAS := up(i)
			sw.Ports = append(sw.Ports, plan.Port{Name: fmt.Sprintf("Ethernet%d/1", i+1)})
			fmt.Fprintf(&t, "interface Ethernet%d/1\n   no switchport\n   ip address %s/31\n", i+1, own)
			fmt.Fprintf(&bgp, "   neighbor %s peer group FABRIC\n   neighbor %s remote-as %d\n   neighbor %s password 7 abc\n", peer, peer, peerAS, peer)
		}
		if hosts != "" {
			port := fmt.Sprintf("Ethernet%d/1", ports+1)
			sw.Ports = append(sw.Ports, plan.Port{Name: port})
			fmt.Fprintf(&t, "vlan 100\ninterface %s\n   switchport access vlan 100\ninterface Vlan100\n   ip address %s\n", port, hosts)
		}
		fabric.Switches = append(fabric.Switches, sw)
		for k := range files {
			file := fmt.Sprintf("%s/%d.cfg", name, k)
			all = append(all, &Switch{Names: sw.Names, Files: []string{file}, Format: format.Name, Plan: sw,
				shape: &Shape{Format: format, Devices: sw.Names, Files: []string{file}, Result: format.Read(file, []byte(t.String()+bgp.String()), read.Options{})}})
		}
	}
	for pod := range pods {
		address := func(leaf, spine, side int) string {
			n := 2*((pod*leaves+leaf)*spines+spine) + side
			return fmt.Sprintf("10.%d.%d.%d", 128+n>>16, n>>8&255, n&255)
		}
		leafAS, spineAS := 65_001, 4_200_000_000+pod
		for l := range leaves {
			name := fmt.Sprintf("leaf-%d-%d", pod, l)
			n := pod*leaves + l
			add(name, leafAS+1000+n, spines, func(s int) (string, string, int) { return address(l, s, 1), address(l, s, 0), spineAS }, fmt.Sprintf("10.%d.%d.1/24", n>>8, n&255))
			for s := range spines {
				fabric.Links = append(fabric.Links, plan.Link{A: plan.LinkEnd{Switch: name, Port: fmt.Sprintf("Ethernet%d/1", s+1)}, B: plan.LinkEnd{Switch: fmt.Sprintf("spine-%d-%d", pod, s), Port: fmt.Sprintf("Ethernet%d/1", l+1)}})
			}
		}
		for s := range spines {
			add(fmt.Sprintf("spine-%d-%d", pod, s), spineAS, leaves, func(l int) (string, string, int) {
				return address(l, s, 0), address(l, s, 1), leafAS + 1000 + pod*leaves + l
			}, "")
		}
	}
	return New(Options{Fabric: &Fabric{Plan: fabric}}), all
}
