package intake

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/observe"
)

func isEthtool(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("NIC statistics:"))
}

// readEthtool reads `ethtool -S`: a name and a number on each line. The file is called after the
// port and is in the folder of its server; of one that is called after a time or "ethtool", the
// port stays nameless.
func readEthtool(r *reader, text []byte) {
	object := observe.Object{Kind: observe.NIC}
	if port, folder := nicOf(r.file); port != "" {
		r.device, object.Name = folder, port
	}
	lines := strings.Split(string(text), "\n")
	if r.cutOff(lines) {
		return
	}
	for i, line := range lines[1:] {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		counter, known := nicCounter(name)
		if !ok || !known {
			continue
		}
		if n, ok := r.wholeText(value, name, r.line(i+2)); ok {
			r.add(observe.Row{Object: object, Counter: counter, Value: n, Source: "ethtool -S", At: r.line(i + 2)})
		}
	}
}

// nicCounter returns the counter of a driver's name for it. mlx5 has the names of [observe.Known]; Broadcom's
// driver counts pause frames of a priority as rx_pfc_ena_frames_pri3 (Linux,
// drivers/net/ethernet/broadcom/bnxt/bnxt_ethtool.c; bnxt_dcb.c returns these counters as indications and
// requests of PFC).
func nicCounter(name string) (observe.Counter, bool) {
	for p := range uint8(8) {
		switch name {
		case fmt.Sprintf("rx_pfc_ena_frames_pri%d", p):
			return observe.NICPauseReceived(p), true
		case fmt.Sprintf("tx_pfc_ena_frames_pri%d", p):
			return observe.NICPauseSent(p), true
		}
	}
	if c, ok := ionicCounters[name]; ok {
		return c, true
	}
	return observe.Counter(name), slices.Contains(observe.Known(observe.NIC), observe.Counter(name))
}

// ionicCounters are those that AMD's driver has for RDMA, on Pollara too (pensando/sw, nic/hal/plugins/cfg/rdma/rdma.cc, rdma_stats_hdrs;
// amdsmi has them as statistics of RDMA ports). Pause frames are counted there for all priorities together, and times of pauses by priority.
var ionicCounters = map[string]observe.Counter{
	"tx_rdma_cnp_pkts": observe.CNPSent, "rx_rdma_cnp_pkts": observe.CNPHandled, "rx_rdma_ecn_pkts": observe.ECNMarked,
	"resp_rx_outof_buf": observe.OutOfBuffer, "resp_rx_outouf_seq": observe.OutOfSequence,
}

// nicOf returns the port and the server in the name of a file; empty where the name is a time or says
// what is in the file.
func nicOf(file string) (port, server string) {
	file = filepath.ToSlash(file)
	base := strings.TrimSuffix(path.Base(file), path.Ext(file))
	folder := path.Base(path.Dir(file))
	if _, err := time.Parse(TimeLayout, base); err == nil || usual(base) || slices.Contains([]string{".", "..", "/"}, folder) {
		return "", ""
	}
	return base, folder
}

func isRDMA(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("link ")) ||
		opens(text, "[") && bytes.Contains(text, []byte(`"ifname"`)) && !bytes.Contains(text, []byte(`"timestamp"`))
}

// readRDMA reads `rdma statistic show`, also with -j (iproute2, rdma/stat.c): of each link, its
// name, DEVICE/PORT, and pairs of a counter and a number.
func readRDMA(r *reader, text []byte) {
	if opens(text, "[") {
		readRDMAJSON(r, text)
		return
	}
	lines := strings.Split(string(text), "\n")
	if r.cutOff(lines) {
		return
	}
	for i, line := range lines {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != "link" {
			continue
		}
		for j := 2; j+1 < len(fields); j += 2 {
			counter, known := nicCounter(fields[j])
			if !known {
				continue
			}
			if n, ok := r.wholeText(fields[j+1], fields[j], r.line(i+1)); ok {
				r.add(observe.Row{Object: observe.Object{Kind: observe.NIC, Name: fields[1]}, Counter: counter, Value: n, Source: "rdma statistic", At: r.line(i + 1)})
			}
		}
	}
}

func readRDMAJSON(r *reader, text []byte) {
	root := r.document(text)
	for _, link := range items(root) {
		object := observe.Object{Kind: observe.NIC, Name: scalar(link.Get("ifname")) + "/" + scalar(link.Get("port"))}
		for i := range link.Members {
			m := &link.Members[i]
			counter, known := nicCounter(m.Key)
			if m.Value.Kind == posjson.Object || !known {
				continue
			}
			if n, ok := r.whole(&m.Value, m.Key); ok {
				r.add(observe.Row{Object: object, Counter: counter, Value: n, Source: "rdma statistic", At: r.doc.At(&m.Value)})
			}
		}
	}
}
