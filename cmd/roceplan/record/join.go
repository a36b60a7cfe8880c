package record

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/diag"
)

// A Part is a header with its results.
type Part struct {
	Header
	Sweep   string
	Results []Line
	at      diag.Range
}

// Join brings the parts of a sweep into order. Their lines may come from many files. Without
// findings, the parts are complete and belong together.
func Join(lines []Line) (parts []Part, found diag.List) {
	given := split(lines, &found)
	if len(given) == 0 {
		if len(found) == 0 {
			found.Errorf(PartMissing, diag.Range{}, "the files hold no part of a sweep").Fixf("give the files that the same command with --shard I/N wrote")
		}
		return nil, found
	}
	first := &given[0]
	parts = make([]Part, first.Of)
	for _, p := range given {
		if other := p.differs(first); other != "" {
			d := found.Errorf(PartForeign, p.at, "the part is of another sweep than the first: %s", other).Fixf("run part %d/%d again with the files and the flags of the first", p.Shard, p.Of)
			d.Related = []diag.Note{{Range: first.at, Message: "the first part"}}
			continue
		}
		if before := &parts[p.Shard]; before.Of > 0 {
			d := found.Errorf(PartTwice, p.at, "part %d/%d is there twice", p.Shard, p.Of).Fixf("leave one of the two files out")
			d.Related = []diag.Note{{Range: before.at, Message: "before"}}
			continue
		}
		parts[p.Shard] = p
	}
	missing(parts, &found)
	return parts, found
}

// maxParts bounds the parts of a sweep.
const maxParts = 1_000_000

// split puts results to the headers that they follow.
func split(lines []Line, found *diag.List) (parts []Part) {
	for _, l := range lines {
		switch n := len(parts); {
		case l.Header != nil && (l.Header.Of < 1 || l.Header.Of > maxParts || l.Header.Shard < 0 || l.Header.Shard >= l.Header.Of):
			found.Errorf(PartIncomplete, l.At, "part %d/%d is not a part: want 0 ≤ I < N ≤ %d", l.Header.Shard, l.Header.Of, maxParts).Fixf("give the file as --shard wrote it")
		case l.Header != nil:
			parts = append(parts, Part{Header: *l.Header, Sweep: l.Sweep, at: l.At})
		case n == 0 || parts[n-1].Sweep != l.Sweep:
			found.Errorf(PartIncomplete, l.At, "the result is behind no header of its sweep").Fixf("give the file as --shard wrote it, its first line included")
		case (parts[n-1].Command == "sim") != (l.Run != nil):
			found.Errorf(PartIncomplete, l.At, "the result is not one of %s", parts[n-1].Command).Fixf("give the file as --shard wrote it")
		default:
			parts[n-1].Results = append(parts[n-1].Results, l)
		}
	}
	for _, p := range parts {
		if len(p.Results) != p.Header.Results {
			found.Errorf(PartIncomplete, p.at, "part %d/%d has %d results, and its header says %d", p.Shard, p.Of, len(p.Results), p.Header.Results).Fixf("run the command again with --shard %d/%d: the file is cut off", p.Shard, p.Of)
		}
	}
	return parts
}

// differs names a difference to a part of another sweep; it is empty for parts of one sweep.
func (p *Part) differs(from *Part) string {
	switch {
	case p.Command != from.Command:
		return fmt.Sprintf("of %s, not of %s", p.Command, from.Command)
	case p.Program != from.Program:
		return fmt.Sprintf("by version %s, not %s", p.Program, from.Program)
	case p.Of != from.Of:
		return fmt.Sprintf("of %d parts, not of %d", p.Of, from.Of)
	case p.Sweep != from.Sweep:
		return "the fabric's files or the call differ"
	}
	return ""
}

// missing names the parts that are not there, in ranges.
func missing(parts []Part, found *diag.List) {
	var gaps []string
	total := 0
	for i := 0; i < len(parts); i++ {
		from := i
		for i < len(parts) && parts[i].Of == 0 {
			i++
		}
		total += i - from
		switch i - from {
		case 0:
		case 1:
			gaps = append(gaps, fmt.Sprint(from))
		default:
			gaps = append(gaps, fmt.Sprintf("%d to %d", from, i-1))
		}
	}
	if total > 0 {
		found.Errorf(PartMissing, diag.Range{}, "%d of %d parts are missing: %s", total, len(parts), strings.Join(gaps, ", ")).Fixf("run the command with --shard for each of the missing parts, and give all %d files", len(parts))
	}
}
