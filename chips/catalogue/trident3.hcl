chip "trident3" {
  title   = "Broadcom Trident 3 (BCM56870)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td3", "trident-3", "trident3-x7", "td3-x7", "bcm56870"]

  capacity {
    value      = "3.2Tbps"
    confidence = "published"
    source     = source.fwd-trident3
  }

  port_speeds {
    value      = ["1Gbps", "10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "published"
    source     = source.fwd-trident3
  }

  lane_rate {
    value      = "25Gbps"
    confidence = "published"
    source     = "Broadcom, product brief: 128 serdes of 25G"
  }

  max_ports {
    value      = 128
    confidence = "published"
    source     = source.fwd-trident3
    note       = "32 of 100G or 128 of 25G"
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queue-tables
    note       = "unicast queues that SONiC configures; the chips have more for multicast and the CPU"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "256B"
    confidence = "measured"
    source     = [source.qos-params-td3, source.juniper-qfx5k]
  }

  physical_buffer {
    value      = "33554432B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/trident3.h:712-740,761-763; src/soc/esw/trident3.c:9736-9749, :9829, :10136; src/bcm/esw/trident3/cosq.c:90 TD3_WRED_CELL_FIELD_MAX, :6928"
    note       = "one part of 131,072 cells"
  }

  packet_buffer {
    value      = "33030144B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/trident3.h:712-740,761-763; src/soc/esw/trident3.c:9736-9749, :9829, :10136; src/bcm/esw/trident3/cosq.c:90 TD3_WRED_CELL_FIELD_MAX, :6928"
    note       = "129,024 cells: the API refuses pools and headroom pools above them together; the 32 MB that vendors state (ucsc.edu, forwardingplane.net) are all 131,072 cells"
  }

  usable_buffer {
    value      = "32744448B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-S5248f-P-10G: buffers_defaults_t0.j2, ingress_lossless_pool"
    note       = "the largest ingress pool that ships; the tables of other SKUs give 32,441,856 to 32,732,160 B"
  }

  slices {
    value      = 1
    confidence = "measured"
    source     = source.qos-params-td3
  }

  pipes {
    value      = 2
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/trident3.h:712-740: pipes 0 and 1"
  }

  pipe_lanes {
    value      = 64
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/trident3.h:712-740: pipes 0 and 1"
    note       = "physical ports are taken to be the lanes that SONiC numbers from 1"
  }

  max_packet {
    value      = "9416B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/trident3.h:712-740,761-763; src/soc/esw/trident3.c:9736-9749, :9829, :10136; src/bcm/esw/trident3/cosq.c:90 TD3_WRED_CELL_FIELD_MAX, :6928"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = source.juniper-qfx5k
  }

  pool_size {
    value      = "gross"
    confidence = "measured"
    source     = source.qos-params-td3
    note       = "in the tables of Dell S5212f to S5232f, size and xoff add up to the egress size: net"
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-td3
  }

  admission {
    value      = "with_cell"
    confidence = "inferred"
    source     = source.qos-params-td3
    note       = "the comparison that gives the first pause to the packet"
  }

  pause {
    value      = "when_full"
    confidence = "inferred"
    source     = source.qos-params-td3
    note       = "from the distance between first pause and first drop: the headroom, and one more packet"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "the eleven steps that EOS offers; SONiC writes them as dynamic_th -7 to 3"
  }

  coarse_step {
    value      = "2048B"
    confidence = "published"
    source     = source.openbcm-cells
    note       = "eight cells"
  }

  ecn_granularity {
    value      = "256B"
    confidence = "published"
    source     = source.openbcm-cells
    note       = "thresholds of WRED are held in cells, in steps of one"
  }

  marking_steps {
    value      = ["0%", "1%", "2%", "3%", "4%", "5%", "6%", "7%", "8%", "9%", "10%", "25%", "50%", "75%", "100%"]
    confidence = "published"
    source     = source.openbcm-wred
    note       = "a wish between two steps becomes the lower one"
  }

  marking_lag {
    value      = "8us"
    confidence = "inferred"
    source     = source.openbcm-wred-refresh
    note       = "the code is Tomahawk's, which says of itself that it is as Trident II's; with gain 0, which SONiC always writes, the average is the length at the last reading"
  }

  marking_max {
    value      = "67108608B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/trident3.h:712-740,761-763; src/soc/esw/trident3.c:9736-9749, :9829, :10136; src/bcm/esw/trident3/cosq.c:90 TD3_WRED_CELL_FIELD_MAX, :6928"
    note       = "262,143 cells"
  }

  marking_state {
    value      = "queue"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/trident3.h:712-740,761-763; src/soc/esw/trident3.c:9736-9749, :9829, :10136; src/bcm/esw/trident3/cosq.c:90 TD3_WRED_CELL_FIELD_MAX, :6928"
    note       = "one part"
  }

  pg_reserve {
    value      = "4608B"
    confidence = "measured"
    source     = source.qos-params-td3
    note       = "18 cells; other SKUs ship 1248 B (a table of Tomahawk) and 1024 B"
  }

  queue_reserve {
    value      = "1792B"
    confidence = "measured"
    source     = source.qos-params-td3
    note       = "seven cells"
  }

  xon_offset {
    value      = "4608B"
    confidence = "measured"
    source     = source.qos-params-td3
    note       = "other SKUs ship 2048 and 2288 B"
  }

  global_headroom {
    value      = "9728B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 src/soc/esw/trident3.c:10395-10400, trident2.c:14563-14570, tomahawk2.c:1601"
    note       = "38 cells: one largest packet for each pipe; that it holds the rest of a packet whose own headroom is spent is our reading"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-S5232f-C32 pg_profile_lookup.ini, one response per speed: every row within 0.6 %"
  }

  headroom_fixed {
    value      = "9216B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-S5232f-C32 pg_profile_lookup.ini, one response per speed: every row within 0.6 %"
    note       = "one largest frame; the tables of Arista-7050CX3 give 160,000 B for every speed and length, those of Arista-7050SX3 are Tomahawk's: method xgs:arista"
  }

  headroom_response {
    value      = "3491ns"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-S5232f-C32 pg_profile_lookup.ini, one response per speed: every row within 0.6 %"
    note       = "for speeds beyond the classes"
  }

  headroom_wire_per_cell {
    value      = "85B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-S5232f-C32 pg_profile_lookup.ini, one response per speed: every row within 0.6 %"
    note       = "a packet of 64 B with preamble and gap is 84 B"
  }

  headroom_speed_classes {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-S5232f-C32 pg_profile_lookup.ini, one response per speed: every row within 0.6 %"
    note       = "speeds that the table has"
  }

  headroom_responses {
    value      = ["4770ns", "3884ns", "3193ns", "3414ns", "3491ns"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-S5232f-C32 pg_profile_lookup.ini, one response per speed: every row within 0.6 %"
    note       = "one constant for all lengths of cable of a speed"
  }

  sdk_headroom_speeds {
    value      = ["1Gbps", "10Gbps", "20Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/trident3.c:9774 _soc_td3_default_pg_headroom"
  }

  sdk_headroom_line_rate {
    value      = [160, 160, 197, 254, 274, 351, 574]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/trident3.c:9774 _soc_td3_default_pg_headroom"
    note       = "for one lossless PG on each port, and no stated length of cable"
  }

  sdk_headroom_oversubscribed {
    value      = [194, 194, 231, 288, 355, 432, 768]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/trident3.c:9774 _soc_td3_default_pg_headroom"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
