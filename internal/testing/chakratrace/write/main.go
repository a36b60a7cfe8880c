// Command write makes Chakra execution traces of a training step, as a tar archive:
//
//	mkdir trace
//	go run ./internal/testing/chakratrace/write -model llama-3-8b -tensor 8 -data 32 -pipeline 4 | tar x -C trace
//	roceplan sim fabric.hcl --size all --workload trace
//
// Sizes and times are the model's, as far as they are not given.
package main

import (
	"archive/tar"
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/roceplan/roceplan/internal/testing/chakratrace"
)

func main() {
	given := chakratrace.Step{}
	model := flag.String("model", "llama-3-8b", "what is trained: llama-3-8b, llama-3-70b or gpt-3-175b")
	tensor := flag.Int("tensor", 8, "GPUs for tensor parallelism")
	data := flag.Int("data", 32, "for data parallelism")
	pipeline := flag.Int("pipeline", 4, "for pipeline parallelism")
	microbatches := flag.Int("microbatches", 8, "of each pipeline, a sequence each")
	flag.IntVar(&given.Layers, "layers", 0, "of each stage")
	flag.Int64Var(&given.Micros, "compute", 0, "us that a layer computes forward")
	flag.Int64Var(&given.Activation, "activation", 0, "bytes of a microbatch between two layers")
	flag.Int64Var(&given.Gradients, "gradients", 0, "bytes of each GPU: 2 for each of its parameters")
	flag.IntVar(&given.Buckets, "buckets", 0, "that gradients are reduced in")
	flag.Parse()
	models := chakratrace.Models()
	k := slices.IndexFunc(models, func(m chakratrace.Model) bool { return m.Name == *model })
	if k < 0 || min(*tensor, *data, *pipeline, *microbatches) < 1 {
		fmt.Fprintf(os.Stderr, "no model %q, or a number below 1\n", *model)
		os.Exit(2)
	}
	s := models[k].Step(*tensor, *data, *pipeline, *microbatches)
	s.Layers, s.Micros = cmp.Or(given.Layers, s.Layers), cmp.Or(given.Micros, s.Micros)
	s.Activation, s.Gradients, s.Buckets = cmp.Or(given.Activation, s.Activation), cmp.Or(given.Gradients, s.Gradients), cmp.Or(given.Buckets, s.Buckets)
	if err := write(&s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(s *chakratrace.Step) error {
	out := tar.NewWriter(os.Stdout)
	err := s.Files(func(name string, content []byte) error {
		if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o666, Size: int64(len(content))}); err != nil {
			return err
		}
		_, err := out.Write(content)
		return err
	})
	if err != nil {
		return err
	}
	return out.Close()
}
