package intake

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/roceplan/roceplan/internal/posjson"
	"github.com/roceplan/roceplan/observe"
)

// ethtoolLine is the first line of `ethtool -S`, or one of PFC that grep left of it. linkLine begins a link of `rdma statistic`.
var (
	ethtoolLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(NIC statistics:|[ \t]+[rt]x_(prio[0-7]_pause|pfc_ena_frames_pri[0-7]|priority_[0-7]_xoff\.nic): \d)`)
	})
	linkLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^link \S+/[0-9]+\s`) })
)

func isEthtool(text []byte) bool { return ethtoolLine().Match(text) }

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
	all := parts{}
	for i, line := range lines {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if m := icePriority.FindStringSubmatch(name); m != nil {
			name = m[1] + "x_prio" + m[2] + "_pause"
		}
		if counter, known := nicCounter(name); ok && known {
			all.add(r, object, counter, value, "ethtool -S", i+1)
		}
	}
	all.into(r)
}

// icePriority is a name of Intel's ice for frames that stop a priority, or let it go on. Both are pause frames (Intel Ethernet 800
// Series, Linux Flow Control Configuration Guide for RDMA, Priority Counters), and other drivers count them together.
var icePriority = regexp.MustCompile(`^([rt])x_priority_([0-7])_xo(?:n|ff)\.nic$`)

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
	return linkLine().Match(text) ||
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
	link, name := "", "" // a terminal or -p breaks the line of a link, also between a name and its number
	for i, line := range lines {
		if isPrompt(line) {
			continue
		}
		if strings.HasPrefix(line, "link ") {
			name = ""
		}
		for _, word := range strings.Fields(line) {
			counter, known := nicCounter(name)
			switch {
			case name == "":
				name = word
				continue
			case name == "link":
				link = word
			case known && link != "":
				r.count(observe.Object{Kind: observe.NIC, Name: link}, counter, word, "rdma statistic", i+1)
			}
			name = ""
		}
	}
	if name != "" {
		r.found.Errorf(Invalid, r.line(len(lines)-1), "%s has no number: the output is cut off", clip(name)).Fixf("record the output again, to its end")
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
