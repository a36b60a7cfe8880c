package way

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/units"
	"github.com/roceplan/roceplan/verify"
)

// Open reads the certificates of the states, by the name that the way has for their file. The first error is that of a
// file that cannot be read or is none; wrong is any other fault of it.
func (w *Way) Open(read func(name string) ([]byte, error)) (proofs *verify.Certificates, wrong, err error) {
	if !filepath.IsLocal(filepath.FromSlash(w.Proofs.File)) {
		return nil, nil, fmt.Errorf("the certificates of its states are not next to it, but at %q", w.Proofs.File)
	}
	text, err := read(w.Proofs.File)
	if err != nil {
		return nil, nil, err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != w.Proofs.SHA256 {
		wrong = fmt.Errorf("%s is not the file that the certificate names: its digest differs", w.Proofs.File)
	}
	proofs, err = verify.ParseCertificates(text)
	return proofs, wrong, err
}

// Recheck evaluates all pairs again, and compares the links with those of the certificates of the states. It says what is wrong.
// That the certificates are right, [verify.Alone] says.
func Recheck(w *Way, proofs *verify.Certificates) (errs []error) {
	if errs = w.form(); len(errs) > 0 {
		return errs // nothing can be computed
	}
	errs = append(w.traffic(), w.bound(proofs)...)
	all := []proof.Verdict{proof.Holds}
	computed := append([]Pairs{}, w.Evaluate()...)
	for i, p := range computed {
		all = append(all, p.Verdict)
		if i >= len(w.Pairs) || said(p) != said(w.Pairs[i]) {
			errs = append(errs, fmt.Errorf("link %d, step %d: the pairs are %s", p.Link, p.Step, said(p)))
			break
		}
	}
	if len(computed) != len(w.Pairs) {
		errs = append(errs, fmt.Errorf("it has pairs of %d links and steps, and the order allows %d", len(w.Pairs), len(computed)))
	}
	for _, c := range proofs.Shapes {
		all = append(all, c.Due())
	}
	if len(proofs.Lacks) > 0 {
		all = append(all, proof.Unjudged)
	}
	if worst := Worst(all); w.Verdict != worst {
		errs = append(errs, fmt.Errorf("the verdict is %q, and its parts demand %q", w.Verdict, worst))
	}
	return errs
}

// named are certificates by the names of their states.
func named(proofs *verify.Certificates) map[string]*proof.Certificate {
	of := map[string]*proof.Certificate{}
	for _, c := range proofs.Shapes {
		for _, name := range c.Switches {
			of[name] = c
		}
	}
	return of
}

func said(something any) string {
	text, _ := json.Marshal(something) // a certificate contains only values that can be written
	return string(text)
}

// form reports numbers of what there is not, and states out of order.
func (w *Way) form() (errs []error) {
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	seen := map[string]bool{}
	for i, c := range w.Chains {
		if len(c.Devices) == 0 || len(c.States) == 0 {
			wrong("chain %d has no device or no state", i)
		}
		for _, name := range c.Devices {
			if seen[name] {
				wrong("%s is there twice", name)
			}
			seen[name] = true
		}
		for j, s := range c.States {
			switch {
			case s.Step < 0 || s.Step > len(w.Moments), s.Step == 0 && j > 0, s.Phase != "" && s.Step == 0:
				wrong("%s: state %d is at step %d", c.Devices[0], j, s.Step)
			case j > 0 && (c.States[j-1].Step > s.Step || c.States[j-1].Step == s.Step && c.States[j-1].Phase == ""):
				wrong("%s: state %d is out of order", c.Devices[0], j)
			case s.Phase != "" && (j+1 == len(c.States) || c.States[j+1].Step != s.Step):
				wrong("%s: its last state within step %d leads nowhere", c.Devices[0], s.Step)
			case c.NIC && s.Proof != "" || (len(s.Sends) > 0 || s.Frame != 0) && !c.NIC || s.Frame < 0 || !points(s.Sends):
				wrong("%s: state %d is none", c.Devices[0], j)
			}
		}
		for _, k := range c.Kinds {
			if len(k.Ports) == 0 || len(k.Views) != len(c.States) || slices.ContainsFunc(k.Views, func(v int) bool { return v < -1 || v >= len(w.Views) }) {
				wrong("%s: ports %v do not have a view for each state", c.Devices[0], k.Ports)
			}
		}
	}
	for i, l := range w.Links {
		for _, e := range [][2]int{l.A, l.B} {
			if e[0] < 0 || e[0] >= len(w.Chains) || e[1] < 0 || e[1] >= len(w.Chains[e[0]].Kinds) {
				wrong("link %d ends nowhere", i)
			}
		}
		if len(l.Cable) != len(w.Moments) || l.Links < 1 || slices.ContainsFunc(l.Cable, func(c units.Length) bool { return c < 0 }) {
			wrong("link %d has no cable for each step", i)
		}
	}
	for i, m := range w.Moments {
		if !points(m.Lossless) || !points(m.Silent) {
			wrong("step %d has code points that are none", i+1)
		}
	}
	if !points(w.Before) || !points(w.After) || !points(w.Stopped) {
		wrong("it has code points that are none")
	}
	return errs
}

// points reports whether a list has code points, each once and in order.
func points(all []int) bool {
	for i, d := range all {
		if d < 0 || d > 63 || i > 0 && all[i-1] >= d {
			return false
		}
	}
	return true
}

// traffic reports packets that a step does not know: the code points that NICs send are lossless in
// it, and a code point that is lossless in one of the plans is under way, or silent.
func (w *Way) traffic() (errs []error) {
	ends, stopped := bitsOf(w.Before)|bitsOf(w.After), bitsOf(w.Stopped)
	always := bitsOf(w.Before) & bitsOf(w.After) &^ stopped
	for i := range w.Moments {
		m, step := &w.Moments[i], i+1
		lossless, silent := bitsOf(m.Lossless), bitsOf(m.Silent)
		if lossless&silent != 0 || lossless|silent != ends || always&^lossless != 0 || lossless&stopped != 0 {
			errs = append(errs, fmt.Errorf("step %d: the code points under way are not those of the plans", step))
		}
		for _, c := range w.Chains {
			for _, s := range c.live(step) {
				if c.NIC && (bitsOf(c.States[s].Sends)&^stopped&^lossless != 0 || c.States[s].Frame > m.Frame) {
					errs = append(errs, fmt.Errorf("step %d: %s sends packets that it does not have", step, c.Devices[0]))
				}
			}
		}
	}
	for _, d := range w.Drained {
		if d.Step < 1 || d.Step > len(w.Moments) || d.Because == "" {
			errs = append(errs, fmt.Errorf("drained devices of step %d have no step or no reason", d.Step))
		}
	}
	return errs
}

// bound compares the states with their certificates: what a port meets while a state lasts, and which groups are lossless and paused.
func (w *Way) bound(proofs *verify.Certificates) (errs []error) {
	of, lacks, used := named(proofs), map[string]bool{}, map[string]bool{}
	for _, l := range proofs.Lacks {
		lacks[l.Device] = true
	}
	for i := range w.Chains {
		c := &w.Chains[i]
		for j, s := range c.States {
			used[s.Proof] = true
			if c.NIC || s.Gone || w.excluded(c, &s) || lacks[s.Proof] || of[s.Proof] != nil {
				continue
			}
			promises := func(k Kind) bool { v := k.Views[j]; return v >= 0 && w.Views[v].PFC != 0 && w.Views[v].Lossless != 0 }
			if s.Proof != "" || slices.ContainsFunc(c.Kinds, promises) {
				errs = append(errs, fmt.Errorf("%s: state %d has no certificate", c.Devices[0], j))
			}
		}
	}
	for _, name := range proofs.Devices {
		if !used[name] {
			errs = append(errs, fmt.Errorf("the certificate %s is of no state", name))
		}
	}
	for i := range w.Links {
		l := &w.Links[i]
		if lossy := w.lossy(l, of); said(lossy) != said(l.Lossy) {
			errs = append(errs, fmt.Errorf("link %d: the code points that it does not keep lossless are %s", i, said(lossy)))
		}
		for _, end := range [2][2][2]int{{l.A, l.B}, {l.B, l.A}} {
			errs = append(errs, w.boundEnd(l, end[0], end[1], of)...)
		}
	}
	return errs
}

func (w *Way) boundEnd(l *Link, end, other [2]int, of map[string]*proof.Certificate) (errs []error) {
	c := &w.Chains[end[0]]
	demanded := w.demanded(other, end)
	for step := 1; step <= len(w.Moments); step++ {
		for _, state := range c.live(step) {
			cert, v := of[c.States[state].Proof], w.at(end, state)
			if cert == nil || v == nil || l.Cable[step-1] == 0 || w.excluded(c, &c.States[state]) {
				continue
			}
			for _, port := range c.Kinds[end[1]].Ports {
				if other := differs(cert, port, v, l.Cable[step-1], bitsOf(w.Moments[step-1].Lossless)&demanded); other != "" {
					errs = append(errs, fmt.Errorf("step %d: the certificate %s does not have %s as its link has it: %s", step, c.States[state].Proof, port, other))
				}
			}
		}
	}
	return errs
}

// differs says what a certificate has otherwise of a port: at least this cable, its speed, and the groups of code points lossless and
// paused; "" where it has all of it.
func differs(c *proof.Certificate, name string, v *View, cable units.Length, lossless uint64) string {
	for i := range c.Model.Ports {
		port := &c.Model.Ports[i]
		switch {
		case port.Name != name:
			continue
		case port.Link.Cable < cable && cable > 1:
			return fmt.Sprintf("its cable has %v, and not %v", port.Link.Cable, cable)
		case v.Speed > 0 && port.Link.Rate != v.Speed:
			return fmt.Sprintf("its speed is %v, and not %v", port.Link.Rate, v.Speed)
		}
		for d := range 64 {
			for g := range 8 {
				groups := c.Model.Config.Ports[i].PGs
				if lossless>>d&1 == 1 && v.In[d]>>g&1 == 1 && (g >= len(groups) || !groups[g].Lossless || port.Pausable>>g&1 == 0) {
					return fmt.Sprintf("DSCP %d enters priority group %d, which is not lossless or not paused there", d, g)
				}
			}
		}
		return ""
	}
	return "it has no such port"
}
