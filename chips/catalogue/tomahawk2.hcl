chip "tomahawk2" {
  title   = "Broadcom Tomahawk 2 (BCM56970)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th2", "tomahawk-2", "bcm56970"]

  capacity {
    value      = "6.4Tbps"
    confidence = "published"
    source     = source.fwd-tomahawk2
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "published"
    source     = source.fwd-tomahawk2
  }

  lane_rate {
    value      = "25Gbps"
    confidence = "published"
    source     = "Broadcom, product brief: 256 serdes of 25G"
  }

  max_ports {
    value      = 118
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7260CX3-D108C10: port_config.ini"
    note       = "at least as many"
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
    source     = [source.qos-params-th2, source.juniper-qfx5k]
  }

  physical_buffer {
    value      = "47710208B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk2.h:74,127-135; src/soc/esw/tomahawk2.c:905-914 map, :1052-1062 device, :1492 PG, :1598-1618 shared size"
    note       = "4 parts of 57,344 cells"
  }

  packet_buffer {
    value      = "44302336B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk2.h:74,127-135; src/soc/esw/tomahawk2.c:905-914 map, :1052-1062 device, :1492 PG, :1598-1618 shared size"
    note       = "4 times 53,248 cells; forwardingplane.net says 42 MB, which is 44,040,192 B if binary"
  }

  usable_buffer {
    value      = "43481152B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7260CX3-C64: buffers_defaults_t1.j2, egress_lossless_pool: 209,044 cells"
    note       = "42,349,632 B in other renderings of the same file"
  }

  slices {
    value      = 4
    confidence = "measured"
    source     = source.qos-params-th2
  }

  pipes {
    value      = 4
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/tomahawk2.h: _TH2_PIPES_PER_DEV, 16 blocks of 4 physical ports in a pipe, physical ports 1 to 256"
  }

  pipe_lanes {
    value      = 64
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/tomahawk2.h: _TH2_PIPES_PER_DEV, 16 blocks of 4 physical ports in a pipe, physical ports 1 to 256"
    note       = "physical ports are taken to be the lanes that SONiC numbers from 1"
  }

  part_ingress_pipes {
    value      = ["0,3", "0,3", "1-2", "1-2"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 src/soc/esw/tomahawk2.c:905-914"
  }

  part_egress_pipes {
    value      = ["0-1", "2-3", "0-1", "2-3"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 src/soc/esw/tomahawk2.c:905-914"
    note       = "a packet lies where its ingress and its egress pipe meet: a PG and a queue spread over two parts each"
  }

  max_packet {
    value      = "9416B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk2.h:74,127-135; src/soc/esw/tomahawk2.c:905-914 map, :1052-1062 device, :1492 PG, :1598-1618 shared size"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = source.juniper-qfx5k
  }

  pool_size {
    value      = "net"
    confidence = "measured"
    source     = source.qos-params-th2
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-th2
  }

  admission {
    value      = "with_cell"
    confidence = "inferred"
    source     = source.qos-params-th2
    note       = "the comparison that gives the first pause to the packet"
  }

  pause {
    value      = "when_full"
    confidence = "inferred"
    source     = source.qos-params-th2
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
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk2.h:74,127-135; src/soc/esw/tomahawk2.c:905-914 map, :1052-1062 device, :1492 PG, :1598-1618 shared size"
    note       = "65,535 cells"
  }

  marking_state {
    value      = "part"
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 src/bcm/esw/tomahawk/cosq.c:2505-2600"
    note       = "the code is shared with Tomahawk; our reading: a queue is compared in each part by itself"
  }

  pg_reserve {
    value      = "1248B"
    confidence = "measured"
    source     = source.qos-params-th2
    note       = "six cells"
  }

  queue_reserve {
    value      = "1664B"
    confidence = "measured"
    source     = source.qos-params-th2
    note       = "pkts_num_fill_min of the lossy tests: eight cells"
  }

  xon_offset {
    value      = "2496B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7260CX3-C64: pg_profile_lookup.ini"
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
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7260CX3-C64 pg_profile_lookup.ini, relative error at most 0.7 %"
  }

  headroom_fixed {
    value      = "10234B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7260CX3-C64 pg_profile_lookup.ini, relative error at most 0.7 %"
    note       = "disputed: DellEMC-Z9264f-C64 fits 10,900 B, 3150 ns and 84 B with 5.2 %, nearly twice as much; Arista-7260CX3-D96C16 ships the values of Tomahawk"
  }

  headroom_response {
    value      = "2527ns"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7260CX3-C64 pg_profile_lookup.ini, relative error at most 0.7 %"
  }

  headroom_wire_per_cell {
    value      = "163B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7260CX3-C64 pg_profile_lookup.ini, relative error at most 0.7 %"
    note       = "the table assumes packets longer than 64 B: 84 B of wire per cell would be the worst case"
  }

  headroom_speed_classes {
    value      = ["40Gbps", "100Gbps"]
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7260CX3-C64 pg_profile_lookup.ini, relative error at most 0.7 %"
    note       = "the table gives 50G the value of 100G"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
