// Command api compiles a fabric, verifies what was compiled, and prints the tightest margin of
// every shape of switch, all through package roceplan:
//
//	go run ./examples/api examples/ucloud-pod
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/roceplan/roceplan"
)

func main() {
	if err := run(os.Stdout, os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(out io.Writer, folder string) error {
	in, err := roceplan.In(os.DirFS(folder), ".")
	if err != nil {
		return err
	}
	fabric := roceplan.Load(in)
	compiled, err := roceplan.Compile(context.Background(), fabric, roceplan.CompileOptions{})
	if err != nil || compiled.Findings.HasErrors() {
		return fmt.Errorf("%v %v", err, compiled.Findings)
	}
	report, err := roceplan.Verify(context.Background(), compiled.Configs(), roceplan.VerifyOptions{Fabric: fabric})
	if err != nil {
		return err
	}
	for _, sw := range report.Switches {
		if o := sw.Tightest(); o != nil {
			fmt.Fprintf(out, "%s: %v; tightest is %s at %s: %d ≤ %d %s\n", sw.Names[0], sw.Verdict, o.ID, o.Where, o.Left.Value, o.Right.Value, o.Unit)
		}
	}
	return nil
}
