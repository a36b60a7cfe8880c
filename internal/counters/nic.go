package counters

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/roceplan/roceplan/model/sim"
	"github.com/roceplan/roceplan/model/sim/fabric"
	"github.com/roceplan/roceplan/observe"
)

// nicPort is a host's port in the simulator.
type nicPort struct {
	name string
	port int
	net  *fabric.Network
}

// A NIC holds the counters of a host's NIC.
type NIC struct {
	Name     string // nic.SWITCH.PORT, of the port that it is to be plugged into
	Counters []NICCounter
}

// A NICCounter is one number.
type NICCounter struct {
	Name  observe.Counter
	Value int64
}

func (p *nicPort) read(c *sim.Counted) NIC {
	counted := &c.Ports[p.port]
	n := NIC{p.name, []NICCounter{
		{observe.CNPSent, counted.CNPsSent},
		{observe.ECNMarked, counted.MarkedReceived},
		// Losses of a stuck or full NIC. The counter differs: a NIC whose own buffer is full may count it
		// as rx_discards_phy instead.
		{observe.OutOfBuffer, counted.Overruns},
		{observe.CNPHandled, counted.CNPsHandled},
		{observe.CNPIgnored, counted.CNPsIgnored},
	}}
	for class := range counted.Classes {
		if p.net.Lossless>>class&1 == 0 {
			continue
		}
		priority, k := p.net.Priority[class], &counted.Classes[class]
		n.Counters = append(n.Counters, NICCounter{observe.NICPauseSent(priority), k.PFCSent}, NICCounter{observe.NICPauseReceived(priority), k.PFCReceived})
	}
	return n
}

// hardware reports whether a counter is one of `rdma statistic`; the others are ethtool's.
func hardware(c observe.Counter) bool {
	switch c {
	case observe.CNPSent, observe.ECNMarked, observe.OutOfBuffer, observe.CNPHandled, observe.CNPIgnored:
		return true
	}
	return false
}

// Ethtool returns the output of `ethtool -S`.
func (n *NIC) Ethtool() []byte {
	var out bytes.Buffer
	out.WriteString("NIC statistics:\n")
	for _, c := range n.Counters {
		if !hardware(c.Name) {
			fmt.Fprintf(&out, "     %s: %d\n", c.Name, c.Value)
		}
	}
	return out.Bytes()
}

// RDMA returns the output of `rdma -j statistic show` (iproute2, rdma/stat.c).
func (n *NIC) RDMA() []byte {
	link := []byte(`[{"ifindex":0,"ifname":"mlx5_0","port":1`)
	for _, c := range n.Counters {
		if hardware(c.Name) {
			link = fmt.Appendf(link, ",%q:%d", c.Name, c.Value)
		}
	}
	return append(link, "}]\n"...)
}

// Dump returns the output of sonic-db-dump -n COUNTERS_DB -y: keys in order, each with its type. A
// key that never expires has a time to live of -1 ms, and so expires that long before the dump was
// made (redis-dump-load, redisdl.py).
func (s *Switch) Dump(r *Reading) []byte {
	type hash struct {
		ExpireAt float64           `json:"expireat"`
		TTL      float64           `json:"ttl"`
		Type     string            `json:"type"`
		Value    map[string]string `json:"value"`
	}
	expires := float64(r.Time().UnixMicro())/1e6 - 0.001
	all := map[string]hash{}
	for key, value := range s.Hashes {
		all[key] = hash{expires, -0.001, "hash", value}
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		panic(err) // texts and numbers that are finite
	}
	return append(text, '\n')
}
