// Package patch turns a running configuration of SONiC into the compiled one, as
// RFC 6902 patches for `config apply-patch`.
//
// The patch is minimal: equal settings are left alone, and so is every table, row and field that is
// not roceplan's (target.go). Its order (phases.go) shrinks first and grows last: PFC is off before
// headroom goes, and headroom is there before PFC is on; pools change between, when the PGs take no
// more than at either end; names are made before they are referred to. The states between are
// judged one by one (guard.go), and a patch that would pass through a bad one is not given.
//
// `config apply-patch` sorts the operations of one file again (sonic-utilities
// generic_config_updater/generic_updater.py, PatchApplier.apply), so the order that
// matters is that of the steps: each is a file of its own, and within one the order is
// free. Its moves are validated by the YANG models one by one (patch_sorter.py, DfsSorter and
// FullConfigMoveValidator), so references hold; the order itself depends on the release.
package patch
