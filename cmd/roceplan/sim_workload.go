package main

import (
	"os"
	"path/filepath"

	"github.com/roceplan/roceplan/model/sim/workload"
)

// readWorkload reads a text, or a folder of Chakra traces; nil where no workload is asked for.
func (c simCmd) readWorkload(t *terminal) (*workload.Workload, error) {
	if c.Workload == "" {
		return nil, nil
	}
	info, err := os.Stat(c.Workload)
	if err != nil {
		return nil, err
	}
	folder, names := filepath.Dir(c.Workload), []string{filepath.Base(c.Workload)}
	if info.IsDir() {
		entries, err := os.ReadDir(c.Workload)
		if err != nil {
			return nil, err
		}
		folder, names = c.Workload, nil
		for _, e := range entries {
			names = append(names, e.Name())
		}
	}
	w, found, sources := workload.Read(os.DirFS(folder), names)
	if err := t.tell(found, sources); err != nil {
		return nil, err
	}
	if w == nil {
		return nil, errFindings
	}
	return w, nil
}
