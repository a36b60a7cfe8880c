package policy

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/roceplan/roceplan/diag"
)

// variableDecl is one variable block.
type variableDecl struct {
	name     string
	at       diag.Range
	typ      cty.Type
	fallback cty.Value // cty.NilVal: there is none
	rules    []validation
}

type validation struct {
	condition hclsyntax.Expression
	message   Opt[string]
}

var variableBlock = &block[variableDecl]{
	example: variableExample,
	name:    "variable", labels: []string{"NAME"},
	doc: "An input with the name `var.NAME`. Its value comes from `--var NAME=VALUE`, else from the last `--var-file` that has it, else from `default`.",
	fields: []field[variableDecl]{
		custom("type", "`string`, `number`, `bool`, `list(string)`, `map(number)`, `object({…})`, `any`", "type of its value", setType).otherwise("any"),
		custom("default", "a value", "value if none is given", func(d *decoder, v *variableDecl, expr hclsyntax.Expression) (ok bool) {
			value, ok := d.eval(expr)
			v.fallback = cty.DynamicVal
			if ok {
				v.fallback = v.convert(d, value, expr.Range(), "the default")
			}
			return ok
		}).otherwise("a value must be given"),
		custom("description", "a text", "description for users of the file", func(d *decoder, v *variableDecl, expr hclsyntax.Expression) bool {
			_, ok := textKind("a text", "number of racks").decode(d, "description", expr)
			return ok
		}),
	},
	nested: []nested[variableDecl]{inner(validationBlock, false, func(d *decoder, v *variableDecl, b *hclsyntax.Block) {
		var rule validation
		validationBlock.decode(d, b.Body, b.TypeRange, &rule)
		if rule.condition != nil {
			v.rules = append(v.rules, rule)
		}
	})},
}

var validationBlock = &block[validation]{
	name: "validation", doc: "A condition on the value. May be repeated.",
	fields: []field[validation]{
		custom("condition", "an expression with `var.NAME`", "must be true", func(_ *decoder, v *validation, expr hclsyntax.Expression) bool {
			v.condition = expr
			return true
		}).must(),
		opt("error_message", textKind("a text", "at most 32 racks fit"), func(v *validation) *Opt[string] { return &v.message }, "message if it is false").must(),
	},
}

func setType(d *decoder, v *variableDecl, expr hclsyntax.Expression) bool {
	t, found := typeexpr.TypeConstraint(expr)
	for _, f := range found {
		d.errorf(VariableType, *f.Subject, "type: %s", sentence(f.Detail)).
			Fixf("write string, number, bool, list(…), set(…), map(…), tuple([…]), object({…}) or any")
	}
	if found.HasErrors() {
		return false
	}
	v.typ = t
	return true
}

// convert makes a value fit the declared type.
func (v *variableDecl) convert(d *decoder, value cty.Value, at diag.Range, whose string) cty.Value {
	out, err := convert.Convert(value, v.typ)
	if err != nil {
		d.errorf(VariableType, at, "%s of variable %s: %s", whose, v.name, sentence(err.Error())).
			Fixf("give a value of type %s", typeexpr.TypeString(v.typ))
		return cty.DynamicVal
	}
	return out
}

// A given value is one of --var or --var-file.
type given struct {
	value cty.Value
	raw   string // of --var, before its type is known
	isRaw bool
	at    diag.Range // of --var-file
}

// variables gives the object var. A variable that has no valid value is unknown in it,
// so that its users stay silent.
func (d *decoder) variables(blocks []*hclsyntax.Block, opts Options) cty.Value {
	values := map[string]cty.Value{}
	inputs := d.inputs(opts)
	var names []string
	for _, b := range blocks {
		names = append(names, b.Labels[0])
		v := &variableDecl{name: b.Labels[0], at: labelRange(b), typ: cty.DynamicPseudoType}
		if !hclsyntax.ValidIdentifier(v.name) {
			d.errorf(BadName, v.at, "variable: %q is not a name", clip(v.name)).Fixf("use letters, digits, '_' and '-'")
		}
		variableBlock.decode(d, b.Body, v.at, v)
		values[v.name] = v.choose(d, inputs)
		v.validate(d, values[v.name])
	}
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		if _, declared := values[name]; !declared {
			d.errorf(VariableUndeclared, inputs[name].at, "a value is given for %s, which is not a variable", clip(name)).
				Repaired(renamed(name, names, `declare variable "`+clip(name)+`" {}`))
		}
	}
	return cty.ObjectVal(values)
}

// inputs collects the given values, the one that counts last.
func (d *decoder) inputs(opts Options) map[string]given {
	out := map[string]given{}
	for _, src := range opts.VarFiles {
		body := parse(src, &d.diags)
		if body == nil {
			continue
		}
		for _, b := range body.Blocks {
			d.errorf(UnknownBlock, b.TypeRange, "a file of variables holds no blocks").Fixf("write NAME = VALUE lines")
		}
		for name, attr := range body.Attributes {
			value, ok := d.eval(attr.Expr)
			if !ok {
				value = cty.DynamicVal
			}
			out[name] = given{value: value, at: attr.Expr.Range()}
		}
	}
	for name, raw := range opts.Vars {
		out[name] = given{raw: raw, isRaw: true}
	}
	return out
}

func (v *variableDecl) choose(d *decoder, inputs map[string]given) cty.Value {
	in, is := inputs[v.name]
	switch {
	case is && in.isRaw:
		return v.fromCommandLine(d, in.raw)
	case is:
		return v.convert(d, in.value, in.at, "the value")
	case v.fallback == cty.NilVal:
		d.errorf(VariableMissing, v.at, "variable %s has no value and no default", v.name).
			Fixf("give --var %s=…, or add a default", v.name)
		return cty.DynamicVal
	}
	return v.fallback
}

// fromCommandLine reads the text of --var: as it is for a string, a number or a truth value, as an
// expression for what has parts.
func (v *variableDecl) fromCommandLine(d *decoder, raw string) cty.Value {
	if v.typ == cty.DynamicPseudoType || v.typ.IsPrimitiveType() {
		value := v.convert(d, cty.StringVal(raw), v.at, "--var "+v.name+"="+clip(raw)+", the value")
		value, _ = d.fromOutside(&hclsyntax.LiteralValueExpr{Val: value}, v.at)
		return value
	}
	src := Source{"--var " + v.name, []byte(raw)}
	var quiet diag.List
	if withinLimits(src, &quiet) {
		expr, found := hclsyntax.ParseExpression(src.Text, src.Name, hcl.InitialPos)
		if !found.HasErrors() && len(expr.Variables()) == 0 {
			if value, bad := d.fromOutside(d.budget.metered(expr), v.at); !bad.HasErrors() {
				return v.convert(d, value, v.at, "--var "+v.name+", the value")
			}
		}
	}
	d.errorf(VariableType, v.at, "--var %s=%s is not an expression without names", v.name, clip(raw)).
		Fixf(`write it like --var '%s=["a", "b"]'`, v.name)
	return cty.DynamicVal
}

// fromOutside evaluates what was given outside of any file, within the budget; beyond it the
// value is unknown.
func (d *decoder) fromOutside(expr hclsyntax.Expression, at diag.Range) (cty.Value, hcl.Diagnostics) {
	value, bad, affordable := d.budget.evaluate(expr, nil)
	if !affordable {
		d.tellEffort(at)
		return cty.DynamicVal, nil
	}
	return value, bad
}

// validate checks the value against the variable's own conditions.
func (v *variableDecl) validate(d *decoder, value cty.Value) {
	if !value.IsWhollyKnown() {
		return
	}
	ctx := d.ctx.NewChild()
	ctx.Variables = map[string]cty.Value{"var": cty.ObjectVal(map[string]cty.Value{v.name: value})}
	in := d.within(ctx, d.instance)
	for _, rule := range v.rules {
		holds, ok := in.eval(rule.condition)
		switch {
		case !ok:
		case holds.IsNull() || holds.Type() != cty.Bool:
			in.report("condition", rule.condition, wrongType(holds, "true or false", ""))
		case holds.False():
			in.errorf(VariableInvalid, v.at, "%s is not allowed for variable %s: %s", describe(value), v.name, sentence(rule.message.Value)).
				Fixf("give another value").Notef(rule.condition.Range(), "this does not hold")
		}
	}
}

const variableExample = `
variable "trunk" {
  type        = string
  default     = "100m"
  description = "length of the cables between tiers"

  validation {
    condition     = length(var.trunk) > 1
    error_message = "write a length, such as 100m"
  }
}
`
