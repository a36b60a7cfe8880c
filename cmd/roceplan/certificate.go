package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/roceplan/roceplan/model/proof"
)

// certificatesOf is a list of certificates, one for each shape that was proved, with the
// digests of the files of all its devices.
func certificatesOf(judged []*judgement) ([]byte, error) {
	list := []*proof.Certificate{}
	for _, j := range judged {
		if j.report == nil {
			continue
		}
		files := make(map[string][]byte, len(j.paths))
		for _, path := range j.paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			files[path] = text
		}
		list = append(list, proof.Certify(j.report, j.devices, j.chip.Name, files))
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(list)
	return out.Bytes(), err
}

// recheck evaluates certificates again: nothing of the prover is used, unless files are
// named to prove anew.
func (c verifyCmd) recheck(t *terminal) error {
	list, err := readCertificates(c.Recheck)
	if err != nil {
		return err
	}
	result := recheckResult{Problems: []string{}}
	for _, certificate := range list {
		if err := result.one(certificate); err != nil {
			return err
		}
	}
	if len(c.Paths) > 0 {
		if err := c.compare(t, list, &result); err != nil {
			return err
		}
	}
	if t.json {
		err = t.printJSON(result)
	} else {
		result.print(t)
	}
	if err == nil && (len(result.Problems) > 0 || !result.Proved) {
		err = errFindings
	}
	return err
}

func readCertificates(path string) ([]*proof.Certificate, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var raws []json.RawMessage
	if err := json.Unmarshal(text, &raws); err != nil {
		return nil, fmt.Errorf("%s is no list of certificates: %w", path, err)
	}
	var list []*proof.Certificate
	for i, raw := range raws {
		certificate, err := proof.ParseCertificate(raw)
		if err != nil {
			return nil, fmt.Errorf("%s, certificate %d: %w", path, i+1, err)
		}
		list = append(list, certificate)
	}
	return list, nil
}

// compare proves the files anew and holds the certificates against that: arithmetic alone
// does not tell whether the figures are those of the files.
func (c verifyCmd) compare(t *terminal, list []*proof.Certificate, result *recheckResult) error {
	fresh, _, err := c.verify(t)
	if err != nil {
		return err
	}
	for _, certificate := range list {
		i := slices.IndexFunc(fresh.judged, func(j *judgement) bool { return j.report != nil && slices.Equal(j.devices, certificate.Switches) })
		if i < 0 {
			result.Problems = append(result.Problems, fmt.Sprintf("%s: nothing was proved of these switches now", abbreviate(certificate.Switches)))
			continue
		}
		for _, err := range proof.Compare(certificate, fresh.judged[i].report) {
			result.Problems = append(result.Problems, fmt.Sprintf("%s: %v", abbreviate(certificate.Switches), err))
		}
	}
	return nil
}

// recheckResult is what verify --recheck --json prints.
type recheckResult struct {
	Certificates int      `json:"certificates"`
	Switches     int      `json:"switches"`
	Obligations  int      `json:"obligations"`
	Proved       bool     `json:"proved"` // all hold
	Problems     []string `json:"problems"`
}

func (r *recheckResult) one(c *proof.Certificate) error {
	files := map[string][]byte{}
	for name := range c.Files {
		text, err := os.ReadFile(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		default:
			files[name] = text
		}
	}
	for _, err := range proof.Recheck(c, files) {
		r.Problems = append(r.Problems, fmt.Sprintf("%s: %v", abbreviate(c.Switches), err))
	}
	r.Proved = (r.Proved || r.Certificates == 0) && c.Verdict == proof.Holds
	r.Certificates++
	r.Switches += len(c.Switches)
	r.Obligations += len(c.Obligations)
	return nil
}

func (r *recheckResult) print(t *terminal) {
	for _, problem := range r.Problems {
		t.printf("%s\n", problem)
	}
	verdict := "all hold"
	if !r.Proved {
		verdict = "not all hold"
	}
	t.printf("certificates %d, switches %d, obligations %d: %s; problems %d\n", r.Certificates, r.Switches, r.Obligations, verdict, len(r.Problems))
}
