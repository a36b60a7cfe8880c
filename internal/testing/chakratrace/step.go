// Package chakratrace makes Chakra execution traces of a training step of a transformer, with tensor, pipeline and data
// parallelism, for tests and demonstrations of sim --workload.
package chakratrace

import (
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Step is a training step. Rank r has place r mod Tensor among those for tensors, and of the rest the place for data
// comes before the stage.
type Step struct {
	Tensor, Data, Pipeline int
	Layers                 int   // of each stage
	Microbatches           int   // of each pipeline
	Micros                 int64 // that the forward pass of a layer computes for a microbatch; the backward pass takes twice as long
	Activation             int64 // bytes of a microbatch between two layers
	Gradients              int64 // bytes of each rank
	Buckets                int   // that these are reduced in
}

// Ranks returns the number of GPUs.
func (s *Step) Ranks() int { return s.Tensor * s.Data * s.Pipeline }

// Files calls a function with the name and content of NAME.RANK.et of each rank, and of the file of groups.
func (s *Step) Files(write func(name string, content []byte) error) error {
	groups := map[string][]int{}
	for rank := range s.Ranks() {
		t := &trace{step: s, rank: rank}
		t.make()
		if err := write(fmt.Sprintf("step.%d.et", rank), t.out); err != nil {
			return err
		}
		for _, group := range []string{t.tensors(), t.data()} {
			groups[group] = append(groups[group], rank)
		}
	}
	text, err := json.Marshal(groups)
	if err != nil {
		return err
	}
	return write("groups.json", text)
}

// A trace is one rank's while it is made.
type trace struct {
	step *Step
	rank int
	out  []byte
	last uint64 // node; 0: none
	next uint64
}

func (t *trace) stage() int      { return t.rank / (t.step.Tensor * t.step.Data) }
func (t *trace) tensors() string { return fmt.Sprintf("tp%d", t.rank/t.step.Tensor) }
func (t *trace) data() string    { return fmt.Sprintf("dp%d-%d", t.stage(), t.rank%t.step.Tensor) }
func (t *trace) peer(by int) int { return t.rank + by*t.step.Tensor*t.step.Data }

// make writes the step: one forward, one backward, as PipeDream-Flush has it, then the gradients.
func (t *trace) make() {
	t.message(protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), "0.0.4"))
	ahead := min(t.step.Pipeline-t.stage()-1, t.step.Microbatches)
	for m := range ahead {
		t.forward(m)
	}
	for m := range t.step.Microbatches - ahead {
		t.forward(ahead + m)
		t.backward(m)
	}
	for m := t.step.Microbatches - ahead; m < t.step.Microbatches; m++ {
		t.backward(m)
	}
	for range t.step.Buckets {
		t.together(t.data(), t.step.Gradients/int64(t.step.Buckets))
	}
}

func (t *trace) forward(m int) {
	if t.stage() > 0 {
		t.receive(t.peer(-1), int64(2*m))
	}
	t.layers(t.step.Micros)
	if t.stage() < t.step.Pipeline-1 {
		t.send(t.peer(1), int64(2*m))
	}
}

func (t *trace) backward(m int) {
	if t.stage() < t.step.Pipeline-1 {
		t.receive(t.peer(1), int64(2*m+1))
	}
	t.layers(2 * t.step.Micros)
	if t.stage() > 0 {
		t.send(t.peer(-1), int64(2*m+1))
	}
}

// layers compute, each in two halves with an all-reduce of the activation behind.
func (t *trace) layers(micros int64) {
	for range 2 * t.step.Layers {
		t.node(4, micros/2, true)
		t.together(t.tensors(), t.step.Activation)
	}
}

func (t *trace) together(group string, bytes int64) {
	t.node(7, 0, true, number("comm_type", 0), number("comm_size", bytes), word("pg_name", group))
}

// send goes on its own: the next operation does not wait for it.
func (t *trace) send(to int, tag int64) {
	t.node(5, 0, false, number("comm_dst", int64(to)), number("comm_tag", tag), number("comm_size", t.step.Activation/int64(t.step.Tensor)))
}

func (t *trace) receive(from int, tag int64) {
	t.node(6, 0, true, number("comm_src", int64(from)), number("comm_tag", tag), number("comm_size", t.step.Activation/int64(t.step.Tensor)))
}

// node writes a node behind the last one; the next operation waits for it if it holds up.
func (t *trace) node(kind uint64, micros int64, holdsUp bool, attributes ...[]byte) {
	t.next++
	var b []byte
	field := func(number protowire.Number, v uint64) {
		b = protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), v)
	}
	field(1, t.next)
	field(3, kind)
	if t.last != 0 {
		b = protowire.AppendBytes(protowire.AppendTag(b, 5, protowire.BytesType), protowire.AppendVarint(nil, t.last))
	}
	if micros > 0 {
		field(7, uint64(micros))
	}
	for _, a := range attributes {
		b = protowire.AppendBytes(protowire.AppendTag(b, 10, protowire.BytesType), a)
	}
	t.message(b)
	if holdsUp {
		t.last = t.next
	}
}

func (t *trace) message(b []byte) { t.out = protowire.AppendBytes(t.out, b) }

func attribute(name string) []byte {
	return protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), name)
}

func number(name string, v int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(attribute(name), 9, protowire.VarintType), uint64(v))
}

func word(name, v string) []byte {
	return protowire.AppendString(protowire.AppendTag(attribute(name), 29, protowire.BytesType), v)
}
