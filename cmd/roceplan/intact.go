package main

import (
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/roceplan/roceplan/cmd/roceplan/outdir"
	"github.com/roceplan/roceplan/diag"
	"github.com/roceplan/roceplan/internal/parallel"
)

// asWritten warns of folders that compile wrote and that are no longer as it wrote them. Of another
// folder nothing is known.
func asWritten(t *terminal, paths []string) (found diag.List, err error) {
	for _, folder := range paths {
		info, err := t.disk.Lstat(filepath.Join(folder, outdir.ManifestName))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		list, err := outdir.Intact(t, t.disk, folder, parallel.Few)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			at := diag.Range{Filename: filepath.Join(folder, outdir.ManifestName), Start: hcl.InitialPos, End: hcl.InitialPos}
			found.Warnf(NotAsWritten, at, "%s is not as roceplan compile wrote it: %s", folder, outdir.Sum(list)).
				Fixf("compile again, or take the changes into the fabric")
		}
	}
	return found, nil
}
