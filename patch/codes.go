package patch

import "github.com/roceplan/roceplan/diag"

const (
	// The running configuration is not a JSON object with the tables and rows of config_db.json.
	NotConfigDB diag.Code = "patch-not-configdb"

	// A key names several ports, or a reference is in brackets, as in old releases. `config
	// apply-patch` rejects both forms.
	OldForm diag.Code = "patch-old-form"

	// The running configuration lacks a port of the fabric.
	PortMissing diag.Code = "patch-port-missing"

	// The speed or the lanes of a port differ from the fabric. Headroom depends on the speed, and
	// a patch cannot change speed or lanes.
	PortDiffers diag.Code = "patch-port-differs"

	// A lossless port has no admin_status, as after a breakout. The buffer manager does not
	// configure the headroom of such a port until admin_status is set (sonic-net/sonic-buildimage
	// issue 23354).
	PortUnset diag.Code = "patch-port-unset"

	// The buffer model of the running switch differs from the fabric. A patch cannot change it,
	// because the buffer manager reads the model only when it starts.
	ModelDiffers diag.Code = "patch-model-differs"

	// The running configuration is from a different device or hardware model.
	OtherSwitch diag.Code = "patch-other-switch"

	// The switch accepts this attribute only when it creates a pool or profile. The attributes of
	// this kind are the type and mode of a pool, and the pool and kind of limit of a profile.
	Recreated diag.Code = "patch-recreated"

	// The patch turns off a PFC priority temporarily, so its class is lossy during the change. The
	// cause is that its PG moves to another row of BUFFER_PG, or to a profile that changes at the
	// same time.
	Interrupted diag.Code = "patch-interrupted"

	// On this release and HwSKU, the updater behind `config apply-patch` rejects some of the
	// changes. The steps use ecnconfig, mmuconfig, config load and sonic-db-cli instead.
	UpdaterRefuses diag.Code = "patch-updater-refuses"

	// The updater does not remove a row that no port uses.
	Left diag.Code = "patch-left"

	// No order of the changes keeps lossless traffic lossless throughout.
	Unsafe diag.Code = "patch-unsafe"
)
