package emit

// An Intent is one kind of thing that a plan asks of a switch.
type Intent string

// The intents of plans. The order is that of a packet through the switch.
const (
	DSCPMap       Intent = "dscp-map"
	Remapping     Intent = "remapping"
	EdgeMarking   Intent = "edge-marking"
	Rewriting     Intent = "rewriting"
	FreeNumbers   Intent = "free-numbers"
	PFC           Intent = "pfc"
	Headroom      Intent = "headroom"
	PortHeadroom  Intent = "port-headroom"
	HeadroomPool  Intent = "headroom-pool"
	XOnLevel      Intent = "xon-level"
	XOnOffset     Intent = "xon-offset"
	PGReserve     Intent = "pg-reserve"
	PGAlpha       Intent = "pg-alpha"
	PGStatic      Intent = "pg-static"
	PortAlpha     Intent = "port-alpha"
	PoolSize      Intent = "pool-size"
	PortBound     Intent = "port-bound"
	Calculator    Intent = "calculator"
	QueueMap      Intent = "queue-map"
	QueueReserve  Intent = "queue-reserve"
	QueueAlpha    Intent = "queue-alpha"
	QueueStatic   Intent = "queue-static"
	Strict        Intent = "strict"
	Weights       Intent = "weights"
	Shaper        Intent = "shaper"
	ECN           Intent = "ecn"
	Watchdog      Intent = "watchdog"
	WatchdogPass  Intent = "watchdog-forward"
	WatchdogAlert Intent = "watchdog-alert"
	Trimming      Intent = "trimming"
	MTU           Intent = "mtu"
	Flowlets      Intent = "flowlet"
	Adaptive      Intent = "adaptive"
	Spray         Intent = "spray"
)

// Intents lists them all with what they are, in their order.
func Intents() []struct {
	Intent Intent
	Title  string
} {
	return []struct {
		Intent Intent
		Title  string
	}{
		{DSCPMap, "DSCP to traffic class"},
		{Remapping, "classes changed in the tunnel of a pair of ToRs, DSCP to traffic class and traffic class to queue by port"},
		{EdgeMarking, "classification of untrusted senders by UDP port and DSCP"},
		{Rewriting, "DSCP of packets that leave, by traffic class and port"},
		{FreeNumbers, "PFC priority, traffic class and priority group of different numbers"},
		{PFC, "PFC, by port and priority"},
		{Headroom, "headroom of a priority group"},
		{PortHeadroom, "headroom that differs between ports"},
		{HeadroomPool, "headroom pool"},
		{XOnLevel, "XON at an absolute level"},
		{XOnOffset, "XON below the pause threshold"},
		{PGReserve, "reserve of a priority group"},
		{PGAlpha, "dynamic threshold of a priority group"},
		{PGStatic, "static threshold of a priority group"},
		{PortAlpha, "thresholds that differ between ports"},
		{PoolSize, "sizes of pools"},
		{PortBound, "bound of a whole port in a pool"},
		{Calculator, "headroom and pools computed by the switch"},
		{QueueMap, "traffic class to queue"},
		{QueueReserve, "reserve of a queue"},
		{QueueAlpha, "dynamic threshold of a queue"},
		{QueueStatic, "static threshold of a queue"},
		{Strict, "strict priority"},
		{Weights, "DWRR weights"},
		{Shaper, "rate cap of a queue"},
		{ECN, "ECN marking: Kmin, Kmax, Pmax"},
		{Watchdog, "PFC watchdog that drops"},
		{WatchdogPass, "PFC watchdog that forwards"},
		{WatchdogAlert, "PFC watchdog that alerts"},
		{Trimming, "packets without room cut, not dropped"},
		{MTU, "largest frame of a port"},
		{Flowlets, "load balancing by flowlet"},
		{Adaptive, "adaptive load balancing by packet"},
		{Spray, "packet spraying"},
	}
}
