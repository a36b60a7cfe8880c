package host

import "github.com/roceplan/roceplan/diag"

const (
	// A NIC cannot be named so, because its name is a folder's.
	//
	//	nic "../cx7" { model = "connectx-7" }
	Name diag.Code = "host-name"

	// Two classes have one priority at the NIC, and one is strict while the other has a
	// share, or the one is lossless and the other is not.
	//
	//	nic "cx7" {
	//	  model   = "connectx-7"
	//	  cnp_pfc = 0
	//	}
	Priority diag.Code = "host-priority"

	// Broadcom's NICs carry RDMA with one priority and one code point.
	//
	//	nic "thor" {
	//	  model   = "thor2"
	//	  classes = [traffic_class.rdma, traffic_class.storage]
	//	}
	OneClass diag.Code = "host-one-class"

	// The congestion control of a class is not what the NIC's model can be told to run.
	//
	//	congestion_control = "swift"
	Congestion diag.Code = "host-congestion"

	// A setting of the NIC is finer or larger than the NIC takes.
	//
	//	cnp_interval = "2500ns"
	Rounded diag.Code = "host-rounded"

	// The NIC uses several classes, and only one can be what applications get that ask
	// for nothing.
	//
	//	classes = [traffic_class.rdma, traffic_class.storage]
	OneDefault diag.Code = "host-one-default"
)
