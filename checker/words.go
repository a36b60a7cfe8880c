package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The page, "Words" and "Conditions": a certificate says in words what its figures say, and else statements.

// A scale has units from the largest on.
type scale []struct {
	name string
	size int64
}

var (
	times   = scale{{"s", 1e12}, {"ms", 1e9}, {"us", 1e6}, {"ns", 1000}, {"ps", 1}}
	rates   = scale{{"Gbps", 1e9}, {"Mbps", 1e6}, {"kbps", 1000}, {"bps", 1}}
	lengths = scale{{"km", 1e6}, {"m", 1000}, {"mm", 1}}
	shares  = scale{{"%", 1e7}, {"ppm", 1000}, {"ppb", 1}}
)

// write writes an amount in the largest unit that three decimals hold and that it reaches; a share need not reach it.
func (s scale) write(value int64) string {
	if value < 0 {
		return "-" + s.write(-value)
	}
	for _, unit := range s {
		if thousandths := value % unit.size * 1000; (value >= unit.size || unit.name == "%") && thousandths%unit.size == 0 {
			whole, decimals := fmt.Sprint(value/unit.size), fmt.Sprintf(".%03d", thousandths/unit.size)
			return whole + strings.TrimRight(strings.TrimRight(decimals, "0"), ".") + unit.name
		}
	}
	return fmt.Sprint(value) + s[len(s)-1].name
}

// count writes so many things.
func count(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

var (
	portsPlace   = regexp.MustCompile(`^.+ \(\d+ × .*, .*\)( \(\d+\))?$`)
	queuePlace   = regexp.MustCompile(`^.+ \(\d+ × .*, .*\)( \(\d+\))?, queue \d+$`)
	patternPlace = regexp.MustCompile(`^.+, queue \d+, \d+ senders? to \d+ ports?$`)
	poolPlace    = regexp.MustCompile(`^slice \d+, pool (.*)$`)
	another      = regexp.MustCompile(`^( \(\d+\))?$`)
	response     = regexp.MustCompile(`^peers of (.*) respond to a pause within (.*)$`)
	frame        = regexp.MustCompile(`^lossless frames of (.*) have (.*) at most$`)
)

// words checks what groups are called, what obligations say, and what is declared of ports.
func (c *certificate) words() (wrong problems) {
	for _, g := range c.Groups {
		i := -1
		if c.Model != nil && len(g.Ports) > 0 {
			i = slices.IndexFunc(c.Model.Ports, func(p port) bool { return p.Name == g.Ports[0] })
		}
		if i < 0 && c.Model != nil {
			wrong.addf("the group %q has no port of the model", g.Where)
		} else if i >= 0 {
			of := fmt.Sprintf(" (%d × %s, %s)", len(g.Ports), rates.write(c.Model.Ports[i].Link.Rate), lengths.write(c.Model.Ports[i].Link.Cable))
			name, found := strings.CutSuffix(g.Where, fmt.Sprintf(", PG %d", g.PG))
			if at := strings.LastIndex(name, of); !found || at < 1 || !another.MatchString(name[at+len(of):]) {
				wrong.addf("the group %q is not called after its ports", g.Where)
			}
		}
	}
	for i := range c.Obligations {
		o := &c.Obligations[i]
		for _, problem := range c.inWords(o) {
			wrong.addf("%s, %s: %s", o.ID, o.Where, problem)
		}
	}
	for _, said := range c.Declared {
		has := func(l link) string { return times.write(l.Response) }
		of := response.FindStringSubmatch(said)
		if of == nil {
			has = func(l link) string { return fmt.Sprintf("%dB", l.LosslessFrame) }
			of = frame.FindStringSubmatch(said)
		}
		if of == nil {
			continue
		}
		links := c.links(of[1] + " (")
		if len(links) > 0 && !slices.ContainsFunc(links, func(l link) bool { return has(l) == of[2] }) {
			wrong.addf("it says %q, and no link of these ports has that", said)
		}
	}
	return wrong
}

// links are those of the ports of groups whose place begins so.
func (c *certificate) links(begin string) (links []link) {
	if c.Model == nil {
		return nil
	}
	for _, g := range c.Groups {
		for _, p := range c.Model.Ports {
			if strings.HasPrefix(g.Where, begin) && slices.Contains(g.Ports, p.Name) {
				links = append(links, p.Link)
			}
		}
	}
	return links
}

// inWords checks the words of an obligation.
func (c *certificate) inWords(o *obligation) (wrong problems) {
	m, _ := o.meaning()
	if o.Left.Expr == "" {
		m.unit, m.source = "", ""
	}
	if o.Title != m.title || o.Unit != m.unit || o.Source != m.source || o.Note != "" {
		wrong.addf("its title, unit, source or note is another: %q, %q, %q, %q", o.Title, o.Unit, o.Source, o.Note)
	}
	if (o.Because != "") != (o.Verdict == unjudged) || (len(o.Conditions) > 0) != (o.Verdict == conditional) {
		wrong.addf("it is %q, because %q, and has %d conditions", o.Verdict, o.Because, len(o.Conditions))
	}
	if !c.placed(o) {
		wrong.addf("it is on no such place")
	}
	wrong = append(wrong, c.termWords(m, o.Terms, "")...)
	if o.Under != nil {
		wrong = append(wrong, c.termWords(m, o.Under.Terms, "")...)
	}
	for _, condition := range o.Conditions {
		wrong = append(wrong, c.termWords(m, condition.Terms, condition.ID)...)
		if !c.says(o, condition) {
			wrong.addf("the condition %s is not what its figures say: %q, of %q, by %q", condition.ID, condition.Assumes, condition.Where, condition.Declare)
		}
	}
	return wrong
}

// placed reports whether the place of an obligation that nothing demands is one.
func (c *certificate) placed(o *obligation) bool {
	switch o.ID {
	case "starvation", "watchdog-above-pause":
		i := slices.IndexFunc(o.Terms, func(t term) bool { return t.Symbol == "R" })
		return o.Left.Expr == "" || strings.HasSuffix(o.Where, " at "+rates.write(append(o.Terms, term{})[max(0, i)].Value))
	case "watchdog-above-poll":
		return o.Where == "whole switch"
	case "kmin-below-kmax", "kmax-below-queue-limit":
		return queuePlace.MatchString(o.Where) || c.Model == nil
	case "ecn-before-pfc":
		return patternPlace.MatchString(o.Where) || c.Model == nil
	case "lossy-leaves-lossless":
		of := poolPlace.FindStringSubmatch(o.Where)
		return c.Model == nil || of != nil && slices.ContainsFunc(c.Model.Config.Ingress, func(p pool) bool { return p.Name == of[1] })
	}
	return true
}

// termWords checks what terms are called, and their units. What ends in " of" goes on with a pool, or with ports.
func (c *certificate) termWords(m meaning, terms []term, condition string) (wrong problems) {
	for _, t := range terms {
		letters, _ := stem(t.Symbol)
		w, known := m.terms[t.Symbol]
		if !known {
			w, known = m.terms[letters]
		}
		switch {
		case letters == "e" && t.Value > 1:
			w.name += ", and the one that decides with its last byte"
		case letters == "N" && condition == "paused-at-once":
			w.name = "headroom that a group uses, with what it keeps when it resumes"
		case letters == "N" && t.Expr == "":
			w.name = "headroom of a group, which holds no more whatever comes in, and cells of the pausing packet below the threshold"
		}
		after := func(name string) bool { return t.Name == w.name+" "+name }
		called := t.Name == w.name
		if strings.HasSuffix(w.name, " of") {
			called = c.Model != nil && (letters == "B" && slices.ContainsFunc(c.Model.Config.Ingress, func(p pool) bool { return after(p.Name) }) ||
				letters != "B" && slices.ContainsFunc(c.Groups, func(g group) bool { return after(strings.TrimSuffix(g.Where, fmt.Sprintf(", PG %d", g.PG))) }))
		}
		if !known || !called || t.Unit != w.unit {
			wrong.addf("%s is called %q, in %q", t.Symbol, t.Name, t.Unit)
		}
	}
	return wrong
}

// says reports whether a condition assumes what its figures say, is of what its kind is of, and lacks what it says.
func (c *certificate) says(o *obligation, d condition) bool {
	chip := "chip " + c.Chip
	onPorts := strings.HasPrefix(o.Where, d.Where+", PG ") || o.Under != nil && portsPlace.MatchString(d.Where)
	name, _, _ := strings.Cut(d.Where, " (")
	lacks := d.Short == max(0, o.Left.Value-o.Right.Value)
	datum, of, _ := strings.Cut(d.Declare, " of chip ")
	switch d.ID {
	case "peer-response":
		within, allowed := times.write(d.Bound), "IEEE 802.3 allows it "+times.write(d.Worst)
		if d.Worst == 0 {
			_, rate, _ := strings.Cut(d.Where, " × ")
			rate, _, _ = strings.Cut(rate, ",")
			allowed = "no public standard says how long it may take at " + rate
		}
		assumes := fmt.Sprintf("the peer is silent within %s of a pause; %s", within, allowed)
		if d.Layers > 0 {
			assumes = fmt.Sprintf("the switch's own layers and the response of the peer take at most %s together; IEEE 802.3 allows the layers %s, and %s", within, times.write(d.Layers), allowed)
		}
		by := d.Declare == "pause_response in a fabric file, or --response" || d.Declare == fmt.Sprintf("pause_response of port group %q, or of the NIC there", name)
		return d.Assumes == assumes && by && onPorts && lacks && d.Unit == "ps"
	case "packet-mix":
		assumes := fmt.Sprintf("of what arrives after a pause at most %s of the packets are of the smallest size, and the others of %dB", shares.write(d.Bound), d.Frame)
		others := slices.ContainsFunc(c.links(d.Where+", PG "), func(l link) bool { return l.LosslessFrame != d.Frame })
		return d.Assumes == assumes && !others && d.Worst == 1e9 && d.Declare == "small_packets of the fabric" && onPorts && lacks && d.Unit == "ppb"
	case "chip-datum":
		if d.Unit == "" {
			return d.Where == chip && d.Declare == "xoff_decided of "+chip && d.Assumes == "the chip decides to pause with the first byte of a packet; nothing is published of that, and with the last byte a largest frame more comes in"
		}
		assumes := fmt.Sprintf("the switch's own layers take at most %s to send a pause and to take in what arrives; IEEE 802.3 allows them %s", times.write(d.Bound), times.write(d.Worst))
		return d.Assumes == assumes && d.Where == chip && d.Declare == "pause_delay of "+chip && lacks && d.Unit == "ps"
	case "assumed-datum":
		begin, end, tail := datum+" is as the catalogue assumes it: ", "", strings.Index(d.Assumes, "; the tightest obligation that rests on it alone is ")
		if d.Unit == "cells" && c.Model != nil {
			begin, tail = fmt.Sprintf("each of %d parts of the buffer has at least %d cells; the catalogue assumes that it has %d: ", c.Model.Config.Slices, d.Worst, d.Bound), -1
		}
		if tail >= 0 {
			end = d.Assumes[tail:]
		}
		tightest := func(x obligation) bool {
			return end == fmt.Sprintf("; the tightest obligation that rests on it alone is %s of %s, with %d %s to spare", x.ID, x.Where, x.Right.Value-x.Left.Value, x.Unit)
		}
		return strings.HasPrefix(d.Assumes, begin) && (end == "" || slices.ContainsFunc(c.Obligations, tightest)) && d.Where == chip &&
			(of == c.Chip || of == c.Chip+", from a source that is sure of it") && (d.Unit == "" || d.Unit == "cells" && lacks)
	case "paused-at-once":
		return d.Where == o.Where && d.Unit == "" && (d.Worst <= 0 || lacks) && slices.Contains([]string{
			fmt.Sprintf("at most %d of the %s of the pool in this part of the buffer are paused or have packets in it at once", d.Bound, count(d.Worst, "priority group")),
			fmt.Sprintf("at most %s are paused at once", count(d.Bound, "group")),
			fmt.Sprintf("at most %d of the %s have packets in the buffer at once, by figures that are assumed", d.Bound, count(d.Worst, "lossless port")),
		}, d.Assumes)
	}
	return slices.Contains([]string{"device-divides", "device-computes", "taken", "as-planned", "roce-frames", "static-thresholds"}, d.ID)
}

// conditionTerms checks which terms the conditions of an obligation change, and that its bound is theirs.
func (o *obligation) conditionTerms() (wrong problems) {
	layers := int64(0) // of the switch, which a response may be bounded with as a whole
	for _, t := range o.Terms {
		if t.Symbol == "i" {
			layers = t.Value
		}
	}
	for _, d := range o.Conditions {
		may := map[string]string{"peer-response": "i t", "chip-datum": "i t", "packet-mix": "s N", "paused-at-once": "Q N n"}[d.ID]
		bounds := map[string]string{"peer-response": "t", "chip-datum": "i", "packet-mix": "s", "paused-at-once": "n"}[d.ID]
		bound := int64(0)
		for _, t := range d.Terms {
			letters, _ := stem(t.Symbol)
			if !slices.Contains(strings.Fields(may), letters) {
				wrong.addf("the condition %s does not change %s", d.ID, t.Symbol)
			}
			if d.ID == "peer-response" && t.Symbol == "i" && t.Value != layers && (t.Value != 0 || d.Bound > layers) {
				wrong.addf("the condition %s takes %d for the layers of the switch, which are %d", d.ID, t.Value, layers)
			}
			if letters == bounds {
				bound += t.Value
			}
		}
		if len(d.Terms) > 0 && bound != d.Bound {
			wrong.addf("the condition %s names %d and uses %d", d.ID, d.Bound, bound)
		}
	}
	return wrong
}
