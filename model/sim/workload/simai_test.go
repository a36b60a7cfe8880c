package workload

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// A finding on a job that is too large names a part that is not: one stage of a pipeline, or fewer GPUs, or fewer layers.
// Six operations per layer and GPU are no more than 8,388,608.
func TestPartsOfSimAI(t *testing.T) {
	for _, c := range []struct {
		head   string
		layers int
		layer  string
		want   string
	}{
		// aliyun/SimAI's workload_analytical.txt: 1,789·6·9,216 = 98,924,544; a stage has 768 GPUs.
		{"model_parallel_NPU_group: 2 ep: 16 pp: 12 all_gpus: 9216", 1789, "", "write pp: 1 and all_gpus: 768, one of the 12 pipeline stages"},
		// Where each layer is an all-to-all of 16 experts, a GPU has 1,789 pieces of work and as many all-to-alls, which count 5 + 16: 39,358. Of
		// 5,000,000 there are so many for 127 GPUs, and 96 are three times the 2·16 for tensors and experts.
		{"model_parallel_NPU_group: 2 ep: 16 pp: 12 all_gpus: 9216", 1789, "layer -1 1 ALLTOALL_EP 1024 0 NONE 0 0 NONE 0 0\n", "write pp: 1 and all_gpus: 96, a part of one of the 12 pipeline stages"},
		// 8,388,608/6,000 = 1,398 GPUs at most; 1,392 is the next multiple of 8·3 below.
		{"model_parallel_NPU_group: 8 ep: 1 pp: 3 all_gpus: 9216", 1000, "", "write all_gpus: 1392, the most that fits"},
		// 8,388,608/6/65,536 = 21 layers.
		{"model_parallel_NPU_group: 65536 ep: 1 pp: 1 all_gpus: 65536", 100, "", "at most 21 on 65536 GPUs"},
	} {
		text := fmt.Sprintf("HYBRID_TRANSFORMER_FWD_IN_BCKWD %s\n%d\n", c.head, c.layers) + strings.Repeat(c.layer, c.layers)
		w, found, _ := Read(fstest.MapFS{"job.txt": {Data: []byte(text)}}, []string{"job.txt"})
		if w != nil || len(found) != 1 || found[0].Code != TraceTooLarge || !strings.Contains(found[0].Fix, c.want) {
			t.Errorf("%s: %v", c.head, found)
		}
	}
}

// Workloads of ASTRA-sim 1.0 are not SimAI's: whatever their word for parallelism, they do not say how many GPUs there are.
func TestOtherParallelism(t *testing.T) {
	for _, word := range []string{"DATA", "MODEL", "MICRO", "HYBRID_DATA_MODEL\t\t"} {
		text := word + "\n1\nconv1\t-1\t13003\tNONE\t0\t12864\tNONE\t0\t32291\tALLREDUCE\t37632\t3229\n"
		w, found, _ := Read(fstest.MapFS{"job.txt": {Data: []byte(text)}}, []string{"job.txt"})
		if w != nil || len(found) != 1 || found[0].Code != TraceUnsupported || !strings.Contains(found[0].Message, "a "+strings.TrimSpace(word)+" workload does not say how many GPUs") {
			t.Errorf("%s: %v", word, found)
		}
	}
}
