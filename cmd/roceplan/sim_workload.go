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
	if _, err := os.Stat(c.Workload); err != nil {
		return nil, err
	}
	whole, err := filepath.Abs(c.Workload) // "traces/" and ".." have no folder and name as they are
	if err != nil {
		return nil, err
	}
	w, found, sources := workload.At(os.DirFS(filepath.Dir(whole)), filepath.Base(whole))
	if err := t.tell(found, sources); err != nil {
		return nil, err
	}
	if w == nil {
		return nil, errFindings
	}
	return w, nil
}
