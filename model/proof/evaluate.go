package proof

import (
	"fmt"
	"math/big"
)

// An evaluator computes the expressions of a certificate from its terms, with integers
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
