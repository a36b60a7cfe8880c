package eos

// A platform describes the commands that EOS takes on the boxes that are built around one chip.
type platform struct {
	_    [0]func() // not comparable: no comparison of arrays is compiled
	chip string    // canonical name in the catalogue

	// queue opens the block of a unicast queue: "tx-queue" or "uc-tx-queue".
	queue   string
	assumed bool // by analogy with a sibling
	queueBy string

	// mmu reports whether `platform trident mmu` exists: EOS calls all XGS chips trident.
	mmu   bool
	mmuBy string

	// headroomPool reports whether priority groups can share a pool of headroom.
	headroomPool bool
	// dynamic reports whether dynamic load balancing (flowlets) exists: TOI 4.30.0F,
	// Dynamic Load Balancing on ECMP groups; aristanetworks/avd ip_hardware schema
	// @0a29e185. That all XGS chips from Trident 3 and Tomahawk on have it is assumed.
	dynamic bool
	// guaranteedBy is the evidence that a queue takes `bandwidth guaranteed`; empty: nothing public
	// shows it, and the line is not printed.
	guaranteedBy string
	// cluster reports whether flows of all hosts can be balanced together: 7060X6 and 7800,
	// TOI 4.32.2F, Cluster Load Balancing.
	cluster bool
	// voq is set where packets wait in virtual output queues at ingress, in a memory of GB
	// that EOS divides itself: PFC needs no buffer profile there (aristanetworks/yang
	// EOS-4.36.1F, arista-dcb-pfc: all leaves of a PFC profile are state).
	voq bool
}

const (
	byRun     = "show running-config all of DCS-7260CX-64 (EOS 4.19.1F), DCS-7260CX3-64 (4.21.7M), 7260CX3-64E (4.22.3M), batfish test configurations arista_interface_show_run_all"
	byGaudi   = "docs.habana.ai, Network_Configuration/Configuration_Files_Example_L2: DCS-7060DX4-32, DCS-7060PX5-64E"
	byROCm    = "ROCm cluster networking guide, DCQCN configuration on an Arista 7388 switch"
	byCBR     = "Cerebras deployment_manager tests: 7060DX5, 7060X6 leaf, 7808 spine"
	bySchema  = "aristanetworks/avd platform schema, platform.trident.mmu @032c0c2c"
	bySand    = "Arista EOS manual, Quality of Service, Arad and Jericho platforms; TOI 4.33.0F: Sand switches have tx-queue 0–7"
	byTrident = "EOS user manual, Quality of Service, Trident II: bandwidth guaranteed; that later Tridents keep it is assumed"
	byProfile = "aristanetworks/avd molecule eos_cli_config_gen qos.cfg @3cac535c, qos profile, uc-tx-queue 4: bandwidth guaranteed percent 10"
	byAge     = "assumed: the chips around it in time take this form"
)

// platforms lists the chips that EOS runs on, as far as public configurations show.
func platforms() []platform {
	return []platform{
		{chip: "trident2", queue: "tx-queue", assumed: true, queueBy: byAge, mmu: true, mmuBy: bySchema, guaranteedBy: byTrident},
		{chip: "trident2plus", queue: "tx-queue", assumed: true, queueBy: byAge, mmu: true, mmuBy: bySchema, guaranteedBy: byTrident},
		{chip: "trident3", queue: "tx-queue", assumed: true, queueBy: byAge, mmu: true, mmuBy: bySchema, headroomPool: true, dynamic: true, guaranteedBy: byTrident},
		{chip: "trident4-x9", queue: "uc-tx-queue", assumed: true, queueBy: byAge, mmu: true, mmuBy: bySchema, headroomPool: true, dynamic: true, guaranteedBy: byProfile},
		{chip: "trident4-x11", queue: "uc-tx-queue", assumed: true, queueBy: byAge, mmu: true, mmuBy: bySchema, headroomPool: true, dynamic: true, guaranteedBy: byProfile},
		{chip: "tomahawk", queue: "tx-queue", queueBy: byRun, mmu: true, mmuBy: bySchema, headroomPool: true, dynamic: true, guaranteedBy: byRun},
		{chip: "tomahawk2", queue: "tx-queue", queueBy: byRun, mmu: true, mmuBy: bySchema, headroomPool: true, dynamic: true, guaranteedBy: byRun},
		{chip: "tomahawk3", queue: "uc-tx-queue", queueBy: byGaudi, mmu: true, mmuBy: byGaudi, headroomPool: true, dynamic: true, guaranteedBy: byProfile},
		{chip: "tomahawk4", queue: "uc-tx-queue", queueBy: byGaudi + "; " + byROCm, mmu: true, mmuBy: byGaudi, headroomPool: true, dynamic: true, guaranteedBy: byProfile},
		{chip: "tomahawk5", queue: "uc-tx-queue", queueBy: byCBR, mmu: true, mmuBy: byCBR, headroomPool: true, dynamic: true, guaranteedBy: byProfile, cluster: true},
		{chip: "tomahawk6", queue: "uc-tx-queue", assumed: true, queueBy: byAge, mmu: true, mmuBy: bySchema, headroomPool: true, dynamic: true, guaranteedBy: byProfile},
		{chip: "jericho2", queue: "tx-queue", queueBy: bySand, voq: true, cluster: true},
		{chip: "jericho2c+", queue: "tx-queue", queueBy: bySand, voq: true, cluster: true},
		{chip: "qumran3d", queue: "tx-queue", assumed: true, queueBy: bySand + "; that the 7280R4 keeps the form is assumed", voq: true},
	}
}

// rulesFor returns the rules of the boxes around a chip.
func rulesFor(chip string) (platform, bool) {
	for _, p := range platforms() {
		if p.chip == chip {
			return p, true
		}
	}
	return platform{}, false
}

// chipNames lists the chips that EOS runs on.
func chipNames() (names []string) {
	for _, p := range platforms() {
		names = append(names, p.chip)
	}
	return names
}
