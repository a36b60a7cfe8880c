package workload

import "github.com/roceplan/roceplan/diag"

// What can be wrong with traces.
const (
	// A trace that cannot be read, or is none of a known kind.
	//
	//	roceplan sim fabric.hcl --workload holiday.jpg
	TraceUnreadable diag.Code = "trace-unreadable"

	// A value of a trace that is missing, is not what it should be, or is out of range.
	//
	//	0 one 3 100 1000000 0
	TraceValue diag.Code = "trace-value"

	// An operation that the simulator does not have.
	//
	//	comm_type = GATHER
	TraceUnsupported diag.Code = "trace-unsupported"

	// Operations that do not fit each other: a message that nobody receives, a member of a group that does not take part,
	// nodes that wait for one another.
	//
	//	model_parallel_NPU_group: 8 ... all_gpus: 12
	TraceInconsistent diag.Code = "trace-inconsistent"

	// More than can be simulated.
	//
	//	all_gpus: 100000000
	TraceTooLarge diag.Code = "trace-too-large"

	// What a trace says and the simulator leaves out or assumes.
	//
	//	pp: 4
	TraceApproximate diag.Code = "trace-approximate"
)
