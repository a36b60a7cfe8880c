package proof

import (
	"fmt"
	"slices"
	"strings"
)

// lefts are the values of the left side, also under conditions.
func lefts(o *Obligation) []int64 {
	if o.Under != nil {
		return []int64{o.Left.Value, o.Under.Left.Value}
	}
	return []int64{o.Left.Value}
}

func matches(expr, pattern string) bool {
	begin, open := strings.CutSuffix(pattern, "…")
	return expr == pattern || open && strings.HasPrefix(expr, begin)
}

// shaped reports sides, derived terms and conditions that are not those of the obligation:
// arithmetic on other ones proves something else.
func shaped(o *Obligation) (errs []error) {
	means := o.meaning()
	sides := []Side{o.Left, o.Right}
	if o.Under != nil {
		sides = append(sides, o.Under.Left, o.Under.Right)
	}
	for i, side := range sides {
		if pattern := []string{means.left, means.right}[i%2]; !matches(side.Expr, pattern) {
			errs = append(errs, fmt.Errorf("%s, %s: a side is %q, and %q is wanted", o.ID, o.Where, side.Expr, pattern))
		}
	}
	for _, t := range o.Terms {
		if !derivedAs(t, o.ID) {
			errs = append(errs, fmt.Errorf("%s, %s: %s is not derived as it has to be: %q", o.ID, o.Where, t.Symbol, t.Expr))
		}
	}
	layers := int64(0) // of the switch, which a response may be bounded with as a whole
	if i := slices.IndexFunc(o.Terms, func(t Term) bool { return t.Symbol == "i" }); i >= 0 {
		layers = o.Terms[i].Value
	}
	for _, c := range o.Conditions {
		bound := int64(0)
		for _, t := range c.Terms {
			if !slices.Contains(termsOf(c.ID), strings.TrimRight(t.Symbol, "0123456789")) {
				errs = append(errs, fmt.Errorf("%s, %s: the condition %s does not change %s", o.ID, o.Where, c.ID, t.Symbol))
			}
			if c.ID == PeerResponse && t.Symbol == "i" && t.Value != layers && (t.Value != 0 || c.Bound > layers) {
				errs = append(errs, fmt.Errorf("%s, %s: the condition %s takes %d for the layers of the switch, which are %d", o.ID, o.Where, c.ID, t.Value, layers))
			}
			bound += b2i64(strings.TrimRight(t.Symbol, "0123456789") == boundOf(c.ID)) * t.Value
		}
		if len(c.Terms) > 0 && bound != c.Bound {
			errs = append(errs, fmt.Errorf("%s, %s: the condition %s names %d and uses %d", o.ID, o.Where, c.ID, c.Bound, bound))
		}
	}
	return errs
}

// derivedAs reports whether a term of what comes in after a pause has its expression. The cells
// that groups of a pool hold may be given.
func derivedAs(t Term, id string) bool {
	if id != Headroom && id != Resume && id != HeadroomPool {
		return true
	}
	symbol := strings.TrimRight(t.Symbol, "0123456789")
	suffix := t.Symbol[len(symbol):]
	switch symbol {
	case "w":
		return t.Expr == rename(windowExpr, suffix)
	case "W":
		return t.Expr == rename(bytesExpr, suffix)
	case "N":
		return t.Expr == rename(packedExpr+wholeExpr, suffix) || t.Expr == rename(mixedExpr+wholeExpr, suffix) || t.Expr == "" && id == HeadroomPool
	}
	return true
}

// termsOf are the terms of an obligation on single groups, or on their pool, that a condition
// changes.
func termsOf(id string) []string {
	switch id {
	case PeerResponse, ChipDatum:
		return []string{"i", "t"}
	case PacketMix:
		return []string{"s", "N"}
	case PausedGroups:
		return []string{"Q", "N", "n"}
	}
	return nil
}

// boundOf is the term that is the bound of a condition which has terms; of how many groups are paused at
// once there is one for each kind.
func boundOf(id string) string {
	return map[string]string{PeerResponse: "t", ChipDatum: "i", PacketMix: "s", PausedGroups: "n"}[id]
}

// sameMeaning reports an obligation that is none, or is not what its ID says.
func sameMeaning(o *Obligation) (errs []error) {
	means, known := meanings[o.ID]
	switch {
	case !known:
		errs = append(errs, fmt.Errorf("%s, %s: there is no such obligation", o.ID, o.Where))
	case means.lossless && !o.Lossless:
		errs = append(errs, fmt.Errorf("%s, %s: where it fails lossless packets are lost, and it says otherwise", o.ID, o.Where))
	case o.Under != nil && !slices.Contains([]string{QueueHolds, PortHolds, EgressHolds, Memory}, o.ID):
		errs = append(errs, fmt.Errorf("%s, %s: it reads the same under its conditions, but for their terms", o.ID, o.Where))
	}
	return errs
}

// twice reports obligations of one name of which both are evaluated.
func twice(all []Obligation) (errs []error) {
	seen := map[[2]string]bool{}
	for i := range all {
		o := &all[i]
		if name := [2]string{o.ID, o.Where}; o.Lossless && o.Left.Expr != "" {
			if seen[name] {
				errs = append(errs, fmt.Errorf("%s, %s: it stands twice", o.ID, o.Where))
			}
			seen[name] = true
		}
	}
	return errs
}
