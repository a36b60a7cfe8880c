package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/model/proof"
)

// CertificatesSchema is the version of a file of certificates, documented in docs/certificates.md.
const CertificatesSchema = "roceplan/certificates/2"

// Certificates are what was proved of all devices that were named.
type Certificates struct {
	Schema string `json:"schema"`
	// Devices are all that were named: by their files, or by the fabric.
	Devices []string `json:"devices"`
	// Lacks are those of them without a certificate.
	Lacks  []Lack               `json:"lacks,omitempty"`
	Shapes []*proof.Certificate `json:"certificates"` // one for devices that are alike
}

// A Lack is a device without a certificate.
type Lack struct {
	Device  string `json:"device"`
	Because string `json:"because"`
}

// Certificates makes them, with the digests of the files of all devices, which are read again for
// it. The error is of a file that cannot be read, or that has changed.
func (r *Report) Certificates() (*Certificates, error) {
	list := &Certificates{Schema: CertificatesSchema, Devices: r.named(), Shapes: []*proof.Certificate{}}
	because := map[string]string{}
	for _, name := range r.planned {
		because[name] = "no file of it was given"
	}
	for _, s := range r.Switches {
		for _, name := range s.Names {
			because[name] = s.unproved()
		}
	}
	for _, s := range r.Switches {
		if s.Proof == nil || s.Proof.Model == nil {
			continue
		}
		c, err := s.certificate()
		if err != nil {
			return nil, err
		}
		list.Shapes = append(list.Shapes, c)
		for _, name := range s.Names {
			delete(because, name)
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(because), natural.Compare) {
		list.Lacks = append(list.Lacks, Lack{name, because[name]})
	}
	return list, nil
}

// named returns the devices of files and of the fabric, each once.
func (r *Report) named() []string {
	names := slices.Clone(r.planned)
	for _, s := range r.Switches {
		names = append(names, s.Names...)
	}
	slices.SortFunc(names, natural.Compare)
	return slices.Compact(names)
}

// unproved is why nothing was proved of a switch.
func (s *Switch) unproved() string {
	if len(s.Because) == 0 {
		return "nothing was proved of it"
	}
	return s.Because[0].inAnyFile()
}

func (s *Switch) certificate() (*proof.Certificate, error) {
	c := proof.Certify(s.Proof, s.Names, s.chip.Name, nil)
	c.Stand(s.standing())
	for _, f := range s.seen {
		files := []*sighting{f}
		if f.dump != nil {
			files = append(files, f.dump.file)
		}
		for _, f := range files {
			text, err := f.again()
			if err != nil {
				return nil, err
			}
			sum := sha256.Sum256(text)
			c.Files[f.file.Name] = hex.EncodeToString(sum[:])
		}
	}
	return c, nil
}

// Marshal writes them, stable to the byte.
func (c *Certificates) Marshal() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(c)
	return out.Bytes(), err
}

// ParseCertificates reads a file of certificates. A field that the schema does not have is refused.
func ParseCertificates(text []byte) (*Certificates, error) {
	var raw struct {
		Schema  string            `json:"schema"`
		Devices []string          `json:"devices"`
		Lacks   []Lack            `json:"lacks"`
		Shapes  []json.RawMessage `json:"certificates"`
	}
	err := proof.Decode(text, &raw)
	if raw.Schema != "" && raw.Schema != CertificatesSchema {
		return nil, fmt.Errorf("the schema is %q, this program reads %q: write the certificates again", raw.Schema, CertificatesSchema)
	}
	if err == nil && raw.Schema == "" {
		err = errors.New("it has no schema")
	}
	if err != nil {
		return nil, fmt.Errorf("this is not a file of certificates: %w", err)
	}
	list := &Certificates{Schema: raw.Schema, Devices: raw.Devices, Lacks: raw.Lacks, Shapes: []*proof.Certificate{}}
	for i, one := range raw.Shapes {
		certificate, err := proof.ParseCertificate(one)
		if err != nil {
			return nil, fmt.Errorf("certificate %d: %w", i+1, err)
		}
		list.Shapes = append(list.Shapes, certificate)
	}
	return list, nil
}

// covers reports devices that were named, and neither have a certificate nor are among those that
// lack one, and devices of either kind that were not named.
func (c *Certificates) covers() (errs []error) {
	named, proved, lacks := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, name := range c.Devices {
		named[name] = true
	}
	for _, shape := range c.Shapes {
		for _, name := range shape.Switches {
			switch {
			case proved[name]:
				errs = append(errs, fmt.Errorf("the device %s is in certificates twice", name))
			case !named[name]:
				errs = append(errs, fmt.Errorf("there is a certificate of %s, but the device was not named", name))
			}
			proved[name] = true
		}
	}
	for _, l := range c.Lacks {
		switch {
		case lacks[l.Device]:
			errs = append(errs, fmt.Errorf("the device %s lacks a certificate twice", l.Device))
		case proved[l.Device]:
			errs = append(errs, fmt.Errorf("the device %s is listed without a certificate, but has one", l.Device))
		case !named[l.Device]:
			errs = append(errs, fmt.Errorf("the device %s is listed without a certificate, but was not named", l.Device))
		case l.Because == "":
			errs = append(errs, fmt.Errorf("the device %s lacks a certificate, but no reason is given", l.Device))
		}
		lacks[l.Device] = true
	}
	seen := map[string]bool{}
	for _, name := range c.Devices {
		switch {
		case seen[name]:
			errs = append(errs, fmt.Errorf("the device %s is named twice", name))
		case !proved[name] && !lacks[name]:
			errs = append(errs, fmt.Errorf("the device %s was named, but has no certificate", name))
		}
		seen[name] = true
	}
	return errs
}

// Demand adds a problem for each device that was not named when the certificates were written: by
// files, or by a fabric, that are named now.
func (r *Rechecked) Demand(c *Certificates, devices []string) {
	named := map[string]bool{}
	for _, name := range c.Devices {
		named[name] = true
	}
	for _, name := range devices {
		if !named[name] {
			r.Problems = append(r.Problems, Reason{Message: fmt.Sprintf("%s is named now, but has no certificate", name)})
		}
	}
}
