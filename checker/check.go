package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"
	"strings"
)

// check gives all that is wrong with a file of certificates. The page, "The file".
func (f *file) check() (wrong problems) {
	named, has := map[string]int{}, map[string]int{} // by device: a certificate, or a reason why there is none
	for _, device := range f.Devices {
		named[device]++
		has[device] += 0
	}
	for _, l := range f.Lacks {
		if has[l.Device]++; l.Because == "" {
			wrong.addf("%s lacks a certificate without a reason", l.Device)
		}
	}
	for _, c := range f.Certificates {
		for _, device := range c.Switches {
			has[device]++
		}
		for _, problem := range c.check() {
			wrong.addf("%q: %s", c.Switches, problem)
		}
	}
	for device, times := range has {
		if times != 1 || named[device] != 1 {
			wrong.addf("%s is named %d times, and has a certificate or a reason for none %d times", device, named[device], times)
		}
	}
	return wrong
}

// proves reports whether all obligations hold, on conditions or not, and no device lacks a certificate.
func (f *file) proves() bool {
	open := func(c certificate) bool { return c.Verdict != holds && c.Verdict != conditional }
	return len(f.Lacks) == 0 && len(f.Certificates) > 0 && !slices.ContainsFunc(f.Certificates, open)
}

// check gives all that is wrong with a certificate. The page, "A certificate".
func (c *certificate) check() (wrong problems) {
	if len(c.Files) == 0 || len(c.Switches) == 0 || !slices.Contains(c.Declared, "chip "+c.Chip) {
		wrong.addf("it is of no file, of no device, or of a chip that is not declared")
	}
	for name, digest := range c.Files {
		text, err := os.ReadFile(name)
		if sum := sha256.Sum256(text); err != nil || hex.EncodeToString(sum[:]) != digest {
			wrong.addf("%s is not the file that was certified: %v", name, err)
		}
	}
	for _, said := range c.Declared {
		peers := strings.HasPrefix(said, "peers of ") && !strings.HasSuffix(said, " respond to a pause within [response]")
		if peers || strings.HasPrefix(said, "lossless frames of ") && !strings.HasSuffix(said, " have [lossless] at most") {
			wrong.addf("it declares %q, and the model has the figure", said)
		}
	}
	for i := range c.Obligations {
		for _, problem := range c.formed(&c.Obligations[i]) {
			wrong.addf("%s, %s: %s", c.Obligations[i].ID, c.Obligations[i].Where, problem)
		}
	}
	if !c.Model.bounded() {
		wrong.addf("the model is beyond the bounds of the page")
	}
	if len(wrong) > 0 {
		return wrong
	}
	if due := c.due(); c.Verdict != due {
		wrong.addf("the verdict is %q, and its obligations and reasons say %q", c.Verdict, due)
	}
	return append(wrong, audited(c)...)
}

// due returns the verdict that obligations and reasons demand. Memory may fail: it is held-at-once that counts then.
func (c *certificate) due() string {
	worst := 0
	for _, o := range c.Obligations {
		if o.ID != "memory" || o.Verdict != fails {
			worst = max(worst, slices.Index(verdicts, o.Verdict))
		}
	}
	if len(c.Because) > 0 {
		worst = max(worst, slices.Index(verdicts, unjudged))
	}
	return verdicts[worst]
}

// symbols of the terms of each obligation.
var symbols = map[string]string{
	"pause-reaches-peer": "",
	"headroom":           "i t s q",
	"xon-below-xoff":     "i t s q y",
	"headroom-pool":      "n N Q",
	"pfc-before-drop":    "h k Q o",
	"egress-port-holds":  "h k Q o",
	"egress-pool-holds":  "h k Q y",
	"memory":             "",
	"held-at-once":       "h",
}

// sums reports whether an obligation is on what groups hold at once, and may read otherwise under conditions.
func (o *obligation) sums() bool { return strings.HasPrefix(symbols[o.ID], "h") }

// formed checks that an obligation has the terms of its kind, what its verdict asks for, and nothing besides.
func (c *certificate) formed(o *obligation) (wrong problems) {
	own, known := symbols[o.ID]
	if !known || !slices.Contains(verdicts, o.Verdict) {
		wrong.addf("there is no such obligation, or no verdict %q", o.Verdict)
	}
	if (o.Because != "") != (o.Verdict == unjudged) || (len(o.Conditions) > 0) != (o.Verdict == conditional) ||
		o.Under != nil && (o.Verdict != conditional || !o.sums()) || o.Counterexample != "" && o.Verdict != fails {
		wrong.addf("it is %q, because %q, on %d conditions", o.Verdict, o.Because, len(o.Conditions))
	}
	for _, q := range o.inequalities() {
		if !o.computed() && (len(q.Terms)+len(q.Fills) > 0 || q.Left != 0 || q.Right != 0) {
			wrong.addf("it is not judged by figures, and has some")
		}
		for symbol, value := range q.Terms {
			if value < 0 || value > 1<<40 || !slices.Contains(strings.Fields(own), symbol) {
				wrong.addf("it has no term %s of %d", symbol, value)
			}
		}
		for _, f := range q.Fills {
			not := func(l limit) bool { return !l.on(c.Model.Ingress, f.Pool) }
			if f.Accounts < 0 || len(f.Limits) < 1 || len(f.Limits) > 2 || slices.ContainsFunc(f.Limits, not) || !o.sums() && o.ID != "xon-below-xoff" {
				wrong.addf("%d accounts with limits %v do not fill pool %s", f.Accounts, f.Limits, f.Pool)
			}
		}
	}
	for _, d := range o.Conditions {
		if !c.conditioned(o, d) {
			wrong.addf("the condition %s of %q says what it cannot say: %q", d.ID, d.Where, d.Says)
		}
	}
	return wrong
}

// conditioned reports whether a condition is of a known kind and about an object of that kind, with
// figures or with words. The page, "Conditions".
func (c *certificate) conditioned(o *obligation, d condition) bool {
	ports := strings.HasSuffix(o.Where, " of "+d.Where) || o.Under != nil
	chip, bounded, words := d.Where == "chip "+c.Chip, d.Bound > 0, d.Says != ""
	if d.Bound < 0 || d.Bound > 1<<40 || d.Cells < 0 || d.Cells > 1<<40 || d.Together && d.ID != "peer-response" {
		return false
	}
	switch d.ID {
	case "peer-response", "packet-mix":
		return ports && (bounded || d.ID == "peer-response") && d.Cells == 0 && !words
	case "chip-datum", "chip-decides": // on the layers of the switch; on the byte with which the chip decides
		return chip && (!bounded || d.ID == "chip-datum") && d.Cells == 0 && !words
	case "paused-at-once":
		return d.Where == o.Where && bounded && !words
	case "assumed-datum": // of how much memory there is, or another one
		return chip && !bounded && words && (d.Cells == 0 || o.ID == "held-at-once" && o.Under != nil)
	case "device-divides", "device-computes", "taken", "as-planned", "roce-frames", "static-thresholds":
		return !bounded && d.Cells == 0 && words
	}
	return false
}

// computed reports whether an obligation is judged, and not by a counterexample.
func (o *obligation) computed() bool { return o.Verdict != unjudged && o.Counterexample == "" }

// inequalities returns the inequality of an obligation, and the one under its conditions.
func (o *obligation) inequalities() []*inequality {
	if o.Under == nil {
		return []*inequality{&o.inequality}
	}
	return []*inequality{&o.inequality, o.Under}
}
