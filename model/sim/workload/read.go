package workload

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/regular"
	"github.com/roceplan/roceplan/units"
)

// Bounds of a trace, so that no file fills memory.
const (
	maxFile  = 256 << 20 // bytes of one file
	maxRanks = 1 << 17
	maxNodes = 1 << 23
	maxEdges = 1 << 25 // dependencies of nodes, and members of groups
	maxTime  = 100 * units.Second
	maxBytes = 1000 * units.GB
)

// At reads the workload of a name below a file system: a text, or a folder of Chakra traces. See [Read].
func At(fsys fs.FS, name string) (*Workload, diag.List, diag.Sources) {
	names := []string{name}
	if entries, err := fs.ReadDir(fsys, name); err == nil {
		names = nil
		for _, e := range entries {
			names = append(names, path.Join(name, e.Name()))
		}
	}
	return Read(fsys, names)
}

// Read reads a workload by the kind of its files: Chakra execution traces, NAME.RANK.et for each rank with an optional
// JSON of groups; one text of SimAI; or one flow file of the HPCC simulator. Nil if there are errors. The
// sources are for findings that point into a text.
func Read(fsys fs.FS, names []string) (*Workload, diag.List, diag.Sources) {
	r := &reader{sources: diag.Sources{}, sum: sha256.New()}
	switch ets := ending(names, ".et"); {
	case len(ets) > 0:
		r.chakra(fsys, ets, ending(names, ".json"))
		names = []string{strings.TrimSuffix(ets[0], ".0.et")}
	case len(names) != 1:
		r.found.Errorf(TraceUnreadable, diag.Range{}, "%d files, of which none is NAME.RANK.et: a workload is one text or a folder of Chakra traces", len(names)).Fixf("name the traces NAME.RANK.et, with ranks from 0, or give one file of SimAI")
	default:
		r.text(fsys, names[0])
	}
	if r.found.HasErrors() {
		return nil, r.found.Sorted(), r.sources
	}
	if err := r.Check(); err != nil {
		r.found.Errorf(TraceInconsistent, start(names[0]), "%v", err)
		return nil, r.found, r.sources
	}
	r.Digest = hex.EncodeToString(r.sum.Sum(nil))
	r.Name = strings.TrimSuffix(path.Base(names[0]), path.Ext(names[0]))
	return &r.Workload, r.found.Sorted(), r.sources
}

// reader collects a workload and what is wrong with it.
type reader struct {
	Workload
	found   diag.List
	sources diag.Sources
	sum     hash.Hash // of all that is read
	edges   int
}

func ending(names []string, with string) (list []string) {
	for _, n := range names {
		if strings.HasSuffix(n, with) {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, natural.Compare)
	return list
}

func start(name string) diag.Range {
	return diag.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
}

// content reads a file that is not too large; nil where it cannot be read.
func (r *reader) content(fsys fs.FS, name string) []byte {
	f, err := regular.OpenFS(fsys, name)
	if err != nil {
		r.found.Errorf(TraceUnreadable, diag.Range{}, "cannot read %s: %v", name, cause(err)).Fixf("name a file or a folder that can be read")
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		r.found.Errorf(TraceUnreadable, start(name), "cannot read %s: %v", name, cause(err)).Fixf("give the trace as Chakra writes it, a file of protobuf messages")
		return nil
	case len(text) > maxFile:
		r.found.Errorf(TraceTooLarge, start(name), "the file has more than %d MiB", maxFile>>20).Fixf("trace fewer steps")
		return nil
	}
	fmt.Fprintf(r.sum, "%s %d\n", name, len(text))
	r.sum.Write(text)
	return text
}

func cause(err error) error {
	if path, ok := err.(*fs.PathError); ok {
		return path.Err
	}
	return err
}

// text reads a file by its first word.
func (r *reader) text(fsys fs.FS, name string) {
	text := r.content(fsys, name)
	if text == nil {
		return
	}
	w := &words{reader: r, name: name, text: text, line: 1}
	if len(text) < 1<<20 {
		r.sources[name] = text
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	word := ""
	if fields := strings.Fields(string(first)); len(fields) > 0 {
		word = fields[0]
	}
	switch _, err := strconv.Atoi(word); {
	case strings.HasPrefix(word, "HYBRID_") || word == "MICRO" || word == "DATA" || word == "MODEL": // ASTRA-sim's words for parallelism
		r.simai(w)
	case err == nil:
		r.flows(w)
	default:
		r.found.Errorf(TraceUnreadable, start(name), "the file begins with %q: neither a SimAI workload nor a flow file of the HPCC simulator", clip(word)).
			Fixf("Chakra traces are called NAME.RANK.et")
	}
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// room reports whether a workload may have so many more nodes, and so many more that they wait for;
// if not, it reports that once.
func (r *reader) room(nodes, edges int, at diag.Range) bool {
	if r.edges += edges; len(r.Nodes)+nodes <= maxNodes && r.edges <= maxEdges {
		return true
	}
	if !slices.ContainsFunc(r.found, func(d diag.Diagnostic) bool { return d.Code == TraceTooLarge }) {
		r.found.Errorf(TraceTooLarge, at, "the workload has more than %d operations or %d dependencies", maxNodes, maxEdges).Fixf("trace fewer steps or ranks")
	}
	return false
}

// node adds what a rank does, and returns its index.
func (r *reader) node(n Node) int32 {
	r.Nodes = append(r.Nodes, n)
	return int32(len(r.Nodes) - 1)
}

// join adds a communication of nodes, each of which takes part in it.
func (r *reader) join(c Comm) {
	for _, n := range c.Nodes {
		r.Nodes[n].Comm = int32(len(r.Comms))
	}
	r.Comms = append(r.Comms, c)
}
