package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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
	commit, err := git(t, folder, "", "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if _, err := git(t, folder, "", "rev-parse", "--git-dir"); err != nil {
			return fmt.Errorf("%s is not in a git repository", folder)
		}
		return fmt.Errorf("git knows no revision %q", rev)
	}
	if err != nil {
		return err
	}
	files, err := blobs(t, folder, strings.TrimSpace(string(commit)))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("there is no folder %s in revision %s", folder, rev)
	}
	return unpack(files, into)
}

// git runs git in a folder. Where there is no git, the error says so. Missing objects are not
// fetched: the configuration of a repository of others could name a program for that.
func git(t *terminal, folder, input string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(t, "git", args...)
	cmd.Dir, cmd.Stdin = folder, strings.NewReader(input)
	cmd.Env = append(cmd.Environ(), "GIT_NO_LAZY_FETCH=1")
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("--git needs the program git, which is not installed")
	}
	return out, err
}

// A blob is a file, or a symbolic link with the text as its target.
type blob struct {
	name, id string
	link     bool
	text     []byte
}

// blobs returns the files of a revision below a folder, as git stores them. git archive would have the filters
// that a repository names change them, which are programs.
func blobs(t *terminal, folder, commit string) (files []blob, err error) {
	list, err := git(t, folder, "", "ls-tree", "-r", "-z", commit)
	if err != nil {
		return nil, err
	}
	var ids strings.Builder
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		about, name, _ := strings.Cut(entry, "\t")
		if about := strings.Fields(about); len(about) == 3 && about[1] == "blob" { // not a submodule
			files = append(files, blob{name: filepath.FromSlash(name), id: about[2], link: about[0] == "120000"})
			fmt.Fprintln(&ids, about[2])
		}
	}
	texts, err := git(t, folder, ids.String(), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	for i := range files {
		head, rest, _ := bytes.Cut(texts, []byte("\n")) // ID blob SIZE
		size, err := strconv.Atoi(string(head[bytes.LastIndexByte(head, ' ')+1:]))
		if err != nil || !bytes.HasPrefix(head, []byte(files[i].id)) || size >= len(rest) {
			return nil, fmt.Errorf("git has no %s: %q", files[i].name, head)
		}
		files[i].text, texts = rest[:size], rest[size+1:]
	}
	return files, nil
}

// unpack writes files. Nothing leads out of the folder: neither names nor links.
func unpack(files []blob, into string) error {
	root, err := os.OpenRoot(into)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		err := root.MkdirAll(filepath.Dir(f.name), 0o777)
		switch {
		case err != nil:
		case f.link:
			err = root.Symlink(string(f.text), f.name)
		default:
			err = root.WriteFile(f.name, f.text, 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
