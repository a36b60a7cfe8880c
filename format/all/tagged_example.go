//go:build exampletarget

package all

import (
	"github.com/roceplan/roceplan/format"
	"github.com/roceplan/roceplan/internal/exampletarget"
)

func tagged() []format.System { return []format.System{exampletarget.System()} }
