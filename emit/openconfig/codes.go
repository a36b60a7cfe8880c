package openconfig

import "github.com/roceplan/roceplan/diag"

const (
	// The OpenConfig models have no leaf for an intent, so it is not in the file and
	// has to reach the device by another way.
	//
	//	traffic_class "rdma" { pfc = 3 }   # openconfig-qos has no PFC
	Lost diag.Code = "openconfig-lost"

	// The models have a leaf, but EOS refuses it, so it is left out of the file.
	//
	//	switch "leaf-1" {
	//	  os      = "eos"
	//	  targets = ["openconfig"]
	//	}
	Refused diag.Code = "openconfig-refused"

	// A value was rounded to the step of the models.
	//
	//	traffic_class "rdma" { pmax = "0.5%" }
	Rounded diag.Code = "openconfig-rounded"

	// A value does not fit the leaf that carries it.
	//
	//	fabric "pod" { mtu = "128KiB" }
	TooLarge diag.Code = "openconfig-too-large"
)
