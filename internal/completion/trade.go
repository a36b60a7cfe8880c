package completion

import (
	"fmt"
	"strings"
)

// A Trade says how the settings for a purpose do against those for mixed: completion by kind, the median over
// fabrics that were simulated. Below 1 the purpose's settings end sooner.
type Trade struct {
	Fabrics int
	Ends    map[Purpose]map[Kind]float64 // of the purposes other than mixed
}

// TradeOf returns the trade of fabrics whose NICs' constants roceplan sets, and of the others, whose NICs recover
// slowly. golden/trade.txt has the fabrics, and a test compares.
func TradeOf(tunable bool) Trade {
	if tunable {
		return Trade{Fabrics: 18, Ends: map[Purpose]map[Kind]float64{
			Training: {Small: 2.23, Large: 0.96, Storage: 0.96, Collective: 0.98, Incast: 1.01},
			ForReads: {Small: 5.16, Large: 1.00, Storage: 0.88, Collective: 0.97, Incast: 1.03},
			Requests: {Small: 0.62, Large: 1.24, Storage: 1.39, Collective: 1.16, Incast: 1.06},
		}}
	}
	return Trade{Fabrics: 13, Ends: map[Purpose]map[Kind]float64{
		Training: {Small: 1.06, Large: 1.00, Storage: 1.00, Collective: 1.00, Incast: 1.00},
		ForReads: {Small: 1.06, Large: 1.00, Storage: 1.00, Collective: 1.00, Incast: 1.00},
		Requests: {Small: 0.26, Large: 2.28, Storage: 3.78, Collective: 1.51, Incast: 2.81},
	}}
}

// of returns a kind under the settings for a purpose.
func (t Trade) of(p Purpose, k Kind) float64 {
	if p == Mixed {
		return 1
	}
	return t.Ends[p][k]
}

// bulk returns the kind of long transfers that a purpose is about.
func (p Purpose) bulk() Kind {
	if p == Training {
		return Collective
	}
	return Storage
}

// Others says what the settings for the other purposes would gain and lose against those for one.
func (t Trade) Others(chosen Purpose) string {
	var ends []string
	for _, other := range []Purpose{Training, ForReads, Mixed, Requests} {
		if other == chosen || chosen == Training && other == ForReads || chosen != Training && other == Training {
			continue
		}
		ends = append(ends, fmt.Sprintf("with %s, %s would end %s and %s %s", other,
			names[chosen.bulk()], times(t.of(other, chosen.bulk())/t.of(chosen, chosen.bulk())),
			names[Small], times(t.of(other, Small)/t.of(chosen, Small))))
	}
	return strings.Join(ends, "; ")
}

// names are the names of kinds in a sentence.
var names = map[Kind]string{Small: "messages below 100 KB", Storage: "reads of 1 MB", Collective: "collectives"}

// times says how much sooner or later something ends.
func times(ratio float64) string {
	switch {
	case ratio > 1.045:
		return fmt.Sprintf("%.1f times later", ratio)
	case ratio < 1/1.045:
		return fmt.Sprintf("%.1f times sooner", 1/ratio)
	}
	return "at the same time"
}
