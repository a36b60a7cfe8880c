package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"strings"
)

// The page, "Expressions". They are a part of Go's, so that Go's own parser reads them.

// evaluate gives the value of an expression over terms. What has none is thrown as a panic with an error, and caught here.
func evaluate(text string, terms map[string]*big.Int) (result *big.Int, err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("%q: %w", text, thrown.(error))
		}
	}()
	const signs = " +-*(),_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	if len(text) > 65536 || strings.Trim(text, signs) != "" {
		return nil, fmt.Errorf("%q is no expression", text)
	}
	tree, err := parser.ParseExpr(text)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", text, err)
	}
	return value(tree, terms), nil
}

func throwf(format string, args ...any) { panic(fmt.Errorf(format, args...)) }

func value(tree ast.Expr, terms map[string]*big.Int) *big.Int {
	switch e := tree.(type) {
	case *ast.ParenExpr:
		return value(e.X, terms)
	case *ast.BasicLit:
		if number, ok := new(big.Int).SetString(e.Value, 10); ok {
			return number
		}
	case *ast.Ident:
		if known := terms[e.Name]; known != nil {
			return known
		}
		throwf("there is no term %s", e.Name)
	case *ast.UnaryExpr:
		if e.Op == token.SUB {
			return new(big.Int).Neg(value(e.X, terms))
		}
	case *ast.BinaryExpr:
		x, y := value(e.X, terms), value(e.Y, terms)
		switch e.Op {
		case token.ADD:
			return new(big.Int).Add(x, y)
		case token.SUB:
			return new(big.Int).Sub(x, y)
		case token.MUL:
			if product := new(big.Int).Mul(x, y); product.BitLen() <= 4096 {
				return product
			}
		}
	case *ast.CallExpr:
		name, ok := e.Fun.(*ast.Ident)
		if ok && len(e.Args) > 0 {
			var args []*big.Int
			for _, arg := range e.Args {
				args = append(args, value(arg, terms))
			}
			return apply(name.Name, args)
		}
	}
	panic(errors.New("it is not of the page's grammar, or too large"))
}
