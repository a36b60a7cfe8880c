chip "tomahawk" {
  title   = "Broadcom Tomahawk (BCM56960)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th", "th1", "tomahawk1", "tomahawk-1", "bcm56960"]

  capacity {
    value      = "3.2Tbps"
    confidence = "published"
    source     = source.ipspace-tomahawk
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "published"
    source     = source.ipspace-tomahawk
  }

  lane_rate {
    value      = "25Gbps"
    confidence = "published"
    source     = "Broadcom, product brief: 128 serdes of 25G"
  }

  max_ports {
    value      = 128
    confidence = "published"
    source     = source.ipspace-tomahawk
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
    value      = "208B"
    confidence = "measured"
    source     = [source.qos-params-th, source.juniper-qfx5k]
  }

  physical_buffer {
    value      = "19169280B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk.h:719-762; src/soc/esw/tomahawk.c:1813-1862 pipe/xpe map, :8588-8591 PG; src/bcm/esw/tomahawk/cosq.c:68,2322-2600,5276"
    note       = "4 parts of 23,040 cells"
  }

  packet_buffer {
    value      = "16777280B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk.h:719-762; src/soc/esw/tomahawk.c:1813-1862 pipe/xpe map, :8588-8591 PG; src/bcm/esw/tomahawk/cosq.c:68,2322-2600,5276"
    note       = "4 times 20,165 cells: 16 MiB and 64 B; the register of the pool limit holds 19,968 cells of each part, 16,613,376 B"
  }

  usable_buffer {
    value      = "15982720B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7060CX-32S-C32: buffers_defaults_t0.j2, egress_lossless_pool: 76,840 cells"
  }

  slices {
    value      = 4
    confidence = "measured"
    source     = source.qos-params-th
    note       = "exact to the packet with size/4"
  }

  pipes {
    value      = 4
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/tomahawk.h: _TH_PIPES_PER_DEV, 8 blocks of 4 physical ports in a pipe"
  }

  pipe_lanes {
    value      = 32
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/tomahawk.h: _TH_PIPES_PER_DEV, 8 blocks of 4 physical ports in a pipe"
    note       = "physical ports are taken to be the lanes that SONiC numbers from 1"
  }

  part_ingress_pipes {
    value      = ["0,3", "0,3", "1-2", "1-2"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 src/soc/esw/tomahawk.c:1813-1862"
  }

  part_egress_pipes {
    value      = ["0-1", "2-3", "0-1", "2-3"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 src/soc/esw/tomahawk.c:1813-1862"
    note       = "a packet lies where its ingress and its egress pipe meet: a PG and a queue spread over two parts each"
  }

  max_packet {
    value      = "9416B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk.h:719-762; src/soc/esw/tomahawk.c:1813-1862 pipe/xpe map, :8588-8591 PG; src/bcm/esw/tomahawk/cosq.c:68,2322-2600,5276"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = source.juniper-qfx5k
  }

  pool_size {
    value      = "net"
    confidence = "measured"
    source     = source.qos-params-th
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-th
  }

  admission {
    value      = "before_cell"
    confidence = "inferred"
    source     = source.qos-params-th
    note       = "the comparison that gives the first pause to the packet"
  }

  pause {
    value      = "when_full"
    confidence = "inferred"
    source     = source.qos-params-th
    note       = "from the distance between first pause and first drop: the headroom, and one more packet"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "the eleven steps that EOS offers; SONiC writes them as dynamic_th -7 to 3"
  }

  ecn_granularity {
    value      = "208B"
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
    note       = "the comment beside the code that sets a port asks for 1 us; with gain 0, which SONiC always writes (sonic-swss orchagent/qosorch.cpp, SAI_WRED_ATTR_WEIGHT 0), the average is the length at the last reading"
  }

  marking_max {
    value      = "13631280B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk.h:719-762; src/soc/esw/tomahawk.c:1813-1862 pipe/xpe map, :8588-8591 PG; src/bcm/esw/tomahawk/cosq.c:68,2322-2600,5276"
    note       = "65,535 cells"
  }

  marking_state {
    value      = "part"
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 src/bcm/esw/tomahawk/cosq.c:2505-2600, :3888-3894"
    note       = "profiles and averages are written for each part and pipe; that a queue is compared in each part by itself is our reading"
  }

  pg_reserve {
    value      = "1248B"
    confidence = "measured"
    source     = source.qos-params-th
    note       = "six cells"
  }

  queue_reserve {
    value      = "1664B"
    confidence = "measured"
    source     = source.qos-params-th
    note       = "pkts_num_fill_min of the lossy tests: eight cells, which hold the 1518 B of egress_lossy_profile"
  }

  xon_offset {
    value      = "2288B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7060CX-32S-C32: pg_profile_lookup.ini"
  }

  global_headroom {
    value      = "9568B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 src/soc/esw/trident3.c:10395-10400, trident2.c:14563-14570, tomahawk2.c:1601"
    note       = "46 cells: one largest packet for each pipe; that it holds the rest of a packet whose own headroom is spent is our reading"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7060CX-32S-C32 pg_profile_lookup.ini, one response per speed: every row within one cell, except for 25G at 40 m, which repeats 5 m in the table"
  }

  headroom_fixed {
    value      = "9216B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7060CX-32S-C32 pg_profile_lookup.ini, one response per speed: every row within one cell, except for 25G at 40 m, which repeats 5 m in the table"
    note       = "one largest frame"
  }

  headroom_response {
    value      = "3915ns"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7060CX-32S-C32 pg_profile_lookup.ini, one response per speed: every row within one cell, except for 25G at 40 m, which repeats 5 m in the table"
    note       = "for speeds beyond the classes"
  }

  headroom_wire_per_cell {
    value      = "74B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7060CX-32S-C32 pg_profile_lookup.ini, one response per speed: every row within one cell, except for 25G at 40 m, which repeats 5 m in the table"
    note       = "fewer bytes than a smallest packet takes on the wire, 84: the table is more cautious than packets can be"
  }

  headroom_speed_classes {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7060CX-32S-C32 pg_profile_lookup.ini, one response per speed: every row within one cell, except for 25G at 40 m, which repeats 5 m in the table"
    note       = "speeds that the table has"
  }

  headroom_responses {
    value      = ["2735ns", "3045ns", "2840ns", "3605ns", "3915ns"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7060CX-32S-C32 pg_profile_lookup.ini, one response per speed: every row within one cell, except for 25G at 40 m, which repeats 5 m in the table"
    note       = "one constant for all lengths of cable of a speed; the same times come out of the 10G to 50G rows of Nokia-IXR7220-H6-O256 within 0.14 us"
  }

  sdk_headroom_speeds {
    value      = ["1Gbps", "10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/tomahawk.c:8225 _soc_th_default_pg_headroom"
  }

  sdk_headroom_line_rate {
    value      = [166, 166, 194, 286, 304, 519]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/tomahawk.c:8225 _soc_th_default_pg_headroom"
    note       = "for one lossless PG on each port, and no stated length of cable"
  }

  sdk_headroom_oversubscribed {
    value      = [189, 189, 217, 340, 358, 648]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/tomahawk.c:8225 _soc_th_default_pg_headroom"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
