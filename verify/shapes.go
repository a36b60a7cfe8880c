package verify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/internal/stable"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read"
	"github.com/roceplan/roceplan/units"
)

// A Shape is configuration files that differ only by the name of the device. They are read
// once, and findings name the first of them.
type Shape struct {
	// Format that the files are of. Its Name is empty where no reader recognizes them.
	Format  read.Format
	Devices []string // in natural order
	Files   []string // in the order of the devices
	Text    []byte   // of the first file, without a byte order mark
	read.Result

	seen []*sighting // of the files
	by   recognition // of the first
	cell units.Bytes // of the chip, given to the reader
	pass bool        // a state of a change, in which priorities without groups are not used yet
}

// First returns the file that ranges of the shape name.
func (s *Shape) First() string { return s.Files[0] }

// A sighting is what was seen of a file before it is read as configuration.
type sighting struct {
	file   File
	by     recognition
	device string
	shape  [sha256.Size]byte // of the text except for the name of the device

	named  bool       // the text names the device
	folder string     // that it is in, where that should be called like the device
	at     diag.Range // of the name
	dump   *dump      // of what runs on the device; nil: none was given
}

// Read reads files and groups them by shape, in the order of devices. cell gives amounts in
// cells a meaning where it is not 0. The error is of files that cannot be read; what is wrong
// in them is in the shapes. Dumps of running buffers are left out: they are no configuration.
func Read(files []File, cell units.Bytes) ([]*Shape, error) {
	shapes, _, err := readShapes(context.Background(), files, cell)
	if err != nil {
		return nil, err
	}
	return withoutDumps(shapes), nil
}

func readShapes(ctx context.Context, files []File, cell units.Bytes) ([]*Shape, []sighting, error) {
	all := Formats()
	usual := usualNames(all)
	seen := make([]sighting, len(files))
	var known patterns
	if err := parallel.Each(ctx, parallel.Few, len(files), func(i int) (err error) {
		seen[i], err = known.see(all, usual, files[i])
		return err
	}); err != nil {
		return nil, nil, err
	}
	shapes := group(seen)
	return shapes, seen, parallel.Each(ctx, parallel.Few, len(shapes), func(i int) error { return shapes[i].read(cell) })
}

// see reads a file as far as it takes to group it.
func see(all []read.Format, usual []string, f File) (sighting, error) {
	return new(patterns).see(all, usual, f)
}

// see is [see], where a file may be like one that was seen before.
func (m *patterns) see(all []read.Format, usual []string, f File) (sighting, error) {
	s := sighting{file: f}
	raw, err := f.Read()
	if err != nil {
		return s, err
	}
	text := bytes.TrimPrefix(raw, byteOrderMark)
	base := path.Base(filepath.ToSlash(f.Name))
	if slices.Contains(usual, base) {
		if s.folder = path.Base(path.Dir(filepath.ToSlash(f.Name))); slices.Contains([]string{".", "..", "/"}, s.folder) {
			s.folder = ""
		}
	}
	like, name, cut := m.find(text)
	if like != nil {
		s.by, s.shape = like.by, like.shape
		if s.by.at >= cut {
			s.by.at += len(name) - like.name
		}
	} else if s.by = recognize(all, text); s.by.format.Name != "" {
		name, cut = s.by.format.Device(text)
	}
	switch {
	case name != "":
		s.device, s.named = name, true
		if s.folder != "" && s.folder != name {
			s.at = rangeOf(f.Name, text, cut, len(name))
		}
	case s.folder != "":
		s.device = s.folder
	default:
		s.device = strings.TrimSuffix(base, path.Ext(base))
	}
	if like != nil {
		return s, nil
	}
	sum := sha256.New()
	sum.Write([]byte(s.by.format.Name))
	sum.Write(text[:cut])
	sum.Write([]byte{0})
	sum.Write(text[cut+len(name):])
	sum.Sum(s.shape[:0])
	m.add(pattern{s.by, s.shape, len(name), text[:cut], text[cut+len(name):]})
	return s, nil
}

// Patterns are texts that many files of a fabric share, but for the name of the device. Such a file is
// recognized without reading it again, which took most of the time for ten thousand switches.
type patterns struct {
	lock  sync.Mutex
	all   []pattern
	bytes int
}

// A pattern is a file up to the name of its device, and what follows.
type pattern struct {
	by            recognition
	shape         [sha256.Size]byte
	name          int // bytes of it
	before, after []byte
}

// Bounds of what patterns keep in memory. A switch that is read takes more.
const (
	mostPatterns     = 32
	mostPatternBytes = 8 << 20
)

// add keeps a file, unless no reader recognizes it or the text by which one does has the name in it.
func (m *patterns) add(one pattern) {
	m.lock.Lock()
	defer m.lock.Unlock()
	cut, size := len(one.before), len(one.before)+len(one.after)
	apart := one.by.at+len(one.by.shown) <= cut || one.by.at >= cut+one.name
	if one.by.format.Name != "" && apart && len(m.all) < mostPatterns && m.bytes+size <= mostPatternBytes {
		m.all, m.bytes = append(m.all, one), m.bytes+size
	}
}

// find returns the pattern of a text, the name that the text has in its place, and where; nil if there is none. A name
// of other than letters, digits, dots, hyphens and underscores may change what the text is.
func (m *patterns) find(text []byte) (like *pattern, name string, cut int) {
	m.lock.Lock()
	all := m.all
	m.lock.Unlock()
	for i := range all {
		like = &all[i]
		cut = len(like.before)
		end := len(text) - len(like.after)
		if end < cut || !bytes.Equal(text[:cut], like.before) || !bytes.Equal(text[end:], like.after) || end > cut && !plainName().Match(text[cut:end]) {
			continue
		}
		if name, at := like.by.format.Device(text); at == cut && len(name) == end-cut {
			return like, name, cut
		}
	}
	return nil, "", 0
}

var plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w.-]{1,255}$`) })

func rangeOf(name string, text []byte, at, length int) diag.Range {
	line := 1 + bytes.Count(text[:at], []byte("\n"))
	column := at - (1 + bytes.LastIndexByte(text[:at], '\n')) + 1
	return diag.Range{
		Filename: name,
		Start:    hcl.Pos{Line: line, Column: column, Byte: at},
		End:      hcl.Pos{Line: line, Column: column + length, Byte: at + length},
	}
}

// group joins files of equal shape.
func group(seen []sighting) (shapes []*Shape) {
	stable.Sort(seen, func(a, b sighting) int { return natural.Compare(a.device, b.device) })
	known := map[[sha256.Size]byte]*Shape{}
	for i := range seen {
		s := &seen[i]
		shape, ok := known[s.shape]
		if !ok {
			shape = &Shape{Format: *s.by.format, by: s.by}
			known[s.shape] = shape
			shapes = append(shapes, shape)
		}
		shape.Devices = append(shape.Devices, s.device)
		shape.Files = append(shape.Files, s.file.Name)
		shape.seen = append(shape.seen, s)
	}
	return shapes
}

// read parses the first file of a shape; its devices keep the names that they have.
func (s *Shape) read(cell units.Bytes) error {
	raw, err := s.seen[0].again()
	if err != nil {
		return err
	}
	s.Text = bytes.TrimPrefix(raw, byteOrderMark)
	s.parse(cell)
	return nil
}

// again reads a file once more, which must be what it was.
func (s *sighting) again() ([]byte, error) {
	raw, err := s.file.Read()
	if err != nil {
		return nil, err
	}
	all := Formats()
	now, err := see(all, usualNames(all), Text(s.file.Name, raw))
	if err == nil && (now.shape != s.shape || now.device != s.device) {
		err = fmt.Errorf("%s changed while it was read", s.file.Name)
	}
	return raw, err
}

func (s *Shape) parse(cell units.Bytes) {
	s.cell = cell
	if s.Format.Read != nil {
		s.Result = s.Format.Read(s.First(), s.Text, read.Options{Cell: cell})
		s.refuseGuess()
	} else {
		s.Found = s.unread()
	}
	if s.Switch == nil {
		s.Switch = &plan.Switch{OS: s.Format.Name}
	}
	s.Switch.Names = s.Devices
}

// In returns the shape as a chip with such cells takes it, which is known only where it is known whose
// file this is.
func (s *Shape) In(cell units.Bytes) *Shape {
	if cell == 0 || cell == s.cell || !s.Format.Cells {
		return s
	}
	own := *s
	own.parse(cell)
	return &own
}
