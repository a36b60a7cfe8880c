package proof

// given and step make terms with words of their own.
func given[T ~int64 | ~int](symbol, name string, value T, unit string) Term {
	return Term{Symbol: symbol, Name: name, Value: int64(value), Unit: unit}
}

func step(symbol, name string, value int64, unit, expr string) Term {
	return Term{Symbol: symbol, Name: name, Value: value, Unit: unit, Expr: expr}
}
