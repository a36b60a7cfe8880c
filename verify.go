package roceplan

import (
	"context"
	"fmt"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/internal/target"
	"github.com/roceplan/roceplan/model/proof"
	"github.com/roceplan/roceplan/verify"
)

// VerifyOptions are facts that files cannot hold.
type VerifyOptions struct {
	// Fabric that the files are for; nil: there is none. It must have no errors.
	Fabric *Fabric
	// Chip of all switches, by its name or an alias in the catalogue; empty: what the fabric
	// or the files say, and without either nothing is proved.
	Chip string
	// Cables go before what files say; see [verify.ReadCables].
	Cables verify.Cables
	// HeadroomLimits are the limits that devices report for their ports; see [verify.HeadroomLimits].
	HeadroomLimits verify.HeadroomLimits
	// Peers holds the caller's declarations about all peers.
	Peers verify.Peers
	// Step is called when a device has been judged, from several goroutines; it may be nil.
	Step func()
}

// Verify says of each switch and of each of its lossless priority groups whether it is lossless:
// proved, conditional, refuted or not judged. See [verify.Judge].
func Verify(ctx context.Context, files []verify.File, o VerifyOptions) (*verify.Report, error) {
	judge := verify.Options{Cables: o.Cables, HeadroomLimits: o.HeadroomLimits, Peers: o.Peers, Step: o.Step, Context: ctx}
	if o.Fabric != nil {
		if _, found := o.Fabric.Plan(); found.HasErrors() {
			return nil, fmt.Errorf("the fabric cannot be compared with: %w", ErrFindings)
		}
		judge.Catalogue, judge.Fabric = o.Fabric.Catalogue, Intended(o.Fabric)
	}
	if o.Chip != "" {
		if judge.Catalogue == nil {
			judge.Catalogue, _ = chips.Load() // the built-in one has no faults: its tests say so
		}
		chip, ok := judge.Catalogue.Find(o.Chip)
		if !ok {
			return nil, fmt.Errorf("no chip is called %q", o.Chip)
		}
		judge.Chip = chip
	}
	return verify.Judge(files, judge)
}

// Intended returns the reference against which the files of a fabric are checked.
func Intended(f *Fabric) *verify.Fabric {
	p, _ := f.Plan()
	intended := &verify.Fabric{Plan: p, Targets: target.All()}
	for _, pattern := range f.Policy.FanIn {
		intended.Patterns = append(intended.Patterns, proof.Pattern{From: pattern.From, To: pattern.To})
	}
	return intended
}

// NewVerifier makes a verifier of files for a fabric whose plan has no errors.
func NewVerifier(f *Fabric) *verify.Verifier {
	return verify.New(verify.Options{Catalogue: f.Catalogue, Fabric: Intended(f)})
}
