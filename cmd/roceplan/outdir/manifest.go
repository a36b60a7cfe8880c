package outdir

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"

	"github.com/roceplan/roceplan/internal/disk"
	"github.com/roceplan/roceplan/internal/regular"
)

// ManifestName is the file in the directory that says which files are ours.
const ManifestName = ".roceplan.json"

// A manifest is the list of files that were written. It holds no time and no version
// of the program, so that equal trees have equal manifests.
type manifest struct {
	Version int             `json:"version"` // of this format: 1
	Fabric  string          `json:"fabric"`
	Shapes  []manifestShape `json:"shapes"`
	// Links are the cables of the fabric, which no configuration holds: "leaf-1:Ethernet0
	// tor-1:Ethernet8".
	Links []string `json:"links,omitempty"`
	// Digests are the SHA-256 digests of the files, by device and path with slashes.
	Digests map[string]string `json:"digests,omitempty"`

	text []byte // as read
}

type manifestShape struct {
	Files    []string `json:"files"`
	Switches []string `json:"switches"`
}

func (t Tree) manifest(now []*rendering, digests map[string]string) manifest {
	m := manifest{Version: 1, Fabric: t.Fabric, Links: t.Links, Digests: digests}
	for _, r := range now {
		var files []string
		for _, path := range r.paths {
			files = append(files, filepath.ToSlash(path))
		}
		m.Shapes = append(m.Shapes, manifestShape{files, r.shape.Names})
	}
	return m
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (m manifest) encode() []byte {
	out, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		panic(err) // strings and an int always encode
	}
	return append(out, '\n')
}

// readManifest returns the manifest of dir, an empty one where there is none.
func readManifest(d disk.FS, dir string) (manifest, error) {
	var m manifest
	path := filepath.Join(dir, ManifestName)
	text, err := disk.Text(d, path, regular.Most)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	m.text = text
	if err := json.Unmarshal(text, &m); err != nil || m.Version != 1 {
		return m, fmt.Errorf("this version cannot read the manifest %s; delete it, and files of removed switches will stay", path)
	}
	return m, nil
}

// Links returns the cables of the fabric that was compiled into a directory, none where the
// manifest has none.
func Links(dir string) ([]string, error) {
	m, err := readManifest(disk.System{}, dir)
	return m.Links, err
}

// files yields the files of a manifest as paths below the directory. Paths that lead out of the
// directory are skipped, since anyone can edit the manifest.
func (m manifest) files() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, shape := range m.Shapes {
			for _, name := range shape.Switches {
				for _, file := range shape.Files {
					file = filepath.FromSlash(file)
					if !isFolderName(name) || !filepath.IsLocal(file) {
						continue
					}
					if !yield(filepath.Join(name, file)) {
						return
					}
				}
			}
		}
	}
}
