package policy

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/roceplan/roceplan/diag"
)

// portCurveDecl is an ecn block of a port group while its class is still a name.
type portCurveDecl struct {
	PortCurve
	class Opt[reference]
}

var portCurveBlock = &block[portCurveDecl]{
	name: "ecn",
	doc:  "A marking curve of these ports. It replaces the curve of the class where ports of one speed need different curves, such as downlinks and uplinks of a leaf.",
	fields: []field[portCurveDecl]{
		opt("class", referenceTo("a traffic class", "traffic_class"), func(c *portCurveDecl) *Opt[reference] { return &c.class },
			"class with this curve; further blocks may name other classes").otherwise("every class that marks and has no block here"),
		kMinField(curveOfPorts), kMaxField(curveOfPorts), pMaxField(curveOfPorts),
	},
}

func curveOfPorts(c *portCurveDecl) *Curve { return &c.Curve }

func decodePortCurve(d *decoder, g *groupDecl, b *hclsyntax.Block) {
	own := portCurveDecl{PortCurve: PortCurve{Range: b.TypeRange}}
	portCurveBlock.decode(d, b.Body, b.TypeRange, &own)
	own.checkOrder(d)
	if _, named := b.Body.Attributes["class"]; named && !own.class.Set { // an unknown class, which is reported
		return
	}
	if i := slices.IndexFunc(g.curves, func(c portCurveDecl) bool { return c.class.Value == own.class.Value }); i >= 0 {
		d.errorf(DuplicateBlock, b.DefRange(), "two ecn blocks of the ports are for the same class").
			Fixf("keep one of them, or name another class").Notef(g.curves[i].Range, "the other one")
		return
	}
	g.curves = append(g.curves, own)
}

// resolveCurves points the curves of a group to their classes, which must mark.
func (g *groupDecl) resolveCurves(d *decoder, classes []*Class) {
	marks := func(c *Class) bool { return c.ECN.Value != "off" }
	for _, own := range g.curves {
		i := slices.IndexFunc(classes, func(c *Class) bool { return own.class.Set && c.Name == own.class.Value.name })
		switch {
		case i >= 0 && !marks(classes[i]):
			d.errorf(ValueUnused, own.class.Range, "%s marks nothing, so its curve on %s is used by no queue", classes[i].Name, g.Name).
				Fixf("set ecn = derived in the class, or remove the block").Notef(whereECN(classes[i]), "the class")
		case !own.class.Set && !slices.ContainsFunc(classes, marks):
			d.errorf(ValueUnused, own.Range, "no traffic class marks, so the curve of %s is used by no queue", g.Name).
				Fixf("set ecn = derived in the class that is to mark, or remove the block")
		case i >= 0:
			own.Class = classes[i]
		}
		g.Curves = append(g.Curves, own.PortCurve)
	}
}

func whereECN(c *Class) diag.Range {
	if c.ECN.Set {
		return c.ECN.Range
	}
	return c.Range
}
