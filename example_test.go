package roceplan_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/roceplan/roceplan"
	"github.com/roceplan/roceplan/explain"
)

// example reads a fabric of the examples.
func example(name string) *roceplan.Fabric {
	in, err := roceplan.In(os.DirFS("examples"), name)
	if err != nil {
		panic(err)
	}
	return roceplan.Load(in)
}

func ExampleCompile() {
	compiled, err := roceplan.Compile(context.Background(), example("ucloud-pod"), roceplan.CompileOptions{})
	if err != nil || compiled.Findings.HasErrors() {
		panic(err)
	}
	for _, shape := range compiled.Shapes {
		fmt.Println(len(shape.Switch.Names), "×", shape.Switch.Chip, shape.Verdict.Verdict)
	}
	// Output:
	// 8 × trident3 conditional
	// 16 × trident3 conditional
}

func ExampleCheck() {
	fabric := roceplan.Load(roceplan.Input{Files: []roceplan.Source{{Name: "fabric.hcl", Text: []byte("fabric \"pod\" {\n  mtu = \"9216\"\n}\n")}}})
	found, err := roceplan.Check(context.Background(), fabric)
	if err != nil {
		panic(err)
	}
	for _, d := range found {
		fmt.Printf("%s:%d: %s[%s]\n", d.Subject.Filename, d.Subject.Start.Line, d.Severity, d.Code)
	}
	// Output:
	// fabric.hcl:2: error[unit-missing]
}

func ExampleExplain() {
	fabric := example("ucloud-pod")
	asked, err := roceplan.Explain(fabric, "tor-01.mtu")
	if err != nil {
		panic(err)
	}
	var text strings.Builder
	explain.New(fabric.Sources).Write(&text, asked.Place, asked.Quantities[0])
	fmt.Print(text.String())
	// Output:
	// tor-01.mtu: 1522B
	// └─ mtu = 1522B
	//    given: ucloud-pod/fabric.hcl:8: mtu            = "1522B" # an IP MTU of 1500 with Ethernet header, VLAN tag and FCS
}

func ExampleVerify() {
	fabric := example("ucloud-pod")
	compiled, err := roceplan.Compile(context.Background(), fabric, roceplan.CompileOptions{})
	if err != nil {
		panic(err)
	}
	report, err := roceplan.Verify(context.Background(), compiled.Configs(), roceplan.VerifyOptions{Fabric: fabric})
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Verdict(), report.Links, "links")
	// Output:
	// conditional 128 links
}

func ExampleSimulate() {
	run, err := roceplan.Simulate(context.Background(), example("ucloud-pod"), roceplan.SimulateOptions{Scenarios: []string{"incast-8"}})
	if err != nil {
		panic(err)
	}
	for _, o := range run.Outcomes {
		fmt.Println(o.Pattern, o.Flows, "flows,", o.LosslessDrops, "lossless drops")
	}
	// Output:
	// incast-8 8 flows, 0 lossless drops
}

func ExampleDiff() {
	result, err := roceplan.Diff(example("ucloud-pod"), example("ucloud-pod"))
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Any())
	// Output:
	// false
}
