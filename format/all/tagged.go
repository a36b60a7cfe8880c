//go:build !exampletarget

package all

import "github.com/roceplan/roceplan/format"

// tagged lists those that a tag of the build adds.
func tagged() []format.System { return nil }
