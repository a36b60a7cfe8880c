package read

// Why a line or a leaf is not modelled, where several vendors have its like.
const (
	Labelled    = "packets with labels are classified by their label, not by their DSCP"
	InTunnel    = "packets in a tunnel have a DSCP inside and one outside, and are longer"
	InVXLAN     = "packets in VXLAN have a DSCP inside and one outside, and are longer"
	NoRouteBack = "packets whose source has no route back are dropped"
	ByPolicy    = "a policy may drop packets, or put them into a tunnel"
	Mirrored    = "copies of packets take buffer and bandwidth of a port"
	SmallMTU    = "an MTU that the largest packets of RoCE do not fit"
)
