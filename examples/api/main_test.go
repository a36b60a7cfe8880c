package main

import (
	"bytes"
	"strings"
	"testing"
)

// A line for each of the two shapes of switches that ucloud-pod has.
func TestTightestMargins(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out, "../ucloud-pod"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"leaf-1: ", "tor-01: "} {
		if !strings.Contains(out.String(), want) || strings.Count(out.String(), "; tightest is ") != 2 {
			t.Errorf("printed\n%s", out.String())
		}
	}
}
