package adversary

import (
	"fmt"
	"slices"

	"github.com/roceplan/roceplan/model"
	"github.com/roceplan/roceplan/model/mmu"
	"github.com/roceplan/roceplan/model/proof"
)

// Options bound a search. The zero Options search with every sender and a budget of
// two million packets.
type Options struct {
	Seed    uint64 // of the random attacks
	Packets int64  // at most so many are sent; 0: two million
	Random  int    // random attacks, after all others; 0: four
	// FanIn and PausedPGs bound what is done at once: see proof.Context. 0: no bound.
	FanIn, PausedPGs int
	// Only are the obligations of package proof that a loss has to break; packets that are lost
	// by others are lost unseen. Empty: any loss is one.
	Only []string
}

const (
	defaultPackets = 2_000_000
	defaultRandom  = 4
)

// A Result says what was found, or how far was searched.
type Result struct {
	Found   *Counterexample // nil if no packet was lost
	Attacks int             // that were played
	Packets int64           // that were offered to the buffer
	// Complete is set where every kind of attack was played to its end within the budget.
	Complete bool
}

func (r *Result) String() string {
	if r.Found != nil {
		return fmt.Sprintf("lost after %d events: %v", len(r.Found.Events), r.Found.Loss)
	}
	if r.Complete {
		return fmt.Sprintf("no lossless packet lost in %d attacks with %d packets", r.Attacks, r.Packets)
	}
	return fmt.Sprintf("no lossless packet lost in %d attacks with %d packets, after which the budget was spent", r.Attacks, r.Packets)
}

// An attack is one way of playing.
type attack struct {
	name string
	play func(*game)
}

// Search attacks a switch until it loses a lossless packet or nothing is left to try. The error is
// mmu.New's, for a configuration that it refuses.
func Search(sw *model.Switch, opts Options) (*Result, error) {
	if opts.Packets == 0 {
		opts.Packets = defaultPackets
	}
	if opts.Random == 0 {
		opts.Random = defaultRandom
	}
	if len(opts.Only) > 0 && !slices.Contains(opts.Only, proof.Memory) {
		config, own := *sw.Config, *sw
		config.SliceCells, own.Config = 0, &config // memory takes all: that it does not is not looked for
		sw = &own
	}
	result := &Result{Complete: true}
	empty, err := newGame(sw)
	if err != nil {
		return nil, err
	}
	empty.pausable, empty.only = opts.PausedPGs, opts.Only
	g := empty.fresh()
	for attack := range attacks(empty, opts) {
		if result.Packets >= opts.Packets {
			result.Complete = false
			break
		}
		g.restart(empty)
		attack.play(g)
		result.Attacks++
		result.Packets += g.packets
		if g.loss != nil {
			result.Found = minimise(empty, g, attack.name, 200*g.packets+1_000_000)
			break
		}
	}
	return result, nil
}

// attacks yields them, cheap ones first.
func attacks(g *game, opts Options) func(yield func(attack) bool) {
	return func(yield func(attack) bool) {
		for _, list := range []func(*game, Options) []attack{overrun, resumed, poolOverrun, leveled, crowded, mixed} {
			for _, a := range list(g, opts) {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// brim returns the room to leave below a threshold so that the group is not paused yet: where
// the chip pauses with the first packet that finds no room, none.
func (g *game) brim() int64 {
	if g.config.Rules.Pause == mmu.OnExcess {
		return 0
	}
	return 1
}
