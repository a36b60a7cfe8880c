chip "tomahawk3" {
  title   = "Broadcom Tomahawk 3 (BCM56980)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th3", "tomahawk-3", "bcm56980"]

  capacity {
    value      = "12.8Tbps"
    confidence = "published"
    source     = source.asics-2020
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "published"
    source     = source.asics-2020
  }

  lane_rate {
    value      = "50Gbps"
    confidence = "published"
    source     = "Broadcom, product brief: 256 serdes of 50G"
  }

  max_ports {
    value      = 128
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Silverstone_v2_128X100G: port_config.ini"
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
    value      = "254B"
    confidence = "measured"
    source     = [source.qos-params-th3, source.juniper-qfx5k]
  }

  physical_buffer {
    value      = "70746112B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk3.h:764,783-804; include/soc/flexport/tomahawk3_mmu_flexport.h:65-69; src/soc/esw/tomahawk3.c:389-407,1886-1902; src/soc/esw/tomahawk3/traffic_manager/traffic_manager_thresholds.c:755-785,840-905"
    note       = "2 parts of 139,264 cells"
  }

  packet_buffer {
    value      = "67117468B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk3.h:764,783-804; include/soc/flexport/tomahawk3_mmu_flexport.h:65-69; src/soc/esw/tomahawk3.c:389-407,1886-1902; src/soc/esw/tomahawk3/traffic_manager/traffic_manager_thresholds.c:755-785,840-905"
    note       = "2 times 134,169 cells less 2,048 for the entries of replication; just this ships as a static threshold (Dell Z9332f). The 64 MB of J. Pietsch, 2020 High Speed Ethernet ASICs, are 67,108,864 B"
  }

  usable_buffer {
    value      = "66394076B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9332f-O32: buffers_defaults_t0.j2, ingress_lossless_pool: 261,394 cells"
  }

  slices {
    value      = 2
    confidence = "measured"
    source     = source.qos-params-th3
  }

  pipes {
    value      = 8
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/tomahawk3.h: _TH3_PIPES_PER_DEV, 4 blocks of 8 physical ports in a pipe, physical ports 1 to 256"
  }

  pipe_lanes {
    value      = 32
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/tomahawk3.h: _TH3_PIPES_PER_DEV, 4 blocks of 8 physical ports in a pipe, physical ports 1 to 256"
    note       = "physical ports are taken to be the lanes that SONiC numbers from 1"
  }

  part_ingress_pipes {
    value      = ["0-1,6-7", "2-5"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 src/soc/esw/tomahawk3.c:1884-1901"
  }

  max_packet {
    value      = "9416B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk3.h:764,783-804; include/soc/flexport/tomahawk3_mmu_flexport.h:65-69; src/soc/esw/tomahawk3.c:389-407,1886-1902; src/soc/esw/tomahawk3/traffic_manager/traffic_manager_thresholds.c:755-785,840-905"
  }

  packet_metadata {
    value      = "40B"
    confidence = "published"
    source     = [source.juniper-qfx5k, "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/tomahawk3.h:784: _TH3_MMU_PACKET_HEADER_BYTES"]
    note       = "QFX5220; 64 B on the other chips of that table"
  }

  pool_size {
    value      = "gross"
    confidence = "measured"
    source     = source.qos-params-th3
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-th3
  }

  admission {
    value      = "below_with_cell"
    confidence = "inferred"
    source     = source.qos-params-th3
    note       = "the comparison that gives the first pause to the packet"
  }

  pause {
    value      = "on_excess"
    confidence = "inferred"
    source     = source.qos-params-th3
    note       = "from the distance between first pause and first drop: the headroom, and no more"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "the eleven steps that EOS offers; SONiC writes them as dynamic_th -7 to 3"
  }

  coarse_step {
    value      = "2032B"
    confidence = "published"
    source     = source.openbcm-cells
    note       = "eight cells"
  }

  ecn_granularity {
    value      = "254B"
    confidence = "published"
    source     = source.openbcm-cells
    note       = "thresholds of WRED are held in cells, in steps of one"
  }

  marking_steps {
    value      = ["0%", "1%", "2%", "3%", "4%", "5%", "6%", "7%", "8%", "9%", "10%", "25%", "50%", "75%", "100%"]
    confidence = "inferred"
    source     = source.openbcm-wred
    note       = "the code of this chip is not public; the chips before and after have the same 15 steps"
  }

  marking_lag {
    value      = "8us"
    confidence = "assumed"
    source     = "by analogy with Tomahawk: OpenBCM"
    note       = "the public SDK has no code of this chip that sets it"
  }

  marking_state {
    value      = "part"
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 src/soc/esw/tomahawk3.c:389-407"
    note       = "tables of averages and thresholds exist for each part; the code that sets them is not public"
  }

  pg_reserve {
    value      = "2540B"
    confidence = "measured"
    source     = source.qos-params-th3
    note       = "ten cells"
  }

  queue_reserve {
    value      = "1778B"
    confidence = "measured"
    source     = source.qos-params-th3
    note       = "seven cells"
  }

  xon_offset {
    value      = "2540B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Quanta-IX9-32X: pg_profile_lookup.ini"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU DellEMC-Z9332f-O32 pg_profile_lookup.ini, relative error at most 0.4 %"
  }

  headroom_fixed {
    value      = "24123B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU DellEMC-Z9332f-O32 pg_profile_lookup.ini, relative error at most 0.4 %"
    note       = "Quanta-IX9-32X ships 190,500 B for every speed and length"
  }

  headroom_response {
    value      = "2169ns"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU DellEMC-Z9332f-O32 pg_profile_lookup.ini, relative error at most 0.4 %"
  }

  headroom_wire_per_cell {
    value      = "192B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU DellEMC-Z9332f-O32 pg_profile_lookup.ini, relative error at most 0.4 %"
    note       = "the table assumes packets longer than 64 B: 84 B of wire per cell would be the worst case"
  }

  sdk_headroom_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk3.h:911 _TH3_PG_HEADROOM_LINERATE_10G"
  }

  sdk_headroom_line_rate {
    value      = [167, 256, 360, 360, 580, 1061, 1962]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk3.h:911 _TH3_PG_HEADROOM_LINERATE_10G"
    note       = "for one lossless PG on each port, and no stated length of cable; 40G has the class of 50G"
  }

  sdk_headroom_oversubscribed {
    value      = [248, 337, 441, 441, 772, 1445, 2730]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk3.h:911 _TH3_PG_HEADROOM_LINERATE_10G"
    note       = "the default of every port, also where pipes keep up"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
