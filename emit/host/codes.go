package host

import "github.com/roceplan/roceplan/diag"

const (
	// The name of the NIC is not valid as the name of a folder.
	//
	//	nic "../cx7" { model = "connectx-7" }
	Name diag.Code = "host-name"

	// Two classes use the same priority at the NIC, but one is strict and the other has a share,
	// or one is lossless and the other is not.
	//
	//	nic "cx7" {
	//	  model   = "connectx-7"
	//	  cnp_pfc = 0
	//	}
	Priority diag.Code = "host-priority"

	// Broadcom NICs use one priority and one code point for RDMA.
	//
	//	nic "thor" {
	//	  model   = "thor2"
	//	  classes = [traffic_class.rdma, traffic_class.storage]
	//	}
	OneClass diag.Code = "host-one-class"

	// The NIC model cannot be configured to run the congestion control of the class.
	//
	//	congestion_control = "swift"
	Congestion diag.Code = "host-congestion"

	// A setting is finer or larger than the NIC accepts.
	//
	//	cnp_interval = "2500ns"
	Rounded diag.Code = "host-rounded"

	// The NIC uses several classes, but only one can be the default for applications that do not
	// choose a class.
	//
	//	classes = [traffic_class.rdma, traffic_class.storage]
	OneDefault diag.Code = "host-one-default"
)
