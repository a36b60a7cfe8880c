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
	"math/big"
	"slices"

	"github.com/roceplan/roceplan/model"
)

// CertificateSchema is the version of the form, documented in docs/certificates.md.
const CertificateSchema = "roceplan/certificate/6"

// A Certificate is what was proved of a switch, in a form that can be checked again with
// arithmetic alone.
type Certificate struct {
	Schema   string            `json:"schema"`
	Switches []string          `json:"switches"` // the devices it holds for
	Chip     string            `json:"chip"`
	Verdict  Verdict           `json:"verdict"` // the worst of the obligations; never holds where Because says why not
	Files    map[string]string `json:"files"`   // SHA-256 in hex, by name
	// Groups and Model are the inputs: what every obligation is demanded by.
	Groups      []Group       `json:"groups,omitempty"`
	Model       *model.Switch `json:"model,omitempty"`
	Obligations []Obligation  `json:"obligations"`
	Assumptions []string      `json:"assumptions,omitempty"` // what was taken of the chip
	Standing
}

// Standing is what stands behind the obligations of a certificate: it says nothing that
// arithmetic could show.
type Standing struct {
	Coverage Coverage `json:"coverage"`
	// Declared are the facts that files do not hold, in words.
	Declared []string `json:"declared"`
	// Because is why the switch is not judged although its obligations are: statements that
	// are not modelled, with their lines.
	Because []string `json:"because,omitempty"`
}

// Stand gives a certificate what stands behind it, which may leave its verdict open.
func (c *Certificate) Stand(s Standing) {
	c.Standing = s
	c.Verdict = c.due()
}

// due is the verdict that the obligations and the reasons demand.
func (c *Certificate) due() Verdict {
	verdict := onLossless(c.Obligations)
	if len(c.Because) > 0 {
		verdict = worse(verdict, Unjudged)
	}
	return verdict
}

// Certify makes the certificate of a report on what was read from files, given by name.
func Certify(report *Report, switches []string, chip string, files map[string][]byte) *Certificate {
	c := &Certificate{
		Schema: CertificateSchema, Switches: switches, Chip: chip, Verdict: report.verdict(),
		Files: map[string]string{}, Groups: report.Groups, Model: report.Model, Obligations: slices.Clone(report.Obligations), Assumptions: report.Assumptions,
	}
	for i := range c.Obligations {
		c.Obligations[i].Note = "" // no figure says it
	}
	for name, text := range files {
		c.Files[name] = digest(text)
	}
	return c
}

// verdict is the one on lossless packets: what else fails costs order or throughput.
func (r *Report) verdict() Verdict { return onLossless(r.Obligations) }

func onLossless(obligations []Obligation) Verdict {
	worst := Holds
	for i := range obligations {
		if obligations[i].Lossless {
			worst = worse(worst, obligations[i].Verdict)
		}
	}
	return worst
}

// worse is the verdict on a whole of which two parts have these: Fails, then Unjudged, then
// Conditional.
func worse(a, b Verdict) Verdict {
	order := []Verdict{Holds, Conditional, Unjudged, Fails}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Marshal writes the certificate, stable to the byte.
func (c *Certificate) Marshal() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(c)
	return out.Bytes(), err
}

// ParseCertificate reads one. A field that the schema does not have is refused.
func ParseCertificate(text []byte) (*Certificate, error) {
	c := &Certificate{}
	if err := Decode(text, c); err != nil {
		return nil, fmt.Errorf("this is not a certificate: %w", err)
	}
	if c.Schema != CertificateSchema {
		return nil, fmt.Errorf("the certificate's schema is %q, this program reads %q", c.Schema, CertificateSchema)
	}
	if err := hasVerdicts(text); err != nil {
		return nil, err
	}
	return c, nil
}

// hasVerdicts reports a verdict that is left out, which would read as Holds.
func hasVerdicts(text []byte) error {
	type judged struct{ Verdict *Verdict }
	has := struct {
		judged
		Obligations []judged
	}{}
	if err := json.Unmarshal(text, &has); err != nil {
		return err
	}
	if has.Verdict == nil || slices.ContainsFunc(has.Obligations, func(o judged) bool { return o.Verdict == nil }) {
		return errors.New("this is not a certificate: a verdict is left out")
	}
	return nil
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

// Recheck evaluates a certificate again, with nothing but its own figures and the files:
// every obligation that its inputs demand is there, every file has the digest that was certified, every derived term and both sides have
// the value that their expressions give, and every verdict is what the sides say. It
// returns all that is wrong.
func Recheck(c *Certificate, files map[string][]byte) (errs []error) {
	memo := map[string]*big.Int{}
	errs = append(append(recheckFiles(c, files), recheckComplete(c, memo)...), words(c)...)
	for i := range c.Obligations {
		o := &c.Obligations[i]
		for _, err := range recheck(o, memo) {
			errs = append(errs, fmt.Errorf("%s, %s: %w", o.ID, o.Where, err))
		}
	}
	if due := c.due(); due != c.Verdict {
		errs = append(errs, fmt.Errorf("the certificate says %q, and its obligations and reasons say %q", c.Verdict, due))
	}
	return errs
}

func recheckFiles(c *Certificate, files map[string][]byte) (errs []error) {
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		text, ok := files[name]
		if !ok {
			errs = append(errs, fmt.Errorf("file %s was certified and is not given", name))
		} else if got := digest(text); got != c.Files[name] {
			errs = append(errs, fmt.Errorf("file %s has SHA-256 %s, certified was %s: it has changed", name, got, c.Files[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, ok := c.Files[name]; !ok {
			errs = append(errs, fmt.Errorf("file %s is given and was not certified", name))
		}
	}
	return errs
}

// recheck evaluates one obligation.
func recheck(o *Obligation, memo map[string]*big.Int) (errs []error) {
	e := evaluator{terms: map[string]*big.Int{}, memo: memo}
	if o.Verdict == Unjudged && o.Left.Expr == "" {
		return nil // nothing was evaluated
	}
	same := func(what, expr string, want int64) {
		got, err := e.evaluate(expr)
		if err == nil && got.Cmp(big.NewInt(want)) != 0 {
			err = fmt.Errorf("%s = %s is %v, certified was %d", what, expr, got, want)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	for _, t := range o.Terms {
		if _, twice := e.terms[t.Symbol]; twice {
			errs = append(errs, fmt.Errorf("term %q occurs twice", t.Symbol))
		}
		if t.Expr != "" {
			same(t.Symbol, t.Expr, t.Value)
		}
		e.terms[t.Symbol] = big.NewInt(t.Value)
	}
	same("left side", o.Left.Expr, o.Left.Value)
	same("right side", o.Right.Expr, o.Right.Value)
	if says := o.Left.Value <= o.Right.Value; says != (o.Verdict == Holds) && (o.Verdict == Holds || o.Verdict == Fails) {
		errs = append(errs, fmt.Errorf("%d ≤ %d, and the verdict is %q", o.Left.Value, o.Right.Value, o.Verdict))
	}
	switch {
	case o.Verdict != Conditional:
	case o.Under != nil && len(o.Conditions) > 0:
		errs = append(errs, recheckUnder(o, memo)...)
	default:
		errs = append(errs, recheckConditions(o, memo)...)
	}
	return errs
}

// recheckUnder evaluates what an obligation reads under its conditions. Of its terms only those may
// be others, or come in addition, that its conditions change; what follows from them does.
func recheckUnder(o *Obligation, memo map[string]*big.Int) (errs []error) {
	own := &Obligation{Terms: o.Under.Terms, Left: o.Under.Left, Right: o.Under.Right, Verdict: Holds}
	for _, err := range recheck(own, memo) {
		errs = append(errs, fmt.Errorf("under its conditions: %w", err))
	}
	for _, t := range o.Under.Terms {
		changes := slices.ContainsFunc(o.Conditions, func(c Condition) bool { return slices.Contains(changedBy(c.ID), t.Symbol) })
		same := func(was Term) bool {
			return was.Symbol == t.Symbol && was.Expr == t.Expr && (was.Value == t.Value || t.Expr != "")
		}
		if !changes && !slices.ContainsFunc(o.Terms, same) {
			errs = append(errs, fmt.Errorf("under its conditions %s is %d, and no condition changes that", t.Symbol, t.Value))
		}
	}
	return errs
}

// changedBy are the given terms of what groups share that a condition changes: the memory of a
// part of the buffer; or what of their headroom groups fill, cells that are counted twice in
// it, what one gains by resuming above its threshold, and what other queues hold.
func changedBy(id string) []string {
	if id == AssumedDatum {
		return []string{"V"}
	}
	return []string{"h", "Q", "k", "o"}
}

// recheckConditions evaluates an obligation once more with the terms of its conditions: its
// left side must then not exceed its right side.
func recheckConditions(o *Obligation, memo map[string]*big.Int) (errs []error) {
	if len(o.Conditions) == 0 {
		return []error{fmt.Errorf("the verdict is %q and no condition is given", o.Verdict)}
	}
	e := evaluator{terms: map[string]*big.Int{}, memo: memo}
	evaluate := func(expr string) *big.Int {
		value, err := e.evaluate(expr)
		if err != nil {
			errs = append(errs, err)
			return new(big.Int)
		}
		return value
	}
	under := map[string]Term{}
	for _, c := range o.Conditions {
		for _, t := range c.Terms {
			under[t.Symbol] = t
			e.terms[t.Symbol] = big.NewInt(t.Value)
		}
	}
	for _, t := range o.Terms {
		changed, ok := under[t.Symbol]
		if ok {
			t = changed
		}
		value := big.NewInt(t.Value)
		if t.Expr != "" {
			value = evaluate(t.Expr)
		}
		if ok && errs == nil && value.Cmp(big.NewInt(t.Value)) != 0 {
			errs = append(errs, fmt.Errorf("under its conditions %s is %v, certified was %d", t.Symbol, value, t.Value))
		}
		e.terms[t.Symbol] = value
	}
	left, right := evaluate(o.Left.Expr), evaluate(o.Right.Expr)
	if errs == nil && left.Cmp(right) > 0 {
		errs = append(errs, fmt.Errorf("under its conditions %v ≤ %v, and the verdict is %q", left, right, o.Verdict))
	}
	return errs
}

// Compare checks a certificate against a fresh proof of the same files: an obligation
// that is missing, new or different is an error, and so are other groups, another buffer and
// other assumptions. Recheck asks whether a certificate is right in itself; this asks whether
// what it says is what the files give. Lines of files may lie elsewhere now.
func Compare(c *Certificate, report *Report) (errs []error) {
	certified := map[string][]*Obligation{} // of one name, in order: see memory, which may ask two questions of a slice
	for i := range c.Obligations {
		o := &c.Obligations[i]
		name := o.ID + ", " + o.Where
		certified[name] = append(certified[name], o)
	}
	for i := range report.Obligations {
		o := &report.Obligations[i]
		name := o.ID + ", " + o.Where
		if len(certified[name]) == 0 {
			errs = append(errs, fmt.Errorf("%s: not in the certificate", name))
			continue
		}
		was := certified[name][0]
		certified[name] = certified[name][1:]
		switch {
		case was.Left != o.Left || was.Right != o.Right || was.Verdict != o.Verdict || said(nowhere(was.Terms)) != said(nowhere(o.Terms)):
			errs = append(errs, fmt.Errorf("%s: certified was %v, the files give %v", name, was, o))
		case said(was.nowhere()) != said(o.nowhere()):
			errs = append(errs, fmt.Errorf("%s: what it says is not what the files give", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(certified)) {
		for range certified[name] {
			errs = append(errs, fmt.Errorf("%s: in the certificate, but not of these files", name))
		}
	}
	for _, part := range []struct {
		what     string
		was, now Certificate
	}{
		{"the groups", Certificate{Groups: c.Groups}, Certificate{Groups: report.Groups}},
		{"the buffer and the links", Certificate{Model: c.Model}, Certificate{Model: report.Model}},
		{"the assumptions", Certificate{Assumptions: c.Assumptions}, Certificate{Assumptions: report.Assumptions}},
	} {
		if said(part.was) != said(part.now) {
			errs = append(errs, fmt.Errorf("%s of the certificate are not those of these files", part.what))
		}
	}
	return errs
}

// said is how a certificate writes something.
func said(something any) string {
	text, _ := json.Marshal(something) // what cannot be written is not in a certificate
	return string(text)
}

// nowhere is what an obligation says, without the lines that it is about.
func (o *Obligation) nowhere() *Obligation {
	own := *o
	own.At, own.Note, own.Terms, own.Conditions = "", "", nowhere(o.Terms), slices.Clone(o.Conditions)
	for i := range own.Conditions {
		own.Conditions[i].Terms = nowhere(own.Conditions[i].Terms)
	}
	if o.Under != nil {
		own.Under = &Inequality{nowhere(o.Under.Terms), o.Under.Left, o.Under.Right}
	}
	return &own
}

func nowhere(terms []Term) []Term {
	own := slices.Clone(terms)
	for i := range own {
		own[i].At = ""
	}
	return own
}
