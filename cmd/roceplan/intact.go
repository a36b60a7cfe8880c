package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/cmd/roceplan/outdir"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/natural"
	"github.com/roceplan/roceplan/internal/parallel"
	"github.com/roceplan/roceplan/verify"
)

// asWritten warns of folders that compile wrote and that are no longer as it wrote them, also by files that were
// read as configuration and are not listed. Of another folder nothing is known.
func asWritten(t *terminal, paths []string, files []verify.File) (found diag.List, err error) {
	for _, folder := range t.written(paths, files) {
		var others []string
		for _, f := range files {
			if below, err := filepath.Rel(folder, f.Name); err == nil && filepath.IsLocal(below) {
				others = append(others, below)
			}
		}
		list, err := outdir.Intact(t, t.disk, folder, parallel.Few, others...)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			at := diag.Range{Filename: filepath.Join(folder, outdir.ManifestName), Start: hcl.InitialPos, End: hcl.InitialPos}
			found.Warnf(NotAsWritten, at, "%s is not as roceplan compile wrote it: %s", folder, outdir.Sum(list)).
				Fixf("compile again, or make the changes in the fabric")
		}
	}
	return found, nil
}

// written returns the folders with a manifest among those that are named, and those between them and the files that
// were read.
func (t *terminal) written(paths []string, files []verify.File) (folders []string) {
	seen := map[string]bool{}
	add := func(folder string) {
		info, err := t.disk.Lstat(filepath.Join(folder, outdir.ManifestName))
		if seen[folder] = true; err == nil && info.Mode().IsRegular() {
			folders = append(folders, folder)
		}
	}
	for _, path := range paths {
		add(path)
		for _, f := range files {
			for dir := filepath.Dir(f.Name); strings.HasPrefix(dir, filepath.Clean(path)+string(filepath.Separator)) && !seen[dir]; dir = filepath.Dir(dir) {
				add(dir)
			}
		}
	}
	slices.SortFunc(folders, natural.Compare)
	return folders
}
