package patch

import "github.com/roceplan/roceplan/diag"

const (
	// The running configuration is not the JSON object of tables of rows that
	// config_db.json is.
	NotConfigDB diag.Code = "patch-not-configdb"

	// A key names several ports, or a reference stands in brackets, as old releases
	// wrote them. `config apply-patch` takes neither.
	OldForm diag.Code = "patch-old-form"

	// The fabric has a port that the running configuration does not have.
	PortMissing diag.Code = "patch-port-missing"

	// A port runs at another speed than the fabric says, or on other lanes. Headroom
	// depends on the speed, and a patch changes neither.
	PortDiffers diag.Code = "patch-port-differs"

	// A lossless port has no admin_status. A breakout leaves ports so, and the buffer
	// manager waits with their headroom until it is set (sonic-net/sonic-buildimage
	// issue 23354).
	PortUnset diag.Code = "patch-port-unset"

	// The running switch has the other buffer model. The buffer manager takes up a new
	// one when it starts, not by a patch.
	ModelDiffers diag.Code = "patch-model-differs"

	// The running configuration is that of another device or another box.
	OtherSwitch diag.Code = "patch-other-switch"

	// An attribute changes that the switch takes only when it creates a pool or profile:
	// type and mode of a pool, pool and kind of limit of a profile.
	Recreated diag.Code = "patch-recreated"

	// A PFC priority that is on before and after is off between, and its class lossy:
	// its PG changes the row of BUFFER_PG, or its profile while that changes too.
	Interrupted diag.Code = "patch-interrupted"

	// The updater behind `config apply-patch` does not let the patch change all that it changes,
	// on the release and the HwSKU of the switch. The steps write it with ecnconfig, mmuconfig,
	// config load and sonic-db-cli.
	UpdaterRefuses diag.Code = "patch-updater-refuses"

	// A row that no port uses any more is left, because the updater does not remove it.
	Left diag.Code = "patch-left"

	// No order of the changes keeps lossless traffic lossless.
	Unsafe diag.Code = "patch-unsafe"
)
