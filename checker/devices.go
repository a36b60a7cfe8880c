package main

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// check gives all that is wrong with a file of certificates; read opens the files that they name.
func (f *file) check(read func(name string) ([]byte, error)) (wrong problems) {
	wrong = f.covered()
	for _, c := range f.Certificates {
		for _, problem := range c.check(read) {
			wrong.addf("%v: %s", slices.Concat(c.Switches, []string{"no device"})[0], problem)
		}
	}
	return wrong
}

// covered checks that every device that was named has a certificate, or lacks one for a reason. The page, "The file".
func (f *file) covered() (wrong problems) {
	named, has, lacks := map[string]int{}, map[string]int{}, map[string]int{}
	all := slices.Clone(f.Devices)
	for _, c := range f.Certificates {
		all = append(all, c.Switches...)
		for _, device := range c.Switches {
			has[device]++
		}
	}
	for _, l := range f.Lacks {
		all = append(all, l.Device)
		if lacks[l.Device]++; l.Because == "" {
			wrong.addf("%s lacks a certificate without a reason", l.Device)
		}
	}
	for _, device := range f.Devices {
		named[device]++
	}
	for _, device := range all {
		if named[device] != 1 || lacks[device] > 1 || (has[device] > 0) == (lacks[device] == 1) {
			wrong.addf("%s is named %d times, is in %d certificates, and lacks one %d times", device, named[device], has[device], lacks[device])
		}
	}
	return wrong
}

// check gives all that is wrong with a certificate.
func (c *certificate) check(read func(name string) ([]byte, error)) (wrong problems) {
	if len(c.Files) == 0 {
		wrong.addf("it names no file")
	}
	for name, digest := range c.Files {
		text, err := read(name)
		if sum := sha256.Sum256(text); err != nil || hex.EncodeToString(sum[:]) != digest {
			wrong.addf("%s is not the file that was certified: %v", name, err)
		}
	}
	for i, device := range c.Switches {
		if slices.Contains(c.Switches[:i], device) {
			wrong.addf("%s is there twice", device)
		}
	}
	if !slices.Contains(c.Declared, "chip "+c.Chip) {
		wrong.addf("the chip is not declared")
	}
	for _, o := range c.Obligations {
		if !slices.Contains(verdicts, o.Verdict) {
			return append(wrong, "an obligation has no verdict")
		}
	}
	if c.Verdict != c.due() {
		wrong.addf("the verdict is %q, and its obligations and reasons say %q", c.Verdict, c.due())
	}
	for i := range c.Obligations {
		for _, problem := range c.Obligations[i].arithmetic() {
			wrong.addf("%s, %s: %s", c.Obligations[i].ID, c.Obligations[i].Where, problem)
		}
	}
	if c.Model == nil {
		return append(append(wrong, c.withoutModel()...), c.words()...)
	}
	if c.Model.Config == nil || !c.Model.bounded() {
		return append(wrong, "the model is beyond the bounds of the page")
	}
	wrong = append(append(wrong, c.complete()...), c.words()...)
	for i := range c.Obligations {
		if o := &c.Obligations[i]; o.evaluated() && !o.refuted() {
			for _, problem := range c.figures(o) {
				wrong.addf("%s, %s: %s", o.ID, o.Where, problem)
			}
		}
	}
	return wrong
}

// due is the verdict that obligations on lossless packets and reasons demand.
func (c *certificate) due() string {
	worst := 0
	for _, o := range c.Obligations {
		if o.Lossless {
			worst = max(worst, slices.Index(verdicts, o.Verdict))
		}
	}
	if len(c.Because) > 0 {
		worst = max(worst, slices.Index(verdicts, unjudged))
	}
	return verdicts[worst]
}

// proves reports whether nothing on lossless packets fails or is open, and no device lacks a certificate.
func (f *file) proves() bool {
	return len(f.Lacks) == 0 && len(f.Certificates) > 0 && !slices.ContainsFunc(f.Certificates, func(c *certificate) bool {
		return c.Verdict != holds && c.Verdict != conditional
	})
}
