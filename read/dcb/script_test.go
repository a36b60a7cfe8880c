package dcb

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/roceplan/roceplan/emit/host"
	"github.com/roceplan/roceplan/internal/testing/must"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// A kernel does what `dcb … set` and `dcb app replace` ask, and prints it as dcb does.
type kernel struct {
	pfc      [8]bool
	delay    int
	dscp     map[int]int
	willing  bool
	tc, bw   [8]int
	tsa      [8]string
	of, size [8]int
}

// maps calls set for each KEY:VALUE that follows a word, all: for each key.
func maps(words []string, after string, set func(key int, value string)) {
	on := false
	for _, w := range words {
		key, value, pair := strings.Cut(w, ":")
		if !pair {
			on = w == after
			continue
		}
		if !on {
			continue
		}
		for k := range 8 {
			if key == "all" {
				set(k, value)
			}
		}
		if k, err := strconv.Atoi(key); err == nil {
			set(k, value)
		}
	}
}

func (k *kernel) call(words []string) {
	number := func(to []int) func(int, string) {
		return func(key int, value string) { to[key], _ = strconv.Atoi(value) }
	}
	for i, w := range words {
		if w == "delay" {
			k.delay, _ = strconv.Atoi(words[i+1])
		}
	}
	maps(words, "prio-pfc", func(p int, v string) { k.pfc[p] = v == "on" })
	maps(words, "dscp-prio", func(d int, v string) { k.dscp[d], _ = strconv.Atoi(v) })
	maps(words, "prio-tc", number(k.tc[:]))
	maps(words, "tc-bw", number(k.bw[:]))
	maps(words, "tc-tsa", func(t int, v string) { k.tsa[t] = v })
	maps(words, "prio-buffer", number(k.of[:]))
	maps(words, "buffer-size", number(k.size[:]))
	if strings.Contains(strings.Join(words, " "), "willing off") {
		k.willing = false
	}
}

func (k *kernel) show(t *rapid.T) []byte {
	pairs := [][2]int{}
	for d, p := range k.dscp {
		pairs = append(pairs, [2]int{d, p})
	}
	var out []byte
	for _, part := range []any{
		map[string]any{"pfc_cap": 8, "delay": k.delay, "prio_pfc": k.pfc},
		map[string]any{"dscp_prio": pairs},
		map[string]any{"willing": k.willing, "prio_tc": k.tc, "tc_tsa": k.tsa, "tc_bw": k.bw},
		map[string]any{"prio_buffer": k.of, "buffer_size": k.size, "total_size": total},
	} {
		text := must.Get(json.Marshal(part))(t)
		out = append(append(out, text...), '\n')
	}
	return out
}

const total = 1 << 20

// dcbCalls returns the commands of dcb in a script, without their quotes; $part as the
// script computes it.
func dcbCalls(script string, parts int) (calls [][]string) {
	part := strconv.Itoa(total / parts / 128 * 128)
	for line := range strings.Lines(script) {
		_, call, found := strings.Cut(line, "run dcb ")
		if found {
			call = strings.NewReplacer(`"`, "", "$if", "eth2", "$part", part, ";;", "").Replace(call)
			calls = append(calls, strings.Fields(call))
		}
	}
	return calls
}

// anyHost draws a NIC that the language and the emitter admit.
func anyHost(t *rapid.T) *plan.Host {
	h := &plan.Host{
		Name: "nic", Model: rapid.SampledFrom([]string{"connectx-5", "connectx-7", "bluefield-3", "thor2", "other"}).Draw(t, "model"),
		MTU: 9216, CNPDSCP: 48, Cable: units.Length(rapid.Int64Range(1, 1_000_000).Draw(t, "mm")), Speed: 100 * units.Gbps,
	}
	priorities := rapid.Permutation([]uint8{0, 1, 2, 3, 4, 5, 6, 7}).Draw(t, "priorities")
	h.CNPPFC = priorities[2]
	share := rapid.Int64Range(1, 99).Draw(t, "share")
	h.Classes = []plan.HostClass{
		{Name: "rest", Priority: priorities[0], Share: share},
		{Name: "rdma", DSCPs: []uint8{26}, Priority: priorities[1], Lossless: true, Share: 100 - share, Used: true, ECN: true, CongestionControl: "dcqcn"},
		{Name: "cnp", DSCPs: []uint8{48}, Priority: priorities[2], Strict: true, CNP: true},
	}
	if h.Model != "thor2" && rapid.Bool().Draw(t, "two") {
		h.Classes = append(h.Classes, plan.HostClass{Name: "store", DSCPs: []uint8{34, 35}, Priority: priorities[3], Lossless: true, Strict: true, Used: true})
	}
	for d := range h.Priorities {
		h.Priorities[d] = priorities[0]
	}
	for _, c := range h.Classes {
		for _, d := range c.DSCPs {
			h.Priorities[d] = c.Priority
		}
	}
	return h
}

// A NIC that did what its script says passes the audit, and one that skipped any of the
// commands does not: the script has nothing that the audit does not look at.
func TestScriptsPassTheAudit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := anyHost(t)
		files := must.Sound(host.Emit(h))(t)
		parts := 1
		for p := range 8 {
			parts += int(h.Lossless() >> p & 1)
		}
		script := string(files[0].Body.AppendFor(nil, ""))
		calls := dcbCalls(script, parts)
		skip := rapid.IntRange(-1, len(calls)-1).Draw(t, "skip")
		// As drivers come up: everything in one place, willing, and nothing paused.
		k := &kernel{dscp: map[int]int{}, willing: h.Model != "thor2"}
		for i := range k.tsa {
			k.tsa[i] = "vendor"
		}
		for i, words := range calls {
			if i != skip {
				k.call(words)
			}
		}
		r, found := Read("eth2.json", k.show(t))
		found = append(found, Audit(h, r)...)
		name := "none"
		if skip >= 0 {
			name = strings.Join(calls[skip], " ")
		}
		// What dcb does not show, and what is so without being asked.
		silent := skip >= 0 && (calls[skip][0] == "dcbx" || strings.Contains(name, "dgram-port-prio") || strings.Contains(name, "app flush") ||
			h.Model == "thor2" && strings.Contains(name, "dscp-prio") && strings.HasSuffix(name, ":0"))
		switch {
		case skip < 0 || silent:
			if len(found) > 0 {
				t.Fatalf("%s without %q: %v\n%s", h.Model, name, found, fmt.Sprint(calls))
			}
		case len(found) == 0 && calls[skip][0] != "buffer":
			t.Fatalf("%s without %q is not found", h.Model, name)
		}
	})
}
