package openconfig

import "github.com/roceplan/roceplan/diag"

const (
	// The OpenConfig models have no leaf for this setting, so the file does not contain it.
	// Configure the device by other means.
	//
	//	traffic_class "rdma" { pfc = 3 }   # openconfig-qos has no PFC
	Lost diag.Code = "openconfig-lost"

	// The models have a leaf, but EOS rejects it, so the file does not contain it.
	//
	//	switch "leaf-1" {
	//	  os      = "eos"
	//	  targets = ["openconfig"]
	//	}
	Refused diag.Code = "openconfig-refused"

	// The value was rounded to the resolution of the models.
	//
	//	traffic_class "rdma" { pmax = "0.5%" }
	Rounded diag.Code = "openconfig-rounded"

	// The value is too large for its leaf.
	//
	//	fabric "pod" { mtu = "128KiB" }
	TooLarge diag.Code = "openconfig-too-large"
)
