package pattern

import (
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/model/sim/workload"
)

// siteOf returns the places of GPUs: in the network's servers, one after the other; without servers, one at each host.
func siteOf(net *fabric.Network) *workload.Site {
	s := &workload.Site{Rate: net.Hosts[0].Rate}
	for server := range net.Servers {
		own := &net.Servers[server]
		for gpu := range own.GPUs {
			s.GPUs = append(s.GPUs, workload.GPU{Server: server, Host: own.NICs[gpu*len(own.NICs)/own.GPUs], Machine: workload.Machine(own.Machine)})
		}
	}
	if len(net.Servers) == 0 {
		for host := range net.Hosts {
			s.GPUs = append(s.GPUs, workload.GPU{Server: host, Host: host})
		}
	}
	return s
}
