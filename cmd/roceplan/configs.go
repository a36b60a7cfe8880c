package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/roceplan/roceplan/cmd/roceplan/target"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/emit"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/read/eos"
	"github.com/roceplan/roceplan/read/nvue"
	"github.com/roceplan/roceplan/read/openconfig"
	"github.com/roceplan/roceplan/read/sonic"
	"github.com/roceplan/roceplan/units"
)

// The kinds of configuration file that can be read, named as their targets are.
const (
	kindSONiC      = "sonic"
	kindEOS        = "eos"
	kindOpenConfig = "openconfig"
	kindNVUE       = "nvue"
)

// A configShape is configuration files that differ only by the name of the device. They
// are read once, and findings name the first of them.
type configShape struct {
	kind  string
	paths []string // sorted; the devices are sw.Names, in the same order
	text  []byte   // of the first
	sw    *plan.Switch
	found diag.List
}

// first is the file that ranges of the shape name.
func (c *configShape) first() string { return c.paths[0] }

// A configFile is one file before it is read as configuration.
type configFile struct {
	path, kind, device string
	text               []byte // only what cannot be read again
	shape              [sha256.Size]byte
}

// maxConfig bounds a file by more than any reader takes: they say what they refuse.
const maxConfig = 64 << 20

// readConfigs reads the files of a command's arguments and groups them by shape, in
// the order of devices. cell gives amounts in cells a meaning where it is not 0.
func readConfigs(t *terminal, args []string, cell units.Bytes) ([]*configShape, error) {
	paths, err := configPaths(args)
	if err != nil {
		return nil, err
	}
	files := make([]configFile, len(paths))
	if err := parallel(len(paths), func(i int) (err error) {
		files[i], err = openConfig(t, paths[i])
		return err
	}); err != nil {
		return nil, err
	}
	shapes := groupConfigs(files)
	return shapes, parallel(len(shapes), func(i int) (err error) {
		if shapes[i].text == nil {
			shapes[i].text, err = readBounded(shapes[i].first())
		}
		shapes[i].read(cell)
		return err
	})
}

// groupConfigs joins files of equal shape. Texts are read again, one for each shape: those
// of ten thousand switches at once would fill the memory.
func groupConfigs(files []configFile) []*configShape {
	slices.SortStableFunc(files, func(a, b configFile) int { return natural.Compare(a.device, b.device) })
	var shapes []*configShape
	known := map[[sha256.Size]byte]*configShape{}
	for i := range files {
		f := &files[i]
		shape, ok := known[f.shape]
		if !ok {
			shape = &configShape{kind: f.kind, text: f.text, sw: &plan.Switch{}}
			known[f.shape] = shape
			shapes = append(shapes, shape)
		}
		shape.paths = append(shape.paths, f.path)
		shape.sw.Names = append(shape.sw.Names, f.device)
	}
	return shapes
}

// read parses the text of a shape; its devices keep the names that they have.
func (c *configShape) read(cell units.Bytes) {
	names := c.sw.Names
	var sw *plan.Switch
	switch c.kind {
	case kindSONiC:
		sw, c.found = sonic.Read(c.first(), c.text)
	case kindEOS:
		sw, c.found = eos.ReadCells(c.first(), c.text, cell)
	case kindOpenConfig:
		sw, c.found = openconfig.Read(c.first(), c.text)
	case kindNVUE:
		sw, c.found = nvue.Read(c.first(), c.text)
	}
	if sw == nil {
		sw = &plan.Switch{OS: c.kind}
	}
	sw.Names = names
	c.sw = sw
}

// parallel calls do for 0 to n−1, a few at a time, and returns the errors in order.
func parallel(n int, do func(i int) error) error {
	failed := make([]error, n)
	var group sync.WaitGroup
	slots := make(chan struct{}, 4)
	for i := range n {
		slots <- struct{}{}
		group.Go(func() {
			failed[i] = do(i)
			<-slots
		})
	}
	group.Wait()
	return errors.Join(failed...)
}

// openConfig reads a file and tells what it is.
func openConfig(t *terminal, path string) (configFile, error) {
	f := configFile{path: path}
	var err error
	if path == "-" {
		f.path = standardInput
		f.text, err = io.ReadAll(io.LimitReader(t.in, maxConfig))
	} else {
		f.text, err = readBounded(path)
	}
	if err != nil {
		return f, err
	}
	f.kind = configKind(f.text)
	name, cut := deviceName(f.kind, f.text)
	if f.device = name; name == "" {
		f.device = nameFromPath(f.path)
	}
	sum := sha256.New()
	sum.Write([]byte(f.kind))
	sum.Write(f.text[:cut])
	sum.Write([]byte{0})
	sum.Write(f.text[cut+len(name):])
	sum.Sum(f.shape[:0])
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		f.text = nil
	}
	return f, nil
}

func readBounded(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size := int64(0)
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		size = min(info.Size(), maxConfig)
	}
	text := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err = text.ReadFrom(io.LimitReader(file, maxConfig))
	return text.Bytes(), err
}

// nvueBegins matches the first operation of NVUE's YAML, after comments.
var nvueBegins = regexp.MustCompile(`^(#[^\n]*\n|\s*\n)*-\s+(set|unset|header):`)

// configKind tells the kind of a file by how it begins. JSON without a trace of the
// OpenConfig models is taken for ConfigDB; what is not JSON is taken for a running-config.
func configKind(text []byte) string {
	start := bytes.TrimLeft(text, " \t\r\n\ufeff")
	if nvueBegins.Match(start[:min(len(start), 4096)]) {
		return kindNVUE
	}
	if len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return kindEOS
	}
	head := start[:min(len(start), 64<<10)]
	if bytes.Contains(head, []byte(`"openconfig-`)) {
		return kindOpenConfig
	}
	return kindSONiC
}

// nvueName is where our files, and those of a switch, say whose they are.
var nvueName = regexp.MustCompile(`(?m)\A# QoS of ([\w.-]*\w)|^ +hostname: +"?([\w.-]+)`)

// deviceName finds how a file calls its device, and where. Empty: it does not.
func deviceName(kind string, text []byte) (name string, at int) {
	switch kind {
	case kindNVUE:
		if m := nvueName.FindSubmatchIndex(text); m != nil {
			at := max(m[2], m[4]) // -1 is none
			return string(text[at:m[1]]), at
		}
	case kindEOS:
		key := []byte("hostname ")
		if !bytes.HasPrefix(text, key) {
			key = []byte("\nhostname ")
		}
		i := bytes.Index(text, key)
		if i < 0 {
			return "", 0
		}
		at = i + len(key)
		line, _, _ := bytes.Cut(text[at:min(len(text), at+256)], []byte("\n"))
		name := bytes.TrimLeft(line, " \t")
		return string(bytes.TrimRight(name, " \t\r")), at + len(line) - len(name)
	case kindSONiC:
		key := []byte(`"hostname"`)
		i := bytes.Index(text, key)
		if i < 0 {
			return "", 0
		}
		rest := text[i+len(key) : min(len(text), i+512)]
		before, value, ok := bytes.Cut(rest, []byte(`"`))
		value, _, closed := bytes.Cut(value, []byte(`"`))
		if !ok || !closed || string(bytes.TrimSpace(before)) != ":" {
			return "", 0
		}
		return string(value), i + len(key) + len(before) + 1
	}
	return "", 0
}

// usualNames are files that lie in a folder with the name of their device.
var usualNames = []string{"config_db.json", "overlay.json", "eos.cfg", "openconfig.json", "nvue.yaml", "running-config", "startup-config"}

// nameFromPath calls a device after its file, or after the folder where the file has
// the same name for all devices.
func nameFromPath(path string) string {
	base := filepath.Base(path)
	if folder := filepath.Base(filepath.Dir(path)); slices.Contains(usualNames, base) && folder != "." && folder != string(filepath.Separator) {
		return folder
	}
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// configPaths lists the files that arguments name. Of a folder these are all files
// below it that look like configuration; a file that is named is taken as it is.
func configPaths(args []string) ([]string, error) {
	var paths []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case arg == "-" || err == nil && !info.IsDir():
			paths = append(paths, arg)
			continue
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("there is no file or folder %s", arg)
		case err != nil:
			return nil, err
		}
		below, err := configsBelow(arg)
		if err != nil {
			return nil, err
		}
		if len(below) == 0 {
			return nil, fmt.Errorf("the folder %s holds no configuration: no *.json, *.cfg or *.conf", arg)
		}
		paths = append(paths, below...)
	}
	return paths, nil
}

// notConfigs are files that roceplan writes beside configurations, and those that carry
// a configuration in the form of something else: gNMI requests, scripts.
func notConfigs() []string {
	names := []string{modelFile, "certificate.json"}
	for _, t := range target.All() {
		for _, f := range t.Forms {
			if f.Name != emit.Full && f.Name != "overlay" {
				names = append(names, f.File)
			}
		}
	}
	return names
}

func configsBelow(root string) ([]string, error) {
	var paths []string
	others := notConfigs()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		hidden := path != root && strings.HasPrefix(name, ".")
		switch {
		case d.IsDir() && hidden:
			return fs.SkipDir
		case d.IsDir() || hidden || slices.Contains(others, name):
			return nil
		}
		switch filepath.Ext(name) {
		case ".json", ".cfg", ".conf":
			paths = append(paths, path)
		default:
			if slices.Contains(usualNames, name) {
				paths = append(paths, path)
			}
		}
		return nil
	})
	return paths, err
}

// sources are the texts that ranges of the shape point into.
func (c *configShape) sources() diag.Sources { return diag.Sources{c.first(): c.text} }
