package proof

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
)

// An evaluator computes the expressions of a report from its terms, with integers
// of any size and nothing of what Prove computes with. The grammar:
//
//	sum     = product { ("+" | "-") product }
//	product = factor { "*" factor }
//	factor  = number | symbol | "-" factor | function "(" sum { "," sum } ")" | "(" sum ")"
//
// Functions are those of functions.go.
type evaluator struct {
	text  string
	at    int
	depth int
	terms map[string]*big.Int
	memo  map[string]*big.Int // calls already computed, by function and arguments
}

const (
	deepest    = 200     // levels of parentheses
	longestExp = 1 << 16 // bytes of an expression
)

type syntaxError struct{ text string }

func (e syntaxError) Error() string { return e.text }

// evaluate computes one expression.
func (e *evaluator) evaluate(text string) (value *big.Int, err error) {
	if len(text) > longestExp {
		return nil, fmt.Errorf("the expression has %d bytes, at most %d are evaluated", len(text), longestExp)
	}
	defer func() {
		if fault := recover(); fault != nil {
			syntax, ok := fault.(syntaxError)
			if !ok {
				panic(fault)
			}
			err = fmt.Errorf("in %q: %w", text, syntax)
		}
	}()
	e.text, e.at, e.depth = text, 0, 0
	value = e.sum()
	if e.skip(); e.at < len(text) {
		e.failf("%q is left over", text[e.at:])
	}
	return value, nil
}

func (e *evaluator) failf(format string, args ...any) {
	panic(syntaxError{fmt.Sprintf(format, args...)})
}

func (e *evaluator) skip() {
	for e.at < len(e.text) && e.text[e.at] == ' ' {
		e.at++
	}
}

// next takes a character if it is the next one.
func (e *evaluator) next(c byte) bool {
	e.skip()
	if e.at < len(e.text) && e.text[e.at] == c {
		e.at++
		return true
	}
	return false
}

func (e *evaluator) sum() *big.Int {
	if e.depth++; e.depth > deepest {
		e.failf("more than %d levels", deepest)
	}
	defer func() { e.depth-- }()
	value := new(big.Int).Set(e.product())
	for {
		switch {
		case e.next('+'):
			value.Add(value, e.product())
		case e.next('-'):
			value.Sub(value, e.product())
		default:
			return value
		}
	}
}

func (e *evaluator) product() *big.Int {
	value := new(big.Int).Set(e.factor())
	for e.next('*') {
		if value.Mul(value, e.factor()); value.BitLen() > 4096 {
			e.failf("a product has more than 4096 bits")
		}
	}
	return value
}

func (e *evaluator) factor() *big.Int {
	switch {
	case e.next('-'):
		if e.depth++; e.depth > deepest {
			e.failf("more than %d levels", deepest)
		}
		defer func() { e.depth-- }()
		return new(big.Int).Neg(e.factor())
	case e.next('('):
		value := e.sum()
		e.want(')')
		return value
	}
	word := e.word()
	switch {
	case word == "":
		e.failf("a number, a symbol or a function is missing at byte %d", e.at)
	case word[0] <= '9': // letters and _ come behind digits
		value, ok := new(big.Int).SetString(word, 10)
		if !ok {
			e.failf("%q is not a number", word)
		}
		return value
	case e.next('('):
		return e.call(word)
	}
	value, ok := e.terms[word]
	if !ok {
		e.failf("there is no term %q", word)
	}
	return value
}

func (e *evaluator) want(c byte) {
	if !e.next(c) {
		e.failf("%q is missing at byte %d", c, e.at)
	}
}

func (e *evaluator) word() string {
	e.skip()
	start := e.at
	for e.at < len(e.text) {
		if c := e.text[e.at]; c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			break
		}
		e.at++
	}
	return e.text[start:e.at]
}

// call evaluates the arguments and the function.
func (e *evaluator) call(name string) *big.Int {
	args := []*big.Int{e.sum()}
	for e.next(',') {
		args = append(args, e.sum())
	}
	e.want(')')
	f, ok := functionOf(name)
	if !ok {
		e.failf("there is no function %q", name)
	}
	if f.arity > 0 && len(args) != f.arity {
		e.failf("%s takes %d arguments, not %d", name, f.arity, len(args))
	}
	key := fmt.Sprint(name, args)
	value, known := e.memo[key]
	if !known {
		var err error
		if value, err = f.compute(args); err != nil {
			e.failf("%s: %v", name, err)
		}
		e.memo[key] = value
	}
	return value
}

// A function of the expressions. Each is computed here from its definition, step by
// step, and not in the way in which Prove finds the same number.
type function struct {
	arity   int // 0: one or more
	compute func([]*big.Int) (*big.Int, error)
}

func functionOf(name string) (function, bool) {
	switch name {
	case "min":
		return function{0, func(a []*big.Int) (*big.Int, error) { return extreme(a, -1), nil }}, true
	case "max":
		return function{0, func(a []*big.Int) (*big.Int, error) { return extreme(a, 1), nil }}, true
	case "floor":
		return function{2, func(a []*big.Int) (*big.Int, error) { return divide(a[0], a[1]) }}, true
	case "ceil":
		return function{2, ceiling}, true
	case "scale":
		return function{2, small(func(a []int64) (int64, error) { return scaled(a[0], a[1]) })}, true
	case "packed":
		return function{4, small(packed)}, true
	case "mixed":
		return function{6, small(mix)}, true
	case "after":
		return function{5, small(after)}, true
	case "afterboth":
		return function{7, small(afterBoth)}, true
	case "evenly":
		return function{5, small(even)}, true
	}
	return function{}, false
}

func extreme(args []*big.Int, sign int) *big.Int {
	outermost := args[0]
	for _, a := range args {
		if a.Cmp(outermost) == sign {
			outermost = a
		}
	}
	return outermost
}

// divide rounds down, for a positive divisor.
func divide(a, b *big.Int) (*big.Int, error) {
	if b.Sign() <= 0 {
		return nil, fmt.Errorf("division by %v", b)
	}
	return new(big.Int).Div(a, b), nil
}

func ceiling(a []*big.Int) (*big.Int, error) {
	q, err := divide(new(big.Int).Neg(a[0]), a[1])
	if err != nil {
		return nil, err
	}
	return q.Neg(q), nil
}

// small runs a function whose arguments are below a bound.
func small(f func([]int64) (int64, error)) func([]*big.Int) (*big.Int, error) {
	return func(args []*big.Int) (*big.Int, error) {
		values := make([]int64, len(args))
		for i, a := range args {
			if !a.IsInt64() || a.Int64() > largest || a.Int64() < -largest {
				return nil, fmt.Errorf("argument %d is %v, beyond what is rechecked", i+1, a)
			}
			values[i] = a.Int64()
		}
		value, err := f(values)
		return big.NewInt(value), err
	}
}

// after (B, rule, kind, value, n) is what n accounts leave of B cells that fill one
// after another, a cell at a time, each until its limit refuses: value cells for kind 0,
// 2 to the power of value times what is free for kind 1.
func after(a []int64) (int64, error) { return filled(a[0], a[1], a[4], [2]int64{a[2], a[3]}) }

// afterBoth (B, rule, kind, value, kind2, value2, n) is after for accounts that have to keep
// two limits.
func afterBoth(a []int64) (int64, error) {
	return filled(a[0], a[1], a[6], [2]int64{a[2], a[3]}, [2]int64{a[4], a[5]})
}

// even (B, rule, kind, value, n) is what each of n accounts holds that fill in turns when
// one more round would be refused.
func even(a []int64) (int64, error) {
	free, rule, n := a[0], a[1], a[4]
	for s := int64(1); ; s++ {
		ok, err := fits(rule, [][2]int64{{a[2], a[3]}}, s, free-n*s)
		if err != nil || !ok || n*s > free || n < 1 {
			return s - 1, err
		}
	}
}

// recheck evaluates one obligation of a report: the expressions that it writes have the values that it writes.
func recheck(o *Obligation, memo map[string]*big.Int) (errs []error) {
	e := evaluator{terms: map[string]*big.Int{}, memo: memo}
	if o.Verdict == Unjudged && o.Left.Expr == "" {
		return nil // nothing was evaluated
	}
	same := func(what, expr string, want int64) {
		got, err := e.evaluate(expr)
		if err == nil && got.Cmp(big.NewInt(want)) != 0 {
			err = fmt.Errorf("%s = %s is %v, certified was %d", what, expr, got, want)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	for _, t := range o.Terms {
		if _, twice := e.terms[t.Symbol]; twice {
			errs = append(errs, fmt.Errorf("term %q occurs twice", t.Symbol))
		}
		if t.Expr != "" {
			same(t.Symbol, t.Expr, t.Value)
		}
		e.terms[t.Symbol] = big.NewInt(t.Value)
	}
	same("left side", o.Left.Expr, o.Left.Value)
	same("right side", o.Right.Expr, o.Right.Value)
	if says := o.Left.Value <= o.Right.Value; says != (o.Verdict == Holds) && (o.Verdict == Holds || o.Verdict == Fails) {
		errs = append(errs, fmt.Errorf("%d ≤ %d, and the verdict is %q", o.Left.Value, o.Right.Value, o.Verdict))
	}
	switch {
	case o.Verdict != Conditional:
	case o.Under != nil && len(o.Conditions) > 0:
		errs = append(errs, recheckUnder(o, memo)...)
	default:
		errs = append(errs, recheckConditions(o, memo)...)
	}
	return errs
}

// recheckUnder evaluates what an obligation reads under its conditions. Of its terms only those may
// be others, or come in addition, that its conditions change; what follows from them does.
func recheckUnder(o *Obligation, memo map[string]*big.Int) (errs []error) {
	own := &Obligation{Terms: o.Under.Terms, Left: o.Under.Left, Right: o.Under.Right, Verdict: Holds}
	for _, err := range recheck(own, memo) {
		errs = append(errs, fmt.Errorf("under its conditions: %w", err))
	}
	for _, t := range o.Under.Terms {
		changes := slices.ContainsFunc(o.Conditions, func(c Condition) bool { return slices.Contains(changedBy(c.ID), t.Symbol) })
		same := func(was Term) bool {
			return was.Symbol == t.Symbol && was.Expr == t.Expr && (was.Value == t.Value || t.Expr != "")
		}
		if !changes && !slices.ContainsFunc(o.Terms, same) {
			errs = append(errs, fmt.Errorf("under its conditions %s is %d, and no condition changes that", t.Symbol, t.Value))
		}
	}
	return errs
}

// changedBy returns the given terms of what groups share that a condition changes: the memory of a
// part of the buffer; or what of their headroom groups fill, cells that are counted twice in
// it, what one gains by resuming above its threshold, and what other queues hold.
func changedBy(id string) []string {
	if id == AssumedDatum {
		return []string{"V"}
	}
	return []string{"h", "Q", "k", "o"}
}

// recheckConditions evaluates an obligation once more with the terms of its conditions: its
// left side must then not exceed its right side.
func recheckConditions(o *Obligation, memo map[string]*big.Int) (errs []error) {
	if len(o.Conditions) == 0 {
		return []error{fmt.Errorf("the verdict is %q and no condition is given", o.Verdict)}
	}
	e := evaluator{terms: map[string]*big.Int{}, memo: memo}
	evaluate := func(expr string) *big.Int {
		value, err := e.evaluate(expr)
		if err != nil {
			errs = append(errs, err)
			return new(big.Int)
		}
		return value
	}
	under := map[string]Term{}
	for _, c := range o.Conditions {
		for _, t := range c.Terms {
			under[t.Symbol] = t
			e.terms[t.Symbol] = big.NewInt(t.Value)
		}
	}
	for _, t := range o.Terms {
		changed, ok := under[t.Symbol]
		if ok {
			t = changed
		}
		value := big.NewInt(t.Value)
		if t.Expr != "" {
			value = evaluate(t.Expr)
		}
		if ok && errs == nil && value.Cmp(big.NewInt(t.Value)) != 0 {
			errs = append(errs, fmt.Errorf("under its conditions %s is %v, certified was %d", t.Symbol, value, t.Value))
		}
		e.terms[t.Symbol] = value
	}
	left, right := evaluate(o.Left.Expr), evaluate(o.Right.Expr)
	if errs == nil && left.Cmp(right) > 0 {
		errs = append(errs, fmt.Errorf("under its conditions %v ≤ %v, and the verdict is %q", left, right, o.Verdict))
	}
	return errs
}

// Expressions up to the bounds of what is evaluated, and one beyond each: 200 levels with the whole expression, and
// 65,536 bytes.
func TestBoundsOfExpressions(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("(", n) + "7" + strings.Repeat(")", n) }
	power := func(n uint) string { return new(big.Int).Lsh(big.NewInt(1), n).String() }
	for _, c := range []struct{ text, want, fault string }{
		{nested(199), "7", ""}, {nested(200), "", "more than 200 levels"}, {strings.Repeat("-", 198) + "7", "7", ""}, {strings.Repeat("-", 199) + "7", "-7", ""}, {strings.Repeat("-", 200) + "7", "", "more than 200 levels"},
		{"7" + strings.Repeat(" ", 1<<16-1), "7", ""}, {"7" + strings.Repeat(" ", 1<<16), "", "the expression has 65537 bytes, at most 65536 are evaluated"},
		{strings.Repeat("(1) + ", 300) + "1", "301", ""}, {strings.Repeat("-1 + ", 300) + "1", "-299", ""}, // levels end
		{"2 + 3 * -(4 - x)", "-1", ""}, {"x - 1 - 1", "1", ""}, {"max(x, 5) * x", "15", ""}, {"X", "", `there is no term "X"`}, {"x x", "", `"x" is left over`}, {"1x", "", `"1x" is not a number`},
		{"9", "9", ""}, {"90 - 09", "81", ""}, {"A", "5", ""}, {"a_1Z * 2", "14", ""}, {" ( 1+1 ) ", "2", ""}, {"1 + 2 - 3 + 4", "4", ""}, {"2 * 3 * 4", "24", ""}, {"- -7", "7", ""}, {"min(4, 3, 5) - max(2)", "1", ""},
		{power(4095) + " * 1", power(4095), ""}, {power(4096) + " * 1", "", "a product has more than 4096 bits"}, {power(4000) + "*" + power(95), power(4095), ""},
		{"(1", "", "in \"(1\": ')' is missing at byte 2"}, {"1 2", "", `in "1 2": "2" is left over`}, {"1 + ", "", "is missing at byte 4"}, {"floor(7, 0)", "", "floor: division by 0"}, {"min()", "", "is missing at byte 4"}, {"max(1 2)", "", "')' is missing at byte 6"},
		{"root(1)", "", `there is no function "root"`}, {"floor(1)", "", "floor takes 2 arguments, not 1"}, {"floor(1, 2", "", "')' is missing"}, {"", "", "is missing at byte 0"},
	} {
		e := evaluator{terms: map[string]*big.Int{"x": big.NewInt(3), "A": big.NewInt(5), "a_1Z": big.NewInt(7)}, memo: map[string]*big.Int{}}
		got, err := e.evaluate(c.text)
		switch {
		case c.fault == "" && (err != nil || got.String() != c.want):
			t.Errorf("%.30q is %v, %v; want %s", c.text, got, err, c.want)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%.30q: %.80v, want %q", c.text, err, c.fault)
		}
		if got := e.terms["x"]; got.Int64() != 3 {
			t.Errorf("%.30q changes x to %v", c.text, got)
		}
	}
}
