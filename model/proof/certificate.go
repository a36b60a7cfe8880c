package proof

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/units"
)

// A Certificate holds the proofs about a switch, in a form that can be checked again with
// arithmetic alone: see docs/certificates.md.
type Certificate struct {
	Switches []string // the devices it holds for
	Chip     string
	Verdict  Verdict           // the worst of the claims; never holds where Because says why not
	Files    map[string]string // SHA-256 in hex, by name
	// Model has the inputs, from which the demanded claims follow.
	Model       *model.Switch
	Obligations []Claim
	Assumptions []string // the assumed facts about the chip
	Standing
}

// Standing is the evidence behind the obligations of a certificate, as far as arithmetic cannot
// show it.
type Standing struct {
	Coverage Coverage `json:"coverage"`
	// Declared are the facts that files do not hold, in words.
	Declared []string `json:"declared"`
	// Because is why the switch is not judged although its obligations are: statements that
	// are not modelled, with their lines.
	Because []string `json:"because,omitempty"`
}

// A Claim is an obligation in a certificate: figures that the model does not give, and the values of both sides.
type Claim struct {
	ID    string `json:"id"`
	Where string `json:"where"` // "PG 3 of Ethernet0", of all ports that are alike
	Sides
	Verdict        Verdict           `json:"verdict"`
	Because        string            `json:"because,omitempty"`
	Counterexample string            `json:"counterexample,omitempty"` // by which it fails
	Conditions     []Supposition     `json:"conditions,omitempty"`
	Under          *Sides            `json:"under,omitempty"` // its sides under them
	At             string            `json:"at,omitempty"`    // the line that would have to change
	Lines          map[string]string `json:"lines,omitempty"` // of figures, by symbol
}

// Sides are both sides of an inequality, and what they follow from.
type Sides struct {
	Terms map[string]int64 `json:"terms,omitempty"`
	Fills []Fill           `json:"fills,omitempty"`
	Left  int64            `json:"left,omitempty"`
	Right int64            `json:"right,omitempty"`
}

// A Fill is so many accounts with the same limits that fill a pool up one after another.
type Fill struct {
	Pool     string           `json:"pool"`
	Limits   []CertifiedBound `json:"limits"`
	Accounts int64            `json:"accounts"`
}

// A Supposition is a condition in a certificate. Says holds what its figures do not.
type Supposition struct {
	ID       string `json:"id"`
	Where    string `json:"where"`
	Bound    int64  `json:"bound,omitempty"`
	Cells    int64  `json:"cells,omitempty"`
	Together bool   `json:"together,omitempty"` // the bound is on the layers of the switch and the response of the peer
	Says     string `json:"says,omitempty"`
}

// HeldAtOnce is the ID of what can be held at once in a slice whose memory is distributed beyond its size. A report has it as
// [Memory].
const HeldAtOnce = "held-at-once"

// ChipDecides is the kind of a condition on the byte with which a chip decides to pause. A report has it as [ChipDatum].
const ChipDecides = "chip-decides"

// Stand gives a certificate its evidence, which may leave its verdict open.
func (c *Certificate) Stand(s Standing) {
	c.Standing = s
	c.Verdict = c.Due()
}

// Due returns the verdict that the obligations and the reasons demand. More memory may be distributed than there is,
// if it cannot be held at once.
func (c *Certificate) Due() Verdict {
	verdict := Holds
	for i := range c.Obligations {
		if o := &c.Obligations[i]; o.ID != Memory || o.Verdict != Fails {
			verdict = worse(verdict, o.Verdict)
		}
	}
	if len(c.Because) > 0 {
		verdict = worse(verdict, Unjudged)
	}
	return verdict
}

// verdict returns the one on lossless packets: what else fails costs order or throughput.
func (r *Report) verdict() Verdict {
	worst := Holds
	for i := range r.Obligations {
		if r.Obligations[i].Lossless {
			worst = worse(worst, r.Obligations[i].Verdict)
		}
	}
	return worst
}

// worse returns the verdict on a whole of which two parts have these: Fails, then Unjudged, then
// Conditional.
func worse(a, b Verdict) Verdict {
	order := []Verdict{Holds, Conditional, Unjudged, Fails}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

// Certify makes the certificate of a report on what was read from files, given by name.
func Certify(report *Report, switches []string, chip string, files map[string][]byte) *Certificate {
	c := &Certificate{Switches: switches, Chip: chip, Files: map[string]string{}, Model: report.Model, Assumptions: report.Assumptions}
	for name, text := range files {
		c.Files[name] = digest(text)
	}
	for i := range report.Obligations {
		o := &report.Obligations[i]
		if means := meanings[o.ID]; means.lossless || o.ID == Memory {
			c.Obligations = append(c.Obligations, report.claim(o))
		}
		if o.ID == Memory && o.Lossless && o.Verdict == Fails && o.distributed() { // packets are lost by it
			if at := slices.IndexFunc(report.heldAtOnce, func(h Obligation) bool { return h.Where == o.Where }); at >= 0 {
				held := report.heldAtOnce[at]
				held.Verdict, held.At = Fails, o.At
				c.Obligations = append(c.Obligations, report.claim(&held))
			}
		}
		for _, condition := range o.Conditions {
			if condition.ID == AssumedDatum && condition.Unit == InCells { // the model has the memory that it takes
				c.Model = withMemory(c.Model, units.Cells(condition.Bound))
			}
		}
	}
	c.Verdict = c.Due()
	return c
}

// withMemory returns a switch with so much memory in a slice, or less if it has less.
func withMemory(m *model.Switch, cells units.Cells) *model.Switch {
	own, config := *m, *m.Config
	own.Config, config.SliceCells = &config, min(config.SliceCells, cells)
	return &own
}

// distributed: it is on all that the configuration distributes of the memory, and not on what can be held at once.
func (o *Obligation) distributed() bool { return strings.HasPrefix(o.Left.Expr, "B + S") }

// claim returns an obligation in a certificate.
func (r *Report) claim(o *Obligation) Claim {
	c := Claim{ID: o.ID, Where: r.placeOf(o), Verdict: o.Verdict, Because: o.Because, At: o.At}
	if o.ID == Memory && !o.distributed() && (o.Left.Expr != "" || o.Lossless) {
		c.ID = HeldAtOnce
	}
	switch {
	case o.Verdict == Unjudged:
		return c
	case o.refuted():
		c.Counterexample = fmt.Sprintf("%s: %d cells, and a packet of %d on top; at most %d are admitted", strings.TrimPrefix(o.Source, counterexample), valueOf(o.Terms, "x"), valueOf(o.Terms, "p"), o.Right.Value)
		return c
	}
	c.Sides = sidesOf(o.ID, o.Terms, o.fills, o.Left, o.Right)
	for _, t := range o.Terms {
		if t.At != "" {
			if c.Lines == nil {
				c.Lines = map[string]string{}
			}
			c.Lines[t.Symbol] = t.At
		}
	}
	for i := range o.Conditions {
		c.Conditions = append(c.Conditions, r.supposition(&o.Conditions[i], c.Where))
	}
	if u := o.Under; u != nil {
		under := sidesOf(o.ID, u.Terms, u.fills, u.Left, u.Right)
		c.Under = &under
	}
	return c
}

// placeOf returns the place of an obligation in a certificate: one of the ports that are alike.
func (r *Report) placeOf(o *Obligation) string {
	switch {
	case o.ID == PauseReaches || o.ID == Headroom || o.ID == Resume:
		if i := slices.IndexFunc(r.Groups, func(g Group) bool { return g.Where == o.Where }); i >= 0 {
			return fmt.Sprintf("PG %d of %s", r.Groups[i].PG, r.Groups[i].Ports[0])
		}
	case (o.ID == QueueHolds || o.ID == PortHolds) && r.Model != nil:
		return o.Place() + " of " + r.Model.Ports[o.port].Name
	}
	return strings.TrimSuffix(o.Where, atOnce)
}

// symbolsOf are the terms of each obligation that the model does not give.
var symbolsOf = map[string][]string{
	PauseReaches: {}, Memory: {}, HeldAtOnce: {"h"},
	Headroom: {"i", "t", "s", "q"}, Resume: {"i", "t", "s", "q", "y"}, HeadroomPool: {"n", "N", "Q"},
	QueueHolds: {"h", "k", "Q", "o"}, PortHolds: {"h", "k", "Q", "o"}, EgressHolds: {"h", "k", "Q", "y"},
}

func sidesOf(id string, terms []Term, fills []Fill, left, right Side) Sides {
	s := Sides{Terms: map[string]int64{}, Fills: fills, Left: left.Value, Right: right.Value}
	own := symbolsOf[id]
	if id == Memory && len(fills) > 0 {
		own = symbolsOf[HeldAtOnce]
	}
	for _, t := range terms {
		if slices.Contains(own, t.Symbol) && t.Value != 0 && t.Expr == "" {
			s.Terms[t.Symbol] = t.Value
		}
	}
	if id == HeadroomPool {
		s.Terms["n"], s.Terms["N"] = pooledIn(terms)
	}
	return s
}

// pooledIn returns the number of groups in the terms of a pool of headroom, and the cells that these hold together.
func pooledIn(terms []Term) (groups, cells int64) {
	for _, t := range terms {
		if suffix, part := strings.CutPrefix(t.Symbol, "n"); part {
			groups += t.Value
			cells += t.Value * valueOf(terms, "N"+suffix)
		}
	}
	return groups, cells
}

func valueOf(terms []Term, symbol string) int64 {
	if i := slices.IndexFunc(terms, func(t Term) bool { return t.Symbol == symbol }); i >= 0 {
		return terms[i].Value
	}
	return 0
}

// supposition returns a condition in a certificate, of an obligation there.
func (r *Report) supposition(c *Condition, where string) Supposition {
	s := Supposition{ID: c.ID, Where: c.Where, Bound: c.Bound}
	switch c.ID {
	case PeerResponse, PacketMix:
		s.Together = c.Layers > 0
		if port, ok := r.ports[c.Where]; ok {
			s.Where = port
		}
	case ChipDatum:
		if c.Unit == inOnes {
			s.ID = ChipDecides
		}
	case PausedGroups:
		s.Where = where
		_, s.Cells = pooledIn(c.Terms)
	case AssumedDatum:
		s.Says, _, _ = strings.Cut(c.Assumes, tightest)
		if s.Bound = 0; c.Unit == InCells {
			s.Cells = c.Worst
		}
	default:
		s.Bound, s.Says = 0, c.Assumes
	}
	return s
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// written is a certificate as it is written.
type written struct {
	Switches    []string          `json:"switches"`
	Chip        string            `json:"chip"`
	Verdict     *Verdict          `json:"verdict"`
	Files       map[string]string `json:"files"`
	Model       *certified        `json:"model"`
	Obligations []Claim           `json:"obligations"`
	Assumptions []string          `json:"assumptions,omitempty"`
	Standing
}

// MarshalJSON writes the certificate.
func (c *Certificate) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(written{c.Switches, c.Chip, &c.Verdict, c.Files, certifiedOf(c.Model), c.Obligations, c.Assumptions, c.Standing})
	return out.Bytes(), err
}

// ParseCertificate reads one. A field that the form does not have is refused, and so is a verdict that is left out.
func ParseCertificate(text []byte) (*Certificate, error) {
	w := written{}
	if err := Decode(text, &w); err != nil {
		return nil, fmt.Errorf("this is not a certificate: %w", err)
	}
	judged := struct{ Obligations []struct{ Verdict *Verdict } }{}
	if err := json.Unmarshal(text, &judged); err != nil {
		return nil, err
	}
	left := func(o struct{ Verdict *Verdict }) bool { return o.Verdict == nil }
	if w.Verdict == nil || slices.ContainsFunc(judged.Obligations, left) {
		return nil, errors.New("this is not a certificate: a verdict is missing")
	}
	if w.Model == nil {
		return nil, errors.New("this is not a certificate: it has no model")
	}
	m, err := w.Model.model()
	return &Certificate{w.Switches, w.Chip, *w.Verdict, w.Files, m, w.Obligations, w.Assumptions, w.Standing}, err
}

// Decode reads one JSON value into another value. A field that it does not have is an error, and so is
// what follows the value.
func Decode(text []byte, to any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(to); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("something follows the value")
	}
	return nil
}

// Compare checks a certificate against a fresh proof of the same files: an obligation that is
// missing, new or different is an error, and so are another model and other assumptions. Recheck
// asks whether a certificate is right in itself; Compare asks whether it follows from the files.
// Lines of files may differ.
func Compare(c *Certificate, report *Report) (errs []error) {
	now := Certify(report, c.Switches, c.Chip, nil)
	place := func(o *Claim) string { return o.ID + ", " + o.Where }
	certified := map[string]*Claim{}
	for i := range c.Obligations {
		certified[place(&c.Obligations[i])] = &c.Obligations[i]
	}
	for i := range now.Obligations {
		o := &now.Obligations[i]
		was, ok := certified[place(o)]
		delete(certified, place(o))
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("%s: not in the certificate", place(o)))
		case was.Left != o.Left || was.Right != o.Right || was.Verdict != o.Verdict:
			errs = append(errs, fmt.Errorf("%s: certified was %s: %d ≤ %d, the files give %s: %d ≤ %d", place(o), was.Verdict, was.Left, was.Right, o.Verdict, o.Left, o.Right))
		case said(was.nowhere()) != said(o.nowhere()):
			errs = append(errs, fmt.Errorf("%s: its text differs from that of the files", place(o)))
		}
	}
	for _, place := range slices.Sorted(maps.Keys(certified)) {
		errs = append(errs, fmt.Errorf("%s: in the certificate, but not in these files", place))
	}
	if said(certifiedOf(c.Model)) != said(certifiedOf(now.Model)) {
		errs = append(errs, errors.New("the buffer and the links of the certificate are not those of these files"))
	}
	if !slices.Equal(c.Assumptions, now.Assumptions) {
		errs = append(errs, errors.New("the assumptions of the certificate are not those of these files"))
	}
	return errs
}

// said returns the text of a value in a certificate.
func said(something any) string {
	text, _ := json.Marshal(something) // a certificate contains only values that can be written
	return string(text)
}

// nowhere returns the claim without the lines that it is about.
func (o *Claim) nowhere() *Claim {
	own := *o
	own.At, own.Lines = "", nil
	return &own
}
