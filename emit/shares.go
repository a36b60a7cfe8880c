package emit

import (
	"slices"

	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
)

// Shares takes some pools out of a switch, by name: those of which a fabric states the share in per cent, for systems
// that count so. The rest is a switch without them.
func Shares(s *plan.Switch, names []string) (rest *plan.Switch, shares map[string]plan.Pool) {
	shares = map[string]plan.Pool{}
	own := *s
	own.Pools = stable.Delete(slices.Clone(s.Pools), func(p plan.Pool) bool {
		if !slices.Contains(names, p.Name) {
			return false
		}
		shares[p.Name] = p
		return true
	})
	return &own, shares
}
