package roceplan

import (
	"context"
	"runtime"
	"time"

	"github.com/roceplan/roceplan/chips"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/repair"
)

// Repair gives findings of a fabric, as [Check] returns them, the edits of its files that repair
// them, and puts root causes before what follows from them. Each edit has been tried: the fabric
// was checked with it, the finding was gone, and none was new. Findings without such an edit stay
// as they are.
func Repair(ctx context.Context, in Input, found diag.List) (diag.List, error) {
	texts, load := variants(in)
	return repair.Find(texts, found, func(texts repair.Texts, enough func(diag.List) bool) (diag.List, error) {
		if breathe(); ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return checkUntil(ctx, load(texts), enough)
	})
}

// breathe lets a page that runs the program receive changes between two trials: it has one thread,
// which receives nothing while it computes.
func breathe() {
	if runtime.GOOS == "js" {
		time.Sleep(time.Millisecond)
	}
}

// variants returns the texts of a fabric, and what reads it again with others in their place.
func variants(in Input) (repair.Texts, func(repair.Texts) *Fabric) {
	texts := repair.Texts{}
	for _, src := range in.Files {
		texts[src.Name] = src.Text
	}
	if in.Catalogue == nil {
		in.Catalogue, _ = chips.Load(asChips(in.Chips)...)
	}
	in.Memory = in.Memory.brief() // a text that is tried differs little from the one before
	files := in.Files
	return texts, func(texts repair.Texts) *Fabric {
		in.Files = make([]Source, len(files))
		for i, src := range files {
			in.Files[i] = Source{Name: src.Name, Text: texts[src.Name]}
		}
		return Load(in)
	}
}
