package verify

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/units"
)

// standing returns the evidence behind the obligations of a switch. An obligation's own text is not
// among the reasons.
func (s *Switch) standing() proof.Standing {
	standing := proof.Standing{Coverage: s.Coverage}
	for _, said := range s.Declared {
		standing.Declared = append(standing.Declared, symbolically(said))
	}
	for _, r := range s.open {
		standing.Because = append(standing.Because, r.inAnyFile())
	}
	return standing
}

// A Rechecked is what came of checking certificates again.
type Rechecked struct {
	Certificates int `json:"certificates"`
	Switches     int `json:"switches"`
	Obligations  int `json:"obligations"`
	// Proved: all that protect lossless packets hold, and no device lacks a certificate.
	Proved   bool     `json:"proved"`
	Lacks    []Lack   `json:"lacks,omitempty"` // devices that were named and have no certificate
	Problems []Reason `json:"problems"`
}

// Recheck evaluates certificates again: nothing of the prover is used, unless fresh is given,
// a report on the same files, which every certificate is then checked against as well. open
// finds the files that certificates name.
func Recheck(list *Certificates, open func(name string) File, fresh *Report) (*Rechecked, error) {
	r, err := recheck(list, open, func(c *proof.Certificate, files map[string][]byte) []error {
		return slices.Concat(alone(c, files), covered(c, files))
	})
	if err != nil || fresh == nil {
		return r, err
	}
	for _, c := range list.Shapes {
		r.compare(c, fresh)
	}
	r.Demand(list, fresh.named())
	return r, nil
}

// Alone checks certificates by their own figures and the digests of the files, as the program in the folder checker does.
// Nothing is read of what files say.
func Alone(list *Certificates, open func(name string) File) (*Rechecked, error) {
	return recheck(list, open, alone)
}

func alone(c *proof.Certificate, files map[string][]byte) []error {
	return slices.Concat(proof.Recheck(c, files), statements(c), declared(c), names(c))
}

func recheck(list *Certificates, open func(name string) File, check func(*proof.Certificate, map[string][]byte) []error) (*Rechecked, error) {
	r := &Rechecked{Problems: []Reason{}, Lacks: list.Lacks}
	for _, err := range list.covers() {
		r.Problems = append(r.Problems, Reason{Message: err.Error()})
	}
	for _, c := range list.Shapes {
		if err := r.one(c, open, check); err != nil {
			return nil, err
		}
	}
	r.Proved = r.Proved && len(list.Lacks) == 0
	return r, nil
}

func (r *Rechecked) one(c *proof.Certificate, open func(name string) File, check func(*proof.Certificate, map[string][]byte) []error) error {
	files := map[string][]byte{}
	for name := range c.Files {
		text, err := open(name).Read()
		switch {
		case errors.Is(err, fs.ErrNotExist): // proof says so
		case err != nil:
			return err
		default:
			files[name] = text
		}
	}
	for _, err := range check(c, files) {
		r.problem(c, err.Error())
	}
	due := c.Due()
	r.Proved = (r.Proved || r.Certificates == 0) && (due == proof.Holds || due == proof.Conditional)
	r.Certificates++
	r.Switches += len(c.Switches)
	r.Obligations += len(c.Obligations)
	return nil
}

// statements reports conditions of kinds that neither this package nor package proof has.
func statements(c *proof.Certificate) (errs []error) {
	for _, o := range c.Obligations {
		for _, condition := range o.Conditions {
			if !slices.Contains(conditionKinds, condition.ID) {
				errs = append(errs, fmt.Errorf("%s, %s: there is no condition %s", o.ID, o.Where, condition.ID))
			}
		}
	}
	return errs
}

var conditionKinds = []string{
	proof.PeerResponse, proof.PacketMix, proof.ChipDatum, proof.ChipDecides, proof.AssumedDatum, proof.PausedGroups,
	DeviceDivides, DeviceComputes, Taken, AsPlanned, RoCEFrames, StaticThresholds,
}

// declared demands that the chip is: no file says how large its buffer is. A figure that the model has is not declared in words.
func declared(c *proof.Certificate) (errs []error) {
	if !slices.Contains(c.Declared, chipDeclared(c.Chip)) {
		errs = append(errs, fmt.Errorf("the chip %s is not declared", c.Chip))
	}
	for _, said := range c.Declared {
		peers := strings.HasPrefix(said, "peers of ") && !strings.HasSuffix(said, " respond to a pause within [response]")
		frames := strings.HasPrefix(said, "lossless frames of ") && !strings.HasSuffix(said, " have [lossless] at most")
		if peers || frames {
			errs = append(errs, fmt.Errorf("it declares %q, and the model has the figure", said))
		}
	}
	return errs
}

// figures of links in what is declared of ports; the model has them.
var (
	responses = regexp.MustCompile(`^(peers of .* respond to a pause within) \S+$`)
	frames    = regexp.MustCompile(`^(lossless frames of .* have) \S+ (at most)$`)
)

// symbolically says what is declared of ports without the figure.
func symbolically(said string) string {
	return frames.ReplaceAllString(responses.ReplaceAllString(said, "$1 [response]"), "$1 [lossless] $2")
}

// names reports a certificate of no file or device.
func names(c *proof.Certificate) (errs []error) {
	if len(c.Files) == 0 {
		errs = append(errs, errors.New("the certificate names no file"))
	}
	if len(c.Switches) == 0 {
		errs = append(errs, errors.New("the certificate names no device"))
	}
	return errs
}

// covered reports files that no reader knows or that say other things than a certificate, and
// devices without a file: files are read again, nothing is computed.
func covered(c *proof.Certificate, files map[string][]byte) (errs []error) {
	var texts []File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		texts = append(texts, Text(name, files[name]))
	}
	shapes, _ := Read(texts, cellOf(c)) // they are read already
	has := map[string]bool{}            // devices with a file
	for _, shape := range shapes {
		for _, device := range shape.Devices {
			has[device] = true
		}
		switch {
		case shape.Format.Read == nil:
			errs = append(errs, fmt.Errorf("no reader knows %s", shape.First()))
		case shape.Format.Silent != "":
			errs = append(errs, unconditional(c, shape)...)
		default:
			for _, told := range shape.asRunning() {
				errs = append(errs, agrees(c, told)...)
				errs = append(errs, sameInputs(c, told)...)
				errs = append(errs, sameGroups(c, told)...)
			}
		}
	}
	for _, device := range c.Switches {
		if !has[device] && len(has) > 0 {
			errs = append(errs, fmt.Errorf("the certificate covers %s too, but no file does", device))
		}
	}
	return errs
}

// unconditional reports what protects lossless packets and holds without a condition in a certificate
// of a file that cannot say what it needs.
func unconditional(c *proof.Certificate, shape *Shape) (errs []error) {
	for _, o := range c.Obligations {
		if o.ID != proof.Memory && o.Verdict == proof.Holds {
			errs = append(errs, fmt.Errorf("%s, %s: it holds without a condition, and %s cannot say so: %s", o.ID, o.Where, shape.First(), shape.Format.Silent))
		}
	}
	return errs
}

// sameGroups reports lossless groups of a file that a certificate has no group for, and groups of a
// certificate that are not lossless in the file.
func sameGroups(c *proof.Certificate, shape *Shape) (errs []error) {
	type group struct {
		port string
		pg   int
	}
	certified, read := map[group]bool{}, map[group]bool{}
	for i := range portsOf(c) {
		for number, pg := range c.Model.Config.Ports[i].PGs {
			if pg.Lossless {
				certified[group{c.Model.Ports[i].Name, number}] = true
			}
		}
	}
	for _, port := range shape.Switch.Ports {
		if port.QoS == nil {
			continue
		}
		for _, pg := range port.QoS.PGs {
			of := group{port.Name, int(pg.ID)}
			if read[of] = read[of] || pg.Lossless; pg.Lossless && !certified[of] {
				errs = append(errs, fmt.Errorf("priority group %d of %s is lossless in %s, but the certificate lacks the group", of.pg, of.port, shape.First()))
			}
		}
	}
	for of := range certified {
		if !read[of] {
			errs = append(errs, fmt.Errorf("the certificate has priority group %d of %s, which is not lossless in %s", of.pg, of.port, shape.First()))
		}
	}
	return errs
}

// portsOf returns the ports that a certificate has in its model.
func portsOf(c *proof.Certificate) []mmu.Port {
	if c.Model == nil || c.Model.Config == nil || len(c.Model.Ports) != len(c.Model.Config.Ports) {
		return nil
	}
	return c.Model.Config.Ports
}

// cellOf gives amounts in cells the meaning that they had.
func cellOf(c *proof.Certificate) units.Bytes {
	if c.Model == nil || c.Model.Config == nil {
		return 0
	}
	return c.Model.Config.CellBytes
}

// agrees checks what a certificate says of its file against the file.
func agrees(c *proof.Certificate, shape *Shape) (errs []error) {
	s := newSwitch(shape, shape.Switch)
	s.Groups = unprovedGroups(s.Plan)
	s.count()
	s.unaccounted()
	if s.Coverage != c.Coverage {
		errs = append(errs, fmt.Errorf("the certificate covers %+v, but the file has %+v", c.Coverage, s.Coverage))
	}
	for _, r := range s.open {
		if !slices.Contains(c.Because, r.inAnyFile()) {
			errs = append(errs, fmt.Errorf("the certificate does not say that the switch is not judged, because %s", r.inAnyFile()))
		}
	}
	return errs
}

func (r *Rechecked) problem(c *proof.Certificate, message string) {
	name := "no switch"
	if len(c.Switches) > 0 {
		name = c.Switches[0]
	}
	if n := len(c.Switches) - 1; n > 0 {
		name = fmt.Sprintf("%s and %s more", name, natural.Count(n, "device", "devices"))
	}
	r.Problems = append(r.Problems, Reason{Message: name + ": " + message})
}

// compare checks a certificate against a fresh proof: arithmetic alone does not report whether
// the figures are those of the files.
func (r *Rechecked) compare(c *proof.Certificate, fresh *Report) {
	i := slices.IndexFunc(fresh.Switches, func(s *Switch) bool { return s.Proof != nil && slices.Equal(s.Names, c.Switches) })
	if i < 0 {
		r.problem(c, "nothing was proved of these switches in this run")
		return
	}
	for _, err := range proof.Compare(c, fresh.Switches[i].Proof) {
		r.problem(c, err.Error())
	}
	now := fresh.Switches[i].standing()
	if now.Coverage != c.Coverage || !slices.Equal(now.Declared, c.Declared) || !slices.Equal(now.Because, c.Because) {
		r.problem(c, fmt.Sprintf("the certificate rests on %+v, but the files rest on %+v", c.Standing, now))
	}
}
