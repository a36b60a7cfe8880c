package chakratrace

import "testing"

// Parameters are those of the layers and of the embedding: of Llama 3 two matrices of 128,256 tokens, and in a layer those of
// queries and outputs, of keys and values for 8 heads of 128, three of the feed-forward net, and two norms; of GPT-3 one
// matrix of 50,257 tokens, which the output shares, one of positions, and in a layer 12 h² and 13 h of biases and norms.
func TestParameters(t *testing.T) {
	llama := func(layers, h, feed int64) int64 {
		return 2*128_256*h + layers*(2*h*h+2*h*1024+3*h*feed+2*h) + h
	}
	gpt := func(layers, h, context int64) int64 { return (50_257+context)*h + layers*(12*h*h+13*h) + 2*h }
	want := map[string]int64{"llama-3-8b": llama(32, 4096, 14336), "llama-3-70b": llama(80, 8192, 28672), "gpt-3-175b": gpt(96, 12288, 2048)}
	for _, m := range Models() {
		if m.Parameters != want[m.Name] {
			t.Errorf("%s: %d parameters, want %d", m.Name, m.Parameters, want[m.Name])
		}
	}
}

// A step of Llama 3 8B on 8 x 4 x 32 GPUs: 64 MiB between layers, a 32nd of the parameters in each GPU, and 250,945,664 x 2 x
// 8192 FLOP of a layer on 8 GPUs of 400 TFLOP/s.
func TestStepOfAModel(t *testing.T) {
	s := Models()[0].Step(8, 32, 4, 8)
	if s.Layers != 8 || s.Activation != 64<<20 || s.Gradients != 501_891_328 || s.Micros != 1284 || s.Ranks() != 1024 {
		t.Errorf("%+v", s)
	}
}
