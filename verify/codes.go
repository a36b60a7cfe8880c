package verify

import "github.com/roceplan/roceplan/diag"

// Findings on files. Findings of the proof have the code of the obligation after "proof-": see
// docs/findings.md.
const (
	// No reader recognizes the format of the file.
	//
	//	hello world
	FormatUnknown diag.Code = "format-unknown"

	// The file is from a system that roceplan cannot read. The finding shows the line or key by
	// which roceplan recognized the system.
	//
	//	trust dot1p-map RDMA
	FormatForeign diag.Code = "format-foreign"

	// The file has no lossless priority group, so there is no verdict. This is a warning if no
	// port of the file has PFC either, because such a switch may carry no RoCE traffic.
	NothingLossless diag.Code = "nothing-lossless"

	// A statement can affect lossless traffic, but roceplan does not model it. The verdict is
	// unknown.
	NotAccounted diag.Code = "not-accounted"

	// The buffer limit of lossy traffic depends on defaults that are not published. roceplan
	// assumes that lossy traffic can take the whole shared buffer.
	DefaultUnknown diag.Code = "default-unknown"

	// Reserves and headroom exceed the memory of the chip.
	MemoryExceeded diag.Code = "memory-exceeded"

	// A file in the folder of a device contains configuration, but does not have the name of a
	// configuration file. The verdict does not cover the file.
	FileIgnored diag.Code = "file-ignored"

	// A file in the folder of one device names a different device.
	DeviceMisplaced diag.Code = "device-misplaced"

	// Two files with the same name are from the same device.
	DeviceTwice diag.Code = "device-twice"

	// A switch of the fabric has no configuration file.
	SwitchMissing diag.Code = "switch-missing"

	// A configuration file belongs to no switch of the fabric.
	SwitchUnknown diag.Code = "switch-unknown"

	// The format of a file is not one of the targets of its switch in the fabric.
	TargetOther diag.Code = "target-other"

	// Links wait for each other in a cycle, either in the fabric as it is or after one or two
	// links fail. With PFC, traffic on these links can stop forever.
	DeadlockCycle diag.Code = "deadlock-cycle"

	// A static route, a BGP policy, a bridged port, a port or BGP neighbour that is shut down, or a
	// pair of switches with MLAG, MCLAG or vPC can send packets along paths that the deadlock search
	// does not consider. The deadlock verdict does not cover this switch.
	DeadlockNotJudged diag.Code = "deadlock-not-judged"

	// One end of a link negotiates its speed, and the other end does not. The link stays down, or
	// its speed or FEC differs from the files. Optical links do not negotiate, so roceplan skips
	// links that the fabric declares as fibre.
	NegotiationDiffers diag.Code = "negotiation-differs"

	// The files of the two ends of a link contradict each other, or one contradicts the cabling. The
	// link stays down, carries no routes, or drops packets. The causes are: link training, membership
	// in a bundle or a VLAN tag at one end only; LACP at one end only, or passive at both; equal
	// addresses, or addresses of two subnets; a BGP neighbour in another AS than the other end
	// expects, with the same router id, with a password at one end only, or at an address that the
	// other end does not have or does not send from; a neighbour in the file of one end that is not
	// the neighbour by the cabling.
	LinkEndsDiffer diag.Code = "link-ends-differ"

	// Two switches of the fabric have the same address, on a loopback or on a port, or one subnet for
	// their hosts that no VLAN joins. Routing then delivers packets to the wrong switch. Further
	// addresses of a loopback may be shared.
	AddressTwice diag.Code = "address-twice"

	// A switch uses fewer equal paths than the fabric gives it links, by a statement or by the
	// default of its system, or a port of it carries nothing: it has no address, is in no network
	// instance, or in a VLAN that has no address. The losslessness verdict holds, but the load does not
	// spread over all links, or packets of servers go nowhere.
	PathsUnused diag.Code = "paths-unused"

	// Links can wait for each other in a cycle while routing converges after a failure.
	DeadlockConverging diag.Code = "deadlock-converging"

	// There is no path between two switches with hosts: in the fabric as it is cabled, after a
	// failure, or by the files. By the files, a link carries nothing if at one end the port, its
	// laser, its bundle or each BGP neighbour behind it is shut down, if the bundle has fewer links than
	// it demands, or if the routing of the whole switch is off. Two switches that are in one AS also
	// have no path, if they learn their routes from a neighbour in another AS.
	PathCut diag.Code = "path-cut"

	// The chip of the platform or HwSKU in a file differs from the chip on the command line or in
	// the fabric.
	ChipDiffers diag.Code = "chip-differs"

	// The list of cables and the file of a switch give different speeds or lengths for a port.
	// roceplan uses the list.
	CablesDiffer diag.Code = "cables-differ"

	// The list of cables has a port that is not in the file of its switch.
	CablesPortMissing diag.Code = "cables-port-missing"

	// The list of cables is not a table of switches, ports and cables.
	CablesInvalid diag.Code = "cables-invalid"

	// The priority groups of a port need more headroom than a switch in SONiC's dynamic buffer
	// model allows. The switch rejects their profiles, and the port has no headroom.
	HeadroomAboveDevice diag.Code = "headroom-above-device"

	// A file given with --state-db is not a dump of SONiC's STATE_DB, or has no headroom limit.
	HeadroomLimitsInvalid diag.Code = "headroom-limits-invalid"
)
