package verify

// Why verify may say the same after a change of a leaf that the ledger does not call neutral.
const (
	quietName    = "a name, by which people know it"
	quietPlace   = "where the port is in its box, by which platforms find it; lanes, speed and mode have leaves of their own"
	quietWho     = "which box it is, which the fabric says too, as the folder says the name"
	quietDefault = "the switch does so without the line"
	quietAgain   = "other lines, and what the switch does without any, come to the same"
	quietOwn     = "every lossless group has a profile of its own, and the switch computes none"
)

// quietLeaves are kinds of such leaves, by the format and how the kind begins. With same, the reason holds only
// where the reader reads the same of the file.
var quietLeaves = []struct {
	format, kind string
	same         bool
	why          string
}{
	{"sonic", "PORT Ethernet# alias", false, quietName},
	{"sonic", "PORT Ethernet# description", false, quietName},
	{"sonic", "PORT Ethernet# index", false, quietPlace},
	{"sonic", "PORT Ethernet# subport", false, quietPlace},
	{"sonic", "BREAKOUT_CFG Ethernet# brkout_mode", false, "the ports of a cage are in PORT; without the mode they cannot be split again"},
	{"sonic", "DEVICE_METADATA localhost buffer_model", true, quietDefault},
	{"sonic", "DEVICE_METADATA localhost", false, quietWho},
	{"sonic", "DEFAULT_LOSSLESS_BUFFER_PARAMETER AZURE default_dynamic_th", false, quietOwn},
	{"sonic", "LOSSLESS_TRAFFIC_PATTERN AZURE", false, quietOwn},
	{"sonic", "TC_TO_DSCP_MAP AZURE #", false, "no code point leads to the class"},
	{"sonic", "BUFFER_PROFILE", true, quietDefault},
	{"sonic", "DSCP_TO_TC_MAP AZURE #", true, quietDefault},
	{"sonic", "MAP_PFC_PRIORITY_TO_QUEUE AZURE #", true, quietDefault},
	{"sonic", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP AZURE #", true, quietDefault},
	{"sonic", "TC_TO_PRIORITY_GROUP_MAP AZURE #", true, quietDefault},
	{"sonic", "TC_TO_QUEUE_MAP AZURE #", true, quietDefault},
	{"sonic", "PORT_QOS_MAP global dscp_to_tc_map", true, "every port has the map"},
	{"eos", "hostname", false, quietWho},
	{"eos", "qos traffic-class", false, quietName},
	{"eos", "interface Ethernet#/# tx-queue", true, "it counts marked packets"},
	{"eos", "interface Ethernet#/# uc-tx-queue", true, "it counts marked packets"},
	{"eos", "platform trident mmu queue profile roceplan ingress priority-group", true, quietAgain},
	{"eos", "qos map dscp", true, quietAgain},
	{"eos", "qos map traffic-class", true, quietAgain},
	{"eos", "qos profile", true, quietDefault},
	{"nvue", "- set: qos: advance-buffer-config: default-global: ingress-lossy-buffer: priority-group: bulk: switch-priority:", true, quietDefault},
	{"nvue", "- set: qos: egress-queue-mapping:", true, quietDefault},
	{"nvue", "- set: qos: mapping: default-global: dscp:", true, quietDefault},
	{"junos", "system", false, quietWho},
	{"junos", "class-of-service shared-buffer egress", true, "Junos Evolved gives egress the partitions of ingress"},
	{"junos", "class-of-service", true, quietDefault},
	{"srlinux", "srl_nokia-qos:qos classifiers dscp-policy dscp forwarding-class", false, "a code point without a class is of the first one"},
	{"openconfig", "openconfig-qos:qos interfaces interface output scheduler-policy config name", true, "the other policy says the same"},
	{"openconfig", "openconfig-qos:qos buffer-allocation-profiles buffer-allocation-profile queues queue config dedicated-buffer", true, quietDefault},
}
