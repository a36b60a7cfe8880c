package policy

import (
	"fmt"
	"iter"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// An instance is one of the repetitions of a block with for_each or count; a block
// without them has one.
type instance struct {
	*decoder
	defaultName func(label string) string
}

func forEachField[B any]() field[B] {
	return custom[B]("for_each", "a list, set, map or object", "repeats the block with `each.key` and `each.value`", nil).otherwise("once")
}

func countField[B any]() field[B] {
	return custom[B]("count", fmt.Sprintf("a whole number, 0 to %d", maxNames), "repeats the block with `count.index` from 0 on", nil).otherwise("once")
}

// instances opens the scopes of a block, one after the other. There are none when for_each or count is
// wrong, or repeats too often.
func (d *decoder) instances(b *hclsyntax.Block) iter.Seq[instance] {
	each, count := b.Body.Attributes["for_each"], b.Body.Attributes["count"]
	switch {
	case each != nil && count != nil:
		d.errorf(RepeatTwice, count.NameRange, "for_each and count both repeat the block").Fixf("keep one").Notef(each.NameRange, "for_each is here")
		return noInstance
	case each != nil:
		return d.forEach(each.Expr)
	case count != nil:
		n, ok := whole(0, maxNames).decode(d, "count", count.Expr)
		if !ok || !d.affordable(n, count.Expr) {
			return noInstance
		}
		return func(yield func(instance) bool) {
			for i := range n {
				scope := d.child("count", map[string]cty.Value{"index": cty.NumberIntVal(int64(i))})
				if !yield(instance{d.within(scope, fmt.Sprintf("count.index is %d", i)), func(label string) string { return fmt.Sprintf("%s-%d", label, i) }}) {
					return
				}
			}
		}
	}
	return func(yield func(instance) bool) { yield(instance{d, func(label string) string { return label }}) }
}

func noInstance(func(instance) bool) {}

func (d *decoder) forEach(expr hclsyntax.Expression) iter.Seq[instance] {
	v, ok := d.eval(expr)
	if !ok {
		return noInstance
	}
	if v.IsNull() || !v.CanIterateElements() {
		d.report("for_each", expr, wrongType(v, "a list, set, map or object", ""))
		return noInstance
	}
	if n := v.LengthInt(); n > maxNames {
		d.errorf(RangeTooLarge, expr.Range(), "for_each has %d elements, at most %d are allowed", n, maxNames).Fixf("give for_each at most %d elements", maxNames)
		return noInstance
	}
	if !d.affordable(v.LengthInt(), expr) {
		return noInstance
	}
	set := v.Type().IsSetType()
	return func(yield func(instance) bool) {
		for k, e := range v.Elements() {
			if set {
				k = e
			}
			scope := d.child("each", map[string]cty.Value{"key": k, "value": e})
			if !yield(instance{d.within(scope, "each.key is "+keyText(k)), func(string) string { return keyName(k) }}) {
				return
			}
		}
	}
}

// maxInstances bounds all instances of all blocks: each costs some 3 kB.
const maxInstances = 100_000

// affordable counts n instances, or says that there are too many.
func (d *decoder) affordable(n int, expr hclsyntax.Expression) bool {
	before := d.repeated
	if d.repeated += n; d.repeated <= maxInstances {
		return true
	}
	if before <= maxInstances {
		d.errorf(TooLarge, expr.Range(), "count and for_each repeat the blocks of the fabric more than %d times, up to here", maxInstances).
			Fixf("write name ranges, such as leaf-[01..32], which need no repetition")
	}
	return false
}

// crowded reports whether blocks are repeated too often. A finding says so.
func (d *decoder) crowded() bool { return d.repeated > maxInstances }

func (d *decoder) child(name string, attrs map[string]cty.Value) *hcl.EvalContext {
	scope := d.ctx.NewChild()
	scope.Variables = map[string]cty.Value{name: cty.ObjectVal(attrs)}
	return scope
}

func keyText(k cty.Value) string {
	if k.Type() == cty.String && !k.IsNull() {
		return fmt.Sprintf("%q", clip(k.AsString()))
	}
	return keyName(k)
}

func keyName(k cty.Value) string {
	switch {
	case k.IsNull():
		return "null"
	case k.Type() == cty.String:
		return k.AsString()
	case k.Type() == cty.Number:
		return number(k)
	}
	return k.Type().FriendlyName()
}

// checkLabel demands that the label of a block is a safe name.
func (d *decoder) checkLabel(b *hclsyntax.Block) bool {
	if p := safeName(b.Labels[0]); p != nil {
		d.errorf(p.code, labelRange(b), "%s: %q is not a name", b.Type, clip(b.Labels[0])).
			Fixf("begin with a letter or digit and use letters, digits, '.', '_' and '-' only")
		return false
	}
	return true
}
