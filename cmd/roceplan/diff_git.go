package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/roceplan/roceplan/plan"
)

// fabricAt reads a fabric as it was in a revision of the git repository that it is in.
func (c diffCmd) fabricAt(t *terminal, rev, path string) (*plan.Plan, error) {
	old, err := os.MkdirTemp("", "roceplan-diff-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(old)
	folder := folderOf(path)
	if err := checkout(t, rev, folder, old); err != nil {
		return nil, err
	}
	then := filepath.Join(old, filepath.Base(path))
	if folder == path {
		then = old
	}
	if _, err := os.Stat(then); err != nil {
		return nil, fmt.Errorf("there is no %s in revision %s", path, rev)
	}
	texts, err := readFabric(t, []string{then})
	if err != nil {
		return nil, err
	}
	for i := range texts {
		texts[i].Name = rev + ":" + filepath.ToSlash(filepath.Join(folder, filepath.Base(texts[i].Name)))
	}
	loaded, err := c.understand(texts, old, false)
	if err != nil {
		return nil, err
	}
	return planOf(t, loaded, path+" in revision "+rev)
}

// checkout puts a folder as it was in a revision into another.
func checkout(t *terminal, rev, folder, into string) error {
	commit, err := git(t, folder, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if _, err := git(t, folder, "rev-parse", "--git-dir"); err != nil {
			return fmt.Errorf("%s is not in a git repository", folder)
		}
		return fmt.Errorf("git knows no revision %q", rev)
	}
	if err != nil {
		return err
	}
	text, err := git(t, folder, "archive", "--format=tar", strings.TrimSpace(string(commit)))
	if errors.As(err, &exit) {
		return fmt.Errorf("there is no folder %s in revision %s", folder, rev)
	}
	if err != nil {
		return err
	}
	return unpack(text, into)
}

// git runs git in a folder. Where there is no git, the error says so.
func git(t *terminal, folder string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(t, "git", args...)
	cmd.Dir = folder
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("--git needs the program git, which is not installed")
	}
	return out, err
}

// unpack writes the files of an archive. Nothing leads out of the folder: neither names
// nor links.
func unpack(archive []byte, into string) error {
	root, err := os.OpenRoot(into)
	if err != nil {
		return err
	}
	defer root.Close()
	for files := tar.NewReader(bytes.NewReader(archive)); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.FromSlash(strings.TrimSuffix(header.Name, "/"))
		switch header.Typeflag {
		case tar.TypeDir:
			err = root.MkdirAll(name, 0o777)
		case tar.TypeSymlink:
			err = root.Symlink(header.Linkname, name)
		case tar.TypeReg:
			var text []byte
			if text, err = io.ReadAll(files); err == nil {
				err = root.WriteFile(name, text, 0o666)
			}
		}
		if err != nil {
			return err
		}
	}
}
