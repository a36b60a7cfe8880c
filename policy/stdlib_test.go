package policy

import "testing"

// Functions of HCL's library that fabrics use to write what repeats.
func TestListFunctions(t *testing.T) {
	for expression, want := range map[string]string{
		`coalesce(null, "a")`:                              "a",
		`join("", slice(["x", "b", "c", "y"], 1, 3))`:      "bc",
		`join("+", formatlist("%s-%d", "leaf", [1, 2]))`:   "leaf-1+leaf-2",
		`try({ a = 1 }.b, "d")`:                            "d",
		`lookup(zipmap(["a", "b"], ["x", "e"]), "b", "-")`: "e",
	} {
		text := "fabric \"pod\" {\n}\nswitch \"a\" {\n  chip = \"x\"\n  os   = \"eos\"\n  role = " + expression + "\n}\n"
		f, found := Load(Options{Files: []Source{{Name: "fabric.hcl", Text: []byte(text)}}})
		if len(f.Switches) != 1 || f.Switches[0].Role.Value != want {
			t.Errorf("%s is not %q: %v", expression, want, found)
		}
	}
}

// A bare number has the unit that it most likely has; a share below one is in hundredths.
func TestWithUnit(t *testing.T) {
	for _, c := range []struct{ bare, unit, want string }{
		{"0.05", "%", "5%"}, {"0.125", "%", "12.5%"}, {"0.00001", "%", "0.001%"}, {"5", "%", "5%"}, {"1", "%", "1%"}, {"0", "%", "0%"},
		{"0.5", "m", "0.5m"}, {"1522", "B", "1522B"},
	} {
		if got := withUnit(c.bare, c.unit); got != c.want {
			t.Errorf("%s of %s is %s, want %s", c.bare, c.unit, got, c.want)
		}
	}
}
