package proof

import (
	"fmt"

	"github.com/roceplan/roceplan/internal/natural"
)

// Coverage counts the evidence behind a verdict.
type Coverage struct {
	Ports    int `json:"ports"`          // that the file has
	Lossless int `json:"lossless_ports"` // those with a lossless priority group
	Groups   int `json:"groups"`         // lossless priority groups, of all ports
	Classes  int `json:"classes"`        // traffic classes that code points lead to
	// Classes that are in a lossless group.
	LosslessClasses int `json:"lossless_classes"`
	// Code points of these classes, as "24-26,46": packets with another one may be dropped, and
	// nothing else in a file says which one was meant.
	LosslessDSCPs string `json:"lossless_dscps,omitempty"`
	Modelled      int    `json:"modelled"`     // statements that the model holds
	Neutral       int    `json:"neutral"`      // statements that no lossless packet can feel
	Unmodelled    int    `json:"not_modelled"` // all others
}

// String says it in a line, as every summary does.
func (c Coverage) String() string {
	dscps := ""
	if c.LosslessDSCPs != "" {
		dscps = ", DSCP " + c.LosslessDSCPs
	}
	return fmt.Sprintf("%s, %d lossless with %s, %d of %s lossless%s; statements: %d modelled, %d neutral, %d not modelled",
		natural.Count(c.Ports, "port", "ports"), c.Lossless, natural.Count(c.Groups, "priority group", "priority groups"),
		c.LosslessClasses, natural.Count(c.Classes, "class", "classes"), dscps, c.Modelled, c.Neutral, c.Unmodelled)
}
