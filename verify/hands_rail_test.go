package verify

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// junosByHand is a leaf in the shape of Juniper's validated designs for GPUs: RDMA in queue 4 that
// pauses by priority 3, CNPs in queue 3, one profile for et-*, partitions of 66, 24 and 10 per
// cent, and neither cables nor an MRU, which the device then assumes. It computes the headroom
// itself, so that the verdict rests on that.
func junosByHand() byHand {
	text := `system {
    host-name leaf-d;
}
interfaces {
    et-0/0/0 {
        speed 400g;
        mtu 9216;
        unit 0 {
            family inet {
                address 10.0.0.0/31;
            }
        }
    }
    et-0/0/1 {
        speed 400g;
        mtu 9216;
        unit 0 {
            family inet {
                address 10.0.0.2/31;
            }
        }
    }
}
routing-options {
    autonomous-system 65101;
}
class-of-service {
    classifiers {
        dscp gpu {
            forwarding-class NOTIFY {
                loss-priority low code-points 110000;
            }
            forwarding-class LOSSLESS {
                loss-priority low code-points 011010;
            }
        }
    }
    drop-profiles {
        mark {
            interpolate {
                fill-level [ 55 90 ];
                drop-probability [ 0 100 ];
            }
        }
    }
    shared-buffer {
        ingress {
            buffer-partition lossless {
                percent 66;
                dynamic-threshold 10;
            }
            buffer-partition lossless-headroom {
                percent 24;
            }
            buffer-partition lossy {
                percent 10;
            }
        }
        egress {
            buffer-partition lossless {
                percent 66;
            }
            buffer-partition lossy {
                percent 10;
            }
        }
    }
    forwarding-classes {
        class NOTIFY queue-num 3;
        class LOSSLESS queue-num 4 no-loss pfc-priority 3;
    }
    congestion-notification-profile {
        pause {
            pfc-watchdog;
            input {
                dscp {
                    code-point 011010 {
                        pfc;
                    }
                }
            }
            output {
                ieee-802.1 {
                    code-point 011 {
                        flow-control-queue 4;
                    }
                }
            }
        }
    }
    interfaces {
        et-* {
            congestion-notification-profile pause;
            scheduler-map gpu;
            unit * {
                classifiers {
                    dscp gpu;
                }
            }
        }
    }
    scheduler-maps {
        gpu {
            forwarding-class NOTIFY scheduler notify;
            forwarding-class LOSSLESS scheduler lossless;
        }
    }
    schedulers {
        lossless {
            drop-profile-map loss-priority any protocol any drop-profile mark;
            explicit-congestion-notification;
        }
        notify {
            transmit-rate percent 5;
            priority strict-high;
        }
    }
}
`
	cables := func(c Cables) {
		for _, port := range []string{"et-0/0/0", "et-0/0/1"} {
			c[plan.LinkEnd{Switch: "leaf-d", Port: port}] = Cable{Length: 5 * units.Metre}
		}
	}
	return byHand{name: "Junos", file: "leaf-d.conf", text: text, chip: "tomahawk5", cables: cables, verdict: Conditional, broken: []redEdit{
		{"the class may be dropped", swap(" no-loss pfc-priority 3", "")},
		{"another priority pauses", swap("pfc-priority 3", "pfc-priority 5")},
		{"a pause stops the queue of CNPs", swap("flow-control-queue 4", "flow-control-queue 3")},
		{"PFC for the code point of CNPs", swap("code-point 011010 {", "code-point 110000 {")},
		{"no partition for headroom", swap("            buffer-partition lossless-headroom {\n                percent 24;\n            }\n", "")},
		{"the partition of headroom is a per cent", swap("percent 24;", "percent 1;")},
		{"a code point moves to CNPs", swap("code-points 110000", "code-points [ 110000 011010 ]")},
		{"one port by 802.1p", swap("        et-* {", "        et-0/0/1 {\n            unit 0 {\n                classifiers {\n                    ieee-802.1 default;\n                }\n            }\n        }\n        et-* {")},
		{"no port has the profile", swap("            congestion-notification-profile pause;\n", "")},
		{"RDMA is capped", swap("            explicit-congestion-notification;\n", "            explicit-congestion-notification;\n            shaping-rate percent 10;\n")},
		{"a filter on a port", swap("            family inet {\n", "            family inet {\n                filter {\n                    input guard;\n                }\n")},
	}}
}

// srlinuxByHand is a leaf as automation for GPU fabrics fills in SR Linux: a PFC queue of 52 MB,
// a tenth of the memory for headroom, a curve from 5 to 80 per cent, a watchdog of 750 ms, and
// no share of the headroom for each queue, so that the device's own counts. Nothing limits the queue
// of RDMA, so the device's own threshold does, which is not known for lossless queues.
func srlinuxByHand() byHand {
	var port, qos []string
	for i := 1; i <= 8; i++ {
		name := fmt.Sprintf("ethernet-1/%d", i)
		port = append(port, fmt.Sprintf(`{"name":"%s","admin-state":"enable","mtu":9232,"ethernet":{"port-speed":"400G"},"subinterface":[{"index":100,"ipv6":{"admin-state":"enable"}}]}`, name))
		qos = append(qos, fmt.Sprintf(`{"interface-id":"%s","interface-ref":{"interface":"%s"},"pfc":{"pfc-mapping-profile":"gpu-pause","pfc-enable":true},"input":{"pfc-buffer-allocation-profile":"gpu-burst"},
"output":{"buffer-allocation-profile":"gpu-burst","queues":{"queue":[{"queue-name":"unicast-3","queue-management-profile":"gpu-mark"}]}}}`, name, name),
			fmt.Sprintf(`{"interface-id":"%s.100","interface-ref":{"interface":"%s","subinterface":100},"input":{"classifiers":{"dscp-policy":"gpu"}}}`, name, name))
	}
	text := `{"srl_nokia-system:system":{"srl_nokia-system-name:name":{"host-name":"leaf-e"}},
"srl_nokia-interfaces:interface":[` + strings.Join(port, ",\n") + `],
"srl_nokia-qos:qos":{"explicit-congestion-notification":{},
"queues":{"queue":[{"name":"unicast-0","queue-index":0},{"name":"unicast-3","queue-index":3},{"name":"unicast-6","queue-index":6}],"pfc-queue":[{"pfc-queue-name":"pfc-3","queue-index":3}]},
"forwarding-classes":{"forwarding-class":[{"name":"fc0","forwarding-class-index":0,"output":{"unicast-queue":"unicast-0"}},{"name":"fc3","forwarding-class-index":3,"output":{"unicast-queue":"unicast-3"}},{"name":"fc6","forwarding-class-index":6,"output":{"unicast-queue":"unicast-6"}}]},
"classifiers":{"dscp-policy":[{"name":"gpu","dscp":[{"value":26,"forwarding-class":"fc3","drop-probability":"low"},{"value":48,"forwarding-class":"fc6","drop-probability":"low"}]}]},
"pfc-mapping-profile":[{"name":"gpu-pause","received-traffic":{"unicast-mapping":{"pfc-queue":[{"pfc-queue-name":"pfc-3","forwarding-class":["fc3"],"pfc-pause-frame-priority":3}]}},
"received-pfc-pause-frames":{"deadlock":{"enable":true,"detection-timer":750,"recovery-timer":750},"queue":[{"queue-name":"unicast-3","pfc-pause-frame-priority":3,"enable-pfc":true}]}}],
"buffer-management":{"queue-management-profile":[{"name":"gpu-mark","wred":{"wred-slope":[{"traffic-type":"all","drop-probability":"all","enable-ecn":true,"min-threshold-percent":5,"max-threshold-percent":80,"max-drop-probability-percent":100}]}}],
"buffer-allocation-profile":[{"name":"gpu-burst","queues":{"pfc-queue":[{"pfc-queue-name":"pfc-3","maximum-burst-size":52110640}]}}]},
"linecard":[{"slot":1,"forwarding-complex":[{"name":"0","input":{"pfc-buffer-reservation":10}},{"name":"1","input":{"pfc-buffer-reservation":10}}]}],
"interfaces":{"interface":[` + strings.Join(qos, ",\n") + `]}}}`
	cables := func(c Cables) {
		for i := 1; i <= 8; i++ {
			c[plan.LinkEnd{Switch: "leaf-e", Port: fmt.Sprintf("ethernet-1/%d", i)}] = Cable{Length: 5 * units.Metre}
		}
	}
	const first = "srl_nokia-qos:qos/"
	return byHand{name: "SR Linux", file: "leaf-e.json", text: text, chip: "tomahawk5", cables: cables, verdict: NotJudged, broken: []redEdit{
		{"one port without PFC", swap(`"pfc-enable":true`, `"pfc-enable":false`)},
		{"the pause of another priority", swap(`"fc3"],"pfc-pause-frame-priority":3`, `"fc3"],"pfc-pause-frame-priority":4`)},
		{"another class raises the pause", swap(`"forwarding-class":["fc3"]`, `"forwarding-class":["fc6"]`)},
		{"pauses of peers stop the queue of CNPs", swap(`"queue-name":"unicast-3","pfc-pause-frame-priority":3`, `"queue-name":"unicast-6","pfc-pause-frame-priority":3`)},
		{"no memory for headroom", put(first+"linecard", `[{"slot":1,"forwarding-complex":[{"name":"0","input":{"pfc-buffer-reservation":0}},{"name":"1","input":{"pfc-buffer-reservation":0}}]}]`)},
		{"headroom of a frame", put(first+"buffer-management/buffer-allocation-profile/0/queues/pfc-queue/0/maximum-pfc-reserved-share-bytes", "9232")},
		{"the queue drops where it should mark", swap(`"enable-ecn":true`, `"enable-ecn":false`)},
		{"the queue of RDMA holds a packet", swap(`"queues":{"pfc-queue"`, `"queues":{"queue":[{"queue-name":"unicast-3","maximum-burst-size":9232}],"pfc-queue"`)},
		{"everything unmarked is lossless", swap(`{"value":48`, `{"value":0,"forwarding-class":"fc3","drop-probability":"low"},{"value":48`)},
		{"a port without a classifier", swap(`"input":{"classifiers":{"dscp-policy":"gpu"}}`, `"input":{}`)},
		{"pauses of the link on a port", swap(`"port-speed":"400G"`, `"port-speed":"400G","flow-control":{"receive":true,"transmit":true}`)},
	}}
}
