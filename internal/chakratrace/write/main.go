// Command write makes Chakra execution traces of a training step, as a tar archive:
//
//	mkdir trace
//	go run ./internal/chakratrace/write -tensor 8 -data 32 -pipeline 4 | tar x -C trace
//	roceplan sim fabric.hcl --size all --workload trace
package main

import (
	"archive/tar"
	"flag"
	"fmt"
	"os"

	"github.com/roceplan/roceplan/internal/chakratrace"
)

func main() {
	s := chakratrace.Step{}
	flag.IntVar(&s.Tensor, "tensor", 8, "GPUs for tensor parallelism")
	flag.IntVar(&s.Data, "data", 32, "for data parallelism")
	flag.IntVar(&s.Pipeline, "pipeline", 4, "for pipeline parallelism")
	flag.IntVar(&s.Layers, "layers", 6, "of each stage")
	flag.IntVar(&s.Microbatches, "microbatches", 8, "of each pipeline")
	flag.Int64Var(&s.Micros, "compute", 500, "us that a layer computes forward")
	flag.Int64Var(&s.Activation, "activation", 8<<20, "bytes of a microbatch between two layers")
	flag.Int64Var(&s.Gradients, "gradients", 80<<20, "bytes of each GPU: 2 for each of its parameters")
	flag.IntVar(&s.Buckets, "buckets", 2, "that gradients are reduced in")
	flag.Parse()
	out := tar.NewWriter(os.Stdout)
	err := s.Files(func(name string, content []byte) error {
		if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o666, Size: int64(len(content))}); err != nil {
			return err
		}
		_, err := out.Write(content)
		return err
	})
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
