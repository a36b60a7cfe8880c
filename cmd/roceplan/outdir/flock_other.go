//go:build !unix

package outdir

import "os"

// kernelLocks: tryLock keeps others out.
const kernelLocks = false

// tryLock locks nothing: there is no lock here that goes with its process.
func tryLock(*os.File) (bool, error) { return true, nil }
