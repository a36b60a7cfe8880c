// Way checks the certificate of the way of a rollout. Like the checker beside it, it is written from docs/certificates.md ("The way"),
// and shares no code with the program that writes certificates, nor with that checker.
//
//	way w.json …
//
// It goes through all pairs of states that the order of steps allows. The certificates of the states are in the file that w.json names:
// the checker checks them. For each way it prints a line that begins with "right" or "refused", and what is wrong below it. It
// exits with 1 if any is refused or does not prove all.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: way w.json …")
		os.Exit(2)
	}
	code := 0
	for _, name := range os.Args[1:] {
		w, err := read(name)
		wrong := []string{}
		if err == nil {
			wrong, err = w.check(filepath.Dir(name))
		}
		if err != nil {
			wrong = append(wrong, err.Error())
		}
		if len(wrong) > 0 {
			fmt.Printf("refused %s\n  %s\n", name, strings.Join(wrong, "\n  "))
			code = 1
			continue
		}
		proved := w.Verdict == holds || w.Verdict == conditional
		fmt.Printf("right %s: %d steps; all hold: %t, if the checker says so of %s\n", name, len(w.Moments), proved, w.Proofs.File)
		if !proved {
			code = 1
		}
	}
	os.Exit(code)
}

// The form. Fields are called as on the page.

const holds, conditional, unjudged, fails = "holds", "conditional", "cannot be judged", "fails"

type certificate struct {
	Schema, Verdict        string
	Moments                []moment
	Before, After, Stopped []int
	Assumed                []string
	Drained                []struct {
		Step    int
		Devices []string
		Because string
	}
	Chains []chain
	Views  []view
	Links  []link
	Pairs  []pairs
	Proofs struct{ File, SHA256 string }
	proofs
}

type moment struct {
	Step             string
	Lossless, Silent []int
	Frame            int64
}

type chain struct {
	Devices []string
	NIC     bool
	States  []state
	Ports   []kind
}

type state struct {
	Step         int
	Phase, Proof string
	Gone         bool
	Sends        []int
	Frame        int64
}

type kind struct {
	Names []string
	Views []int
}

type link struct {
	A, B  [2]int
	Links int
	Ends  [2]string
	Cable []int64
	Lossy [][]int
}

type pairs struct {
	Link, Step, Pairs, Down int
	Verdict                 string
	Fails                   []failure
}

type failure struct {
	A, B, DSCP int
	Because    string
}

type view struct {
	Speed, Frame   int64
	FEC            string
	PFC, Lossless  uint8
	Groups, Queues [8]uint8
	In, Out        sets
}

// Sets are bits by code point.
type sets map[int]uint16

func (s *sets) UnmarshalJSON(text []byte) error {
	named := map[string]uint16{}
	if err := json.Unmarshal(text, &named); err != nil {
		return err
	}
	*s = sets{}
	for name, bits := range named {
		d, err := strconv.Atoi(name)
		if err != nil || d < 0 || d > 63 || strconv.Itoa(d) != name {
			return fmt.Errorf("%q is no code point", name)
		}
		(*s)[d] = bits
	}
	return nil
}

// Of the certificates of the states, what the way depends on.
type proofs struct {
	of    map[string]*proof
	lacks map[string]bool
}

type proof struct {
	Switches []string
	Verdict  string
	Coverage struct {
		DSCPs string `json:"lossless_dscps"`
	}
	Model struct {
		Ports []struct {
			Name     string
			Link     struct{ Rate, Cable int64 }
			Pausable uint8
			Groups   []struct{ Lossless bool }
		}
	}
}

func read(name string) (*certificate, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	w, decoder := &certificate{}, json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(w); err != nil {
		return nil, err
	}
	if _, after := decoder.Token(); after != io.EOF {
		return nil, errors.New("something follows the last brace")
	}
	if w.Schema != "roceplan/way/1" {
		return nil, fmt.Errorf("its schema is %q", w.Schema)
	}
	return w, nil
}

// readProofs reads the file of certificates that the way names, beside it.
func (w *certificate) readProofs(folder string) error {
	if !filepath.IsLocal(w.Proofs.File) {
		return fmt.Errorf("the file %q is not next to it", w.Proofs.File)
	}
	text, err := os.ReadFile(filepath.Join(folder, w.Proofs.File))
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != w.Proofs.SHA256 {
		return errors.New("the certificates of its states have another digest")
	}
	list := struct {
		Certificates []proof
		Lacks        []struct{ Device string }
	}{}
	w.of, w.lacks = map[string]*proof{}, map[string]bool{}
	err = json.Unmarshal(text, &list)
	for i, c := range list.Certificates {
		for _, name := range c.Switches {
			w.of[name] = &list.Certificates[i]
		}
	}
	for _, l := range list.Lacks {
		w.lacks[l.Device] = true
	}
	return err
}

// check gives all that is wrong.
func (w *certificate) check(folder string) (wrong []string, err error) {
	if err := w.readProofs(folder); err != nil {
		return nil, err
	}
	if wrong = w.order(); len(wrong) > 0 {
		return wrong, nil
	}
	wrong = append(w.traffic(), w.states()...)
	verdicts, next := []string{holds}, 0
	for i := range w.Links {
		for step := 1; step <= len(w.Moments); step++ {
			p := w.pairs(i, step)
			if p.Pairs == 0 {
				continue
			}
			verdicts = append(verdicts, p.Verdict)
			if next >= len(w.Pairs) || !p.same(w.Pairs[next]) {
				return append(wrong, fmt.Sprintf("link %d, step %d: its pairs are %+v", i, step, p)), nil
			}
			next++
		}
	}
	if next < len(w.Pairs) {
		wrong = append(wrong, "it has pairs that the order does not allow")
	}
	for _, p := range w.of {
		verdicts = append(verdicts, p.Verdict)
	}
	if len(w.lacks) > 0 {
		verdicts = append(verdicts, unjudged)
	}
	worst := ""
	for _, verdict := range []string{fails, unjudged, conditional, holds} {
		if worst == "" && slices.Contains(verdicts, verdict) {
			worst = verdict
		}
	}
	if worst != w.Verdict {
		wrong = append(wrong, fmt.Sprintf("its verdict is %q, and its parts demand %q", w.Verdict, worst))
	}
	return wrong, nil
}

// same compares pairs, but for words, which have to be there.
func (p pairs) same(o pairs) bool {
	for i := range o.Fails {
		if o.Fails[i].Because == "" {
			return false
		}
		o.Fails[i].Because = ""
	}
	return p.Link == o.Link && p.Step == o.Step && p.Pairs == o.Pairs && p.Down == o.Down && p.Verdict == o.Verdict && slices.Equal(p.Fails, o.Fails)
}

// ascending reports whether a list has code points, each once.
func ascending(lists ...[]int) bool {
	for _, list := range lists {
		for i, d := range list {
			if d < 0 || d > 63 || i > 0 && d <= list[i-1] {
				return false
			}
		}
	}
	return true
}

// order checks that states follow one another, and that all numbers are of something.
func (w *certificate) order() (wrong []string) {
	good, steps, names := ascending(w.Before, w.After, w.Stopped), len(w.Moments), map[string]bool{}
	for _, m := range w.Moments {
		good = good && ascending(m.Lossless, m.Silent)
	}
	for _, c := range w.Chains {
		good = good && len(c.Devices) > 0 && len(c.States) > 0
		for _, name := range c.Devices {
			good = good && !names[name]
			names[name] = true
		}
		for i, s := range c.States {
			good = good && s.Step >= 0 && s.Step <= steps && ascending(s.Sends) && (c.NIC && s.Proof == "" || !c.NIC && len(s.Sends) == 0 && s.Frame == 0) && s.Frame >= 0
			if i == 0 {
				good = good && (s.Step > 0 || s.Phase == "")
			} else { // a state after the step ends it
				last := c.States[i-1]
				good = good && s.Step > 0 && (last.Step < s.Step && last.Phase == "" || last.Step == s.Step && last.Phase != "")
			}
		}
		if good {
			good = c.States[len(c.States)-1].Phase == "" && (!c.NIC || len(c.Ports) > 0)
		}
		for _, k := range c.Ports {
			good = good && len(k.Names) > 0 && len(k.Views) == len(c.States)
			for _, v := range k.Views {
				good = good && v >= -1 && v < len(w.Views)
			}
		}
	}
	for _, l := range w.Links {
		good = good && len(l.Cable) == steps && l.Links > 0
		for _, e := range [][2]int{l.A, l.B} {
			good = good && e[0] >= 0 && e[0] < len(w.Chains) && e[1] >= 0 && e[1] < len(w.Chains[e[0]].Ports)
		}
		for _, length := range l.Cable {
			good = good && length >= 0
		}
	}
	for _, d := range w.Drained {
		good = good && d.Step > 0 && d.Step <= steps && d.Because != ""
	}
	if !good {
		wrong = append(wrong, "states, links or code points are out of order or of nothing")
	}
	return wrong
}

// during are the states that a chain can have in a step: the last one from before it, and all of the step. Those within a step
// for which all of its devices are drained are left out.
func (w *certificate) during(c *chain, step int) (list []int) {
	last := -1
	for i, s := range c.States {
		if s.Step < step {
			last = i
		}
	}
	if last >= 0 {
		list = append(list, last)
	}
	for i := last + 1; i < len(c.States) && c.States[i].Step == step; i++ {
		if !w.drained(c, c.States[i]) {
			list = append(list, i)
		}
	}
	return list
}

func (w *certificate) drained(c *chain, s state) bool {
	for _, d := range w.Drained {
		out := d.Step == s.Step && s.Phase != ""
		for _, name := range c.Devices {
			out = out && slices.Contains(d.Devices, name)
		}
		if out {
			return true
		}
	}
	return false
}

// traffic checks that each step knows what is sent: what is lossless in both plans and not stopped, what NICs send, and no frame is
// larger. What is lossless in one of the plans is under way or silent.
func (w *certificate) traffic() (wrong []string) {
	for i, m := range w.Moments {
		good := true
		for d := range 64 {
			old, now, stopped := slices.Contains(w.Before, d), slices.Contains(w.After, d), slices.Contains(w.Stopped, d)
			lossless, silent := slices.Contains(m.Lossless, d), slices.Contains(m.Silent, d)
			good = good && lossless == (!silent && (old || now)) && !(silent && !old && !now) && !(old && now && !stopped && !lossless) && !(lossless && stopped)
		}
		for c := range w.Chains {
			for _, s := range w.during(&w.Chains[c], i+1) {
				if !w.Chains[c].NIC {
					continue
				}
				for _, d := range w.Chains[c].States[s].Sends {
					good = good && (slices.Contains(m.Lossless, d) || slices.Contains(w.Stopped, d))
				}
				good = good && w.Chains[c].States[s].Frame <= m.Frame
			}
		}
		if !good {
			wrong = append(wrong, fmt.Sprintf("step %d: its traffic is not that of the plans and NICs", i+1))
		}
	}
	return wrong
}

// states checks that each state in which something is lossless has a certificate, with the ports as their links have them.
func (w *certificate) states() (wrong []string) {
	used := map[string]bool{}
	for i := range w.Chains {
		c := &w.Chains[i]
		for j, s := range c.States {
			used[s.Proof] = true
			promises := s.Proof != ""
			for _, k := range c.Ports {
				promises = promises || k.Views[j] >= 0 && w.Views[k.Views[j]].PFC != 0 && w.Views[k.Views[j]].Lossless != 0
			}
			if promises && !c.NIC && !s.Gone && !w.drained(c, s) && w.of[s.Proof] == nil && !w.lacks[s.Proof] {
				wrong = append(wrong, fmt.Sprintf("state %d of %s has no certificate", j, c.Devices[0]))
			}
		}
	}
	for name := range w.of {
		if !used[name] {
			wrong = append(wrong, fmt.Sprintf("%s is the certificate of no state", name))
		}
	}
	for name := range w.lacks {
		if !used[name] {
			wrong = append(wrong, fmt.Sprintf("%s is no state", name))
		}
	}
	for i, l := range w.Links {
		if !w.lossyAsTold(l) {
			wrong = append(wrong, fmt.Sprintf("link %d: it does not say which code points it does not keep lossless", i))
		}
		for _, at := range [][2][2]int{{l.A, l.B}, {l.B, l.A}} {
			c, demanded := &w.Chains[at[0][0]], w.demanded(at[1], at[0])
			for step, cable := range l.Cable {
				for _, s := range w.during(c, step+1) {
					v := w.view(at[0], s)
					if p := w.of[c.States[s].Proof]; p != nil && v != nil && cable > 0 {
						for _, name := range c.Ports[at[0][1]].Names {
							if !p.has(name, v, cable, w.Moments[step].Lossless, demanded) {
								wrong = append(wrong, fmt.Sprintf("step %d: %s has another port %s", step+1, c.States[s].Proof, name))
							}
						}
					}
				}
			}
		}
	}
	return wrong
}

// lossyAsTold reports whether a link names the code points that it does not keep, although both ends have them lossless in one of the
// plans by their certificates: NICs have all so, and a port of a switch those of the certificate if it has a lossless group.
func (w *certificate) lossyAsTold(l link) bool {
	found, some := [][]int{{}, {}}, false
	for i, at := range [][2][2]int{{l.A, l.B}, {l.B, l.A}} {
		demanded := w.demanded(at[0], at[1])
		for d := range 64 {
			promised := slices.Contains(w.Before, d) && w.promises(at[0], d, false) && w.promises(at[1], d, false) ||
				slices.Contains(w.After, d) && w.promises(at[0], d, true) && w.promises(at[1], d, true)
			if promised && !demanded[d] {
				found[i], some = append(found[i], d), true
			}
		}
	}
	if !some {
		return len(l.Lossy) == 0
	}
	return len(l.Lossy) == 2 && slices.Equal(l.Lossy[0], found[0]) && slices.Equal(l.Lossy[1], found[1])
}

// end is the first or the last state of a chain in which it is there, -1 if there is none.
func (c *chain) end(last bool) int {
	end := -1
	for i, s := range c.States {
		if !s.Gone && (last || end < 0) {
			end = i
		}
	}
	return end
}

func (w *certificate) promises(at [2]int, d int, last bool) bool {
	c := &w.Chains[at[0]]
	end := c.end(last)
	if end < 0 || w.view(at, end) == nil {
		return false
	}
	p := w.of[c.States[end].Proof]
	if c.NIC || p == nil {
		return c.NIC
	}
	for _, port := range p.Model.Ports {
		if port.Name != c.Ports[at[1]].Names[0] {
			continue
		}
		for _, g := range port.Groups {
			if g.Lossless {
				return among(d, p.Coverage.DSCPs)
			}
		}
	}
	return false
}

// among reports whether a number is in a list such as "24-26,46".
func among(d int, list string) bool {
	for _, part := range strings.Split(list, ",") {
		first, last, several := strings.Cut(part, "-")
		if !several {
			last = first
		}
		from, err := strconv.Atoi(first)
		to, also := strconv.Atoi(last)
		if err == nil && also == nil && from <= d && d <= to {
			return true
		}
	}
	return false
}

// has reports whether a certificate has a port with a cable that is no shorter, a length of 1 mm is an unknown one, of its speed, and with
// the groups of code points lossless and paused.
func (p *proof) has(name string, v *view, cable int64, lossless []int, demanded [64]bool) bool {
	for _, port := range p.Model.Ports {
		if port.Name != name {
			continue
		}
		good := (port.Link.Cable >= cable || cable == 1) && (v.Speed == 0 || port.Link.Rate == v.Speed)
		for _, d := range lossless {
			for g := range 16 {
				if demanded[d] && v.In[d]>>g&1 == 1 {
					good = good && g < 8 && g < len(port.Groups) && port.Groups[g].Lossless && port.Pausable>>g&1 == 1
				}
			}
		}
		return good
	}
	return false
}

func (w *certificate) view(at [2]int, state int) *view {
	if v := w.Chains[at[0]].Ports[at[1]].Views[state]; v >= 0 {
		return &w.Views[v]
	}
	return nil
}

// demanded are the code points that have to stay lossless in one direction: of those in both plans, the ones that both keep so there; of
// the others, those that their plan keeps. A plan without the link keeps all.
func (w *certificate) demanded(from, to [2]int) (list [64]bool) {
	keeps := func(last bool, d int) bool {
		step, ends := 0, [2]*view{}
		for i, at := range [][2]int{from, to} {
			if end := w.Chains[at[0]].end(last); end >= 0 {
				ends[i] = w.view(at, end)
			}
		}
		if last {
			step = len(w.Moments) - 1
		}
		return ends[0] == nil || ends[1] == nil || kept(ends[0], ends[1], d, w.Moments[step].Silent)
	}
	for d := range list {
		old, now := slices.Contains(w.Before, d), slices.Contains(w.After, d)
		list[d] = len(w.Moments) > 0 && (old || now) && (!old || keeps(false, d)) && (!now || keeps(true, d))
	}
	return list
}

// kept reports whether packets with a code point stay lossless: the receiver stops them, and all others that enter their group.
func kept(from, to *view, d int, silent []int) bool {
	good := stopped(from, to, d)
	for other, groups := range to.In {
		if groups&to.In[d]&uint16(to.Lossless) != 0 && !slices.Contains(silent, other) {
			good = good && stopped(from, to, other)
		}
	}
	return good
}

// stopped reports whether for each group that a code point enters, which is lossless, pauses of it stop all queues by which it leaves.
func stopped(from, to *view, d int) bool {
	good := from.Out[d] != 0 && to.In[d] != 0
	for g := range 16 {
		if to.In[d]>>g&1 == 0 {
			continue
		}
		queues := uint16(0)
		for p := range 8 {
			if from.PFC&to.PFC>>p&1 == 1 && int(to.Groups[p]) == g && from.Queues[p] < 16 {
				queues |= 1 << from.Queues[p]
			}
		}
		good = good && g < 8 && to.Lossless>>g&1 == 1 && from.Out[d]&^queues == 0
	}
	return good
}

// pairs goes through the pairs of states of a link in a step.
func (w *certificate) pairs(i, step int) pairs {
	l, m := &w.Links[i], &w.Moments[step-1]
	p := pairs{Link: i, Step: step, Verdict: holds}
	if l.Cable[step-1] == 0 {
		return p
	}
	there, back := w.demanded(l.A, l.B), w.demanded(l.B, l.A)
	lost := func(from, to *view, demanded [64]bool) int {
		for _, d := range m.Lossless {
			large := to.Frame > 0 && min(from.Frame, m.Frame) > to.Frame
			if demanded[d] && (large || !kept(from, to, d, m.Silent)) {
				return d
			}
		}
		return -1
	}
	for _, a := range w.during(&w.Chains[l.A[0]], step) {
		for _, b := range w.during(&w.Chains[l.B[0]], step) {
			x, y := w.view(l.A, a), w.view(l.B, b)
			if x == nil || y == nil {
				continue
			}
			p.Pairs++
			plain := func(fec string) bool { return fec == "" || fec == "auto" }
			if x.Speed != y.Speed && x.Speed > 0 && y.Speed > 0 || x.FEC != y.FEC && !plain(x.FEC) && !plain(y.FEC) {
				p.Down++
				continue
			}
			d := lost(x, y, there)
			if d < 0 {
				d = lost(y, x, back)
			}
			if d >= 0 {
				p.Verdict, p.Fails = fails, append(p.Fails, failure{A: a, B: b, DSCP: d})
			}
		}
	}
	return p
}
