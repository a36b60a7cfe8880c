package workload

import "github.com/roceplan/roceplan/diag"

// Faults of traces.
const (
	// roceplan cannot read the trace, or does not know its format.
	//
	//	roceplan sim fabric.hcl --workload holiday.jpg
	TraceUnreadable diag.Code = "trace-unreadable"

	// A value in the trace is missing, malformed or out of range.
	//
	//	0 one 3 100 1000000 0
	TraceValue diag.Code = "trace-value"

	// The simulator does not support this operation.
	//
	//	comm_type = GATHER
	TraceUnsupported diag.Code = "trace-unsupported"

	// Operations contradict each other. For example, a message has no receiver, a group member
	// does not take part, or nodes wait for each other.
	//
	//	model_parallel_NPU_group: 8 ... all_gpus: 12
	TraceInconsistent diag.Code = "trace-inconsistent"

	// The trace is too large to simulate.
	//
	//	all_gpus: 100000000
	TraceTooLarge diag.Code = "trace-too-large"

	// The simulator ignores or approximates a part of the trace.
	//
	//	pp: 4
	TraceApproximate diag.Code = "trace-approximate"
)
