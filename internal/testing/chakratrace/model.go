package chakratrace

// A Model is a transformer that is trained, and what a step of it takes.
type Model struct {
	Name       string
	Layers     int
	Hidden     int64
	Sequence   int64 // tokens
	Parameters int64
}

// Models returns the models whose figures are published: Grattafiori et al., "The Llama 3 Herd of Models", arXiv
// 2407.21783, table 3 (context: section 3.4.1), and Brown et al., "Language Models are Few-Shot Learners", arXiv
// 2005.14165, table 2.1. Parameters follow from the shape of a layer, as a test adds them up.
func Models() []Model {
	return []Model{
		{"llama-3-8b", 32, 4096, 8192, 8_030_261_248},
		{"llama-3-70b", 80, 8192, 8192, 70_553_706_496},
		{"gpt-3-175b", 96, 12288, 2048, 174_604_259_328},
	}
}

// rate is the speed of a GPU, in FLOP per us: 400 TFLOP/s in BF16, which H100 had in the training of Llama 3 (table 4
// of that paper: 380 to 430).
const rate = 400_000_000

// bytes of an activation and of a gradient in BF16.
const bytes = 2

// Step is a training step with microbatches of one sequence. A forward pass takes two FLOP for each parameter and token
// (Kaplan et al., "Scaling Laws for Neural Language Models", arXiv 2001.08361, section 2.1); attention's scores, a tenth
// of that at these lengths, are left out.
func (m *Model) Step(tensor, data, pipeline, microbatches int) Step {
	inStage, ranks := m.Layers/pipeline, int64(tensor*pipeline)
	return Step{
		Tensor: tensor, Data: data, Pipeline: pipeline, Layers: inStage, Microbatches: microbatches,
		Micros:     2 * m.Parameters / int64(m.Layers) * m.Sequence / int64(tensor) / rate,
		Activation: bytes * m.Sequence * m.Hidden,
		Gradients:  bytes * ((m.Parameters + ranks - 1) / ranks),
		Buckets:    1,
	}
}
