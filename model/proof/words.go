package proof

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/units"
)

// words reports words of a certificate that its figures do not give: names of obligations, terms and groups,
// units, sources, and the assumptions of conditions. Words that no figure could give are statements: see
// docs/certificates.md.
func words(c *Certificate) (errs []error) {
	if c.Model != nil && c.Model.Config == nil {
		return nil // it is refused
	}
	for i := range c.Groups {
		if g := &c.Groups[i]; c.Model != nil && !groupCalled(c.Model, g) {
			errs = append(errs, fmt.Errorf("the group %q is not called after its ports and their links", g.Where))
		}
	}
	for i := range c.Obligations {
		o := &c.Obligations[i]
		for _, err := range obligationWords(c, o) {
			errs = append(errs, fmt.Errorf("%s, %s: %w", o.ID, o.Where, err))
		}
	}
	return append(errs, declaredWords(c)...)
}

// groupCalled reports whether a group is called after the number of its ports, and the speed and the cable of
// the first: "gpus (64 × 400Gbps, 5m), PG 3". A number may follow the parenthesis where several are called so.
func groupCalled(m *model.Switch, g *Group) bool {
	i := slices.IndexFunc(m.Ports, func(p model.Port) bool { return len(g.Ports) > 0 && p.Name == g.Ports[0] })
	if i < 0 {
		return false
	}
	link := &m.Ports[i].Link
	of := fmt.Sprintf(" (%d × %v, %v)", len(g.Ports), link.Rate, link.Cable)
	name, found := strings.CutSuffix(g.Where, fmt.Sprintf(", PG %d", g.PG))
	at := strings.LastIndex(name, of)
	return found && at > 0 && anotherOfName.MatchString(name[at+len(of):])
}

var anotherOfName = regexp.MustCompile(`^( \(\d+\))?$`)

func obligationWords(c *Certificate, o *Obligation) (errs []error) {
	m := o.meaning()
	unit, source := m.unit, m.source
	if o.Left.Expr == "" {
		unit, source = "", ""
	}
	for _, w := range []struct{ what, says, want string }{{"title", o.Title, m.title}, {"unit", o.Unit, unit}, {"source", o.Source, source}, {"note", o.Note, ""}} {
		if w.says != w.want {
			errs = append(errs, fmt.Errorf("its %s is %q, and %q by its ID", w.what, w.says, w.want))
		}
	}
	if (o.Because != "") != (o.Verdict == Unjudged) {
		errs = append(errs, fmt.Errorf("the verdict is %q, because %q", o.Verdict, o.Because))
	}
	if (len(o.Conditions) > 0) != (o.Verdict == Conditional) {
		errs = append(errs, fmt.Errorf("the verdict is %q, and it has %d conditions", o.Verdict, len(o.Conditions)))
	}
	if !o.placed(c) {
		errs = append(errs, errors.New("it is on no such place"))
	}
	errs = append(errs, m.termWords(c, o.Terms, "")...)
	if o.Under != nil {
		errs = append(errs, m.termWords(c, o.Under.Terms, "")...)
	}
	for i := range o.Conditions {
		condition := &o.Conditions[i]
		errs = append(errs, m.termWords(c, condition.Terms, condition.ID)...)
		if lacks := max(0, -o.Slack()); condition.ofTerms() && condition.Short != lacks {
			errs = append(errs, fmt.Errorf("the condition %s says that %d are short without it, and %d are", condition.ID, condition.Short, lacks))
		}
		if !conditionSays(c, o, condition) {
			errs = append(errs, fmt.Errorf("the condition %s assumes %q, and its figures do not say so", condition.ID, condition.Assumes))
		}
		if !condition.isOf(c, o) {
			errs = append(errs, fmt.Errorf("the condition %s is said to be of %q, and declared by %q", condition.ID, condition.Where, condition.Declare))
		}
	}
	return errs
}

var (
	linkPlace    = regexp.MustCompile(`^.+ \(\d+ × .*, .*\)( \(\d+\))?$`) // how ports are called
	queuePlace   = regexp.MustCompile(`^.+ \(\d+ × .*, .*\)( \(\d+\))?, queue \d+$`)
	patternPlace = regexp.MustCompile(`^.+, queue \d+, \d+ senders? to \d+ ports?$`)
	poolPlace    = regexp.MustCompile(`^slice \d+, pool (.*)$`)
)

// placed reports whether the place of an obligation that nothing demands is one by its terms and the model. A demand
// has the place of any other.
func (o *Obligation) placed(c *Certificate) bool {
	switch o.ID {
	case Starvation, WatchdogPause:
		return o.Left.Expr == "" || strings.HasSuffix(o.Where, fmt.Sprintf(" at %v", units.BitRate(valueOf(o.Terms, "R"))))
	case WatchdogPoll:
		return o.Where == "whole switch"
	case MarkingOrder, MarkingQueue:
		return queuePlace.MatchString(o.Where) || c.Model == nil
	case MarkingBefore:
		return patternPlace.MatchString(o.Where) || c.Model == nil
	case LossyShare:
		pool := poolPlace.FindStringSubmatch(o.Where)
		return c.Model == nil || pool != nil && slices.ContainsFunc(c.Model.Config.IngressPools, func(p mmu.Pool) bool { return p.Name == pool[1] })
	}
	return true
}

func (m *meaning) termWords(c *Certificate, terms []Term, condition string) (errs []error) {
	for i := range terms {
		t := &terms[i]
		w, known := m.wordOf(t, condition)
		switch {
		case !known:
			errs = append(errs, fmt.Errorf("it has no term %s", t.Symbol))
		case t.Unit != w.unit || t.Name != w.name && !calledAfter(c, t, w.name):
			errs = append(errs, fmt.Errorf("%s is %q in %q, and %q in %q by its symbol", t.Symbol, t.Name, t.Unit, w.name, w.unit))
		}
	}
	return errs
}

// calledAfter reports whether a term is called after the pool of its number, or after ports with a group.
func calledAfter(c *Certificate, t *Term, name string) bool {
	rest, is := strings.CutPrefix(t.Name, name)
	switch {
	case !is || !strings.HasSuffix(name, " of ") || c.Model == nil:
		return false
	case t.Symbol[0] == 'B':
		return slices.ContainsFunc(c.Model.Config.IngressPools, func(p mmu.Pool) bool { return p.Name == rest })
	}
	return slices.ContainsFunc(c.Groups, func(g Group) bool { return strings.HasPrefix(g.Where, rest+", PG ") })
}

// conditionUnits are what the bounds of conditions of this package may be in.
var conditionUnits = map[string][]string{PeerResponse: {InTime}, PacketMix: {inPPB}, ChipDatum: {InTime, inOnes}, PausedGroups: {inOnes}, AssumedDatum: {InCells, inOnes}}

// conditionSays reports whether a condition assumes what its figures say. Kinds that are not of this package,
// and sources of the catalogue, are statements.
func conditionSays(c *Certificate, o *Obligation, condition *Condition) bool {
	assumes, bound := condition.Assumes, condition.Bound
	if units, ours := conditionUnits[condition.ID]; ours && !slices.Contains(units, condition.Unit) {
		return false
	}
	switch condition.ID {
	case PeerResponse:
		return assumes == condition.responseText()
	case PacketMix:
		return condition.Worst == int64(units.One) && assumes == mixText(units.Ratio(bound), units.Bytes(condition.Frame)) && frameOf(c, condition)
	case ChipDatum:
		if condition.Unit == InTime {
			return assumes == layersText(units.Time(bound), units.Time(condition.Worst))
		}
		return assumes == decidedText
	case PausedGroups:
		return slices.Contains([]string{pausedText(bound, condition.Worst), fewPausedText(bound), activeText(bound, condition.Worst)}, assumes)
	case AssumedDatum:
		return datumSays(c, o, condition)
	}
	return true
}

// isOf reports whether a condition is of what its kind is of, and would be declared as that is.
func (c *Condition) isOf(certificate *Certificate, o *Obligation) bool {
	chip := "chip " + certificate.Chip
	ports := strings.HasPrefix(o.Where, c.Where+", PG ") || o.Under != nil && linkPlace.MatchString(c.Where)
	switch c.ID {
	case PeerResponse:
		group, _, _ := strings.Cut(c.Where, " (")
		return ports && (c.Declare == anyResponse || c.Declare == responseOf(group))
	case PacketMix:
		return ports && c.Declare == smallPackets
	case ChipDatum:
		datum := "xoff_decided of "
		if c.Unit == InTime {
			datum = "pause_delay of "
		}
		return c.Where == chip && c.Declare == datum+chip
	case AssumedDatum:
		_, of, _ := strings.Cut(c.Declare, " of chip ")
		return c.Where == chip && (of == certificate.Chip || of == certificate.Chip+surely)
	case PausedGroups:
		return c.Where == o.Where
	}
	return true
}

// ofTerms reports whether a condition makes up for all that its obligation lacks.
func (c *Condition) ofTerms() bool {
	return c.ID == PeerResponse || c.ID == PacketMix || c.Unit != "" && (c.ID == ChipDatum || c.ID == AssumedDatum) || c.ID == PausedGroups && c.Worst > 0
}

// frameOf reports whether the largest frame of a condition is that of the ports that it is on, where they
// have a group.
func frameOf(c *Certificate, condition *Condition) bool {
	for _, g := range c.Groups {
		if !strings.HasPrefix(g.Where, condition.Where+", PG ") || c.Model == nil {
			continue
		}
		for i := range c.Model.Ports {
			if p := &c.Model.Ports[i]; slices.Contains(g.Ports, p.Name) && int64(p.Link.LosslessFrame) != condition.Frame {
				return false
			}
		}
	}
	return true
}

// datumSays reports whether a condition on a datum that the catalogue assumes begins with the datum, or with
// how much memory there is, and ends with an obligation that has it, and its slack.
func datumSays(c *Certificate, o *Obligation, condition *Condition) bool {
	if condition.Unit == InCells && c.Model != nil {
		return strings.HasPrefix(condition.Assumes, memoryText(c.Model.Config.Slices, condition.Worst, condition.Bound))
	}
	datum, _, named := strings.Cut(condition.Declare, " of chip ")
	if !named || !strings.HasPrefix(condition.Assumes, datumText(datum)) {
		return false
	}
	at := strings.Index(condition.Assumes, tightest)
	if at < 0 {
		return true
	}
	return slices.ContainsFunc(c.Obligations, func(other Obligation) bool { return other.tightText() == condition.Assumes[at:] })
}

// declared words of ports of a group.
var (
	declaredResponse = regexp.MustCompile(`^peers of (.*) respond to a pause within (.*)$`)
	declaredFrame    = regexp.MustCompile(`^lossless frames of (.*) have (.*) at most$`)
)

// declaredWords reports a declared response, or largest frame, of ports with a lossless group that none of them
// has.
func declaredWords(c *Certificate) (errs []error) {
	for _, said := range c.Declared {
		var of []string
		var has func(l *model.Link) string
		if of = declaredResponse.FindStringSubmatch(said); of != nil {
			has = func(l *model.Link) string { return l.Response.String() }
		} else if of = declaredFrame.FindStringSubmatch(said); of != nil {
			has = func(l *model.Link) string { return l.LosslessFrame.String() }
		} else {
			continue
		}
		if links := c.linksOf(of[1]); len(links) > 0 && !slices.ContainsFunc(links, func(l *model.Link) bool { return has(l) == of[2] }) {
			errs = append(errs, fmt.Errorf("it says %q, and no link of these ports has that", said))
		}
	}
	return errs
}

// linksOf are the links of ports with a lossless group that are called so.
func (c *Certificate) linksOf(name string) (links []*model.Link) {
	for _, g := range c.Groups {
		if !strings.HasPrefix(g.Where, name+" (") || c.Model == nil {
			continue
		}
		for i := range c.Model.Ports {
			if slices.Contains(g.Ports, c.Model.Ports[i].Name) {
				links = append(links, &c.Model.Ports[i].Link)
			}
		}
	}
	return links
}
