package main

import (
	"math/big"
	"testing"
)

// Functions and amounts against the page, by hand.
func TestExpressions(t *testing.T) {
	terms := map[string]*big.Int{"a": big.NewInt(7), "B0": big.NewInt(3)}
	for text, want := range map[string]int64{
		"2 * (a - 3) + -1":                      7,
		"floor(-7, 2)":                          -4,
		"ceil(a, 2)":                            4,
		"min(3, 1, 2)":                          1,
		"scale(-3, -1)":                         -2,
		"packed(84, 100, 0, 300)":               1, // one of 64 B in 84 B of wire
		"packed(121, 100, 0, 300)":              2, // one of 101 B in two cells
		"mixed(168, 100, 0, 300, 500000000, 2)": 2, // two of 64 B, and two of 300 B besides
		"after(B0, 0, 1, 0, 1)":                 2, // of 3 cells one with an alpha of 1 takes 1: a second would be more than the 1 that is free
		"after(B0, 2, 1, 0, 1)":                 1, // and 2 where it is asked before it counts
		"afterboth(9, 0, 0, 4, 0, 2, 2)":        5, // two that take 2 each
		"evenly(10, 0, 1, 0, 2)":                3, // each 3 of 10 leave 4, and 4 would leave 2
	} {
		if got, err := evaluate(text, terms); err != nil || got.Int64() != want {
			t.Errorf("%s is %v, %v, and not %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "1 +", "x", "a b", "floor(1, 0)", "packed(1, 2)", "scale(1, 17)", "a / 2", "0x10", "after(1, 0, 1, 0, 1073741825)"} {
		if got, err := evaluate(text, terms); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestAmounts(t *testing.T) {
	for want, got := range map[string]string{
		"1638.4ns": times.write(1638400), "342.274ns": times.write(342274), "1us": times.write(1e6), "0ps": times.write(0), "1000.1ns": times.write(1000100),
		"400Gbps": rates.write(400e9), "3m": lengths.write(3000), "50%": shares.write(5e8), "0.5%": shares.write(5e6), "1 sender": count(1, "sender"), "2 senders": count(2, "sender"),
	} {
		if got != want {
			t.Errorf("%s, and not %s", got, want)
		}
	}
}
