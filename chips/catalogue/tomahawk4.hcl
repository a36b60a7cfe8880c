chip "tomahawk4" {
  title   = "Broadcom Tomahawk 4 (BCM56990)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th4", "tomahawk-4", "bcm56990"]

  capacity {
    value      = "25.6Tbps"
    confidence = "published"
    source     = source.ipinfusion-th4
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "published"
    source     = source.ipinfusion-th4
  }

  lane_rate {
    value      = "100Gbps"
    confidence = "published"
    source     = "Broadcom, product brief: BCM56990 512 serdes of 50G, BCM56993 256 of 100G"
  }

  max_ports {
    value      = 256
    confidence = "published"
    source     = source.ipinfusion-th4
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
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9664f-O64: pg_profile_lookup.ini and buffers_defaults_t0.j2, all sizes are multiples of 254 B"
    note       = "Habana documents EOS headroom on an Arista 7060PX5 in the same cells"
  }

  physical_buffer {
    value      = "123805696B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56990_a0_tm_thd_internal.h:208-242; libs/sdklt/bcmtm/include/bcmtm/chip/bcm56990_a0_tm.h:27-29,73; libs/sdklt/bcmtm/chip/bcm56990_a0/bcm56990_a0_tm_thd.c:41-60,500-518; libs/sdklt/bcmlrd/chip/bcm56990_a0/bcm56990_a0_lrd_tm_wred_drop_curve_set_profile_map.c fields 1-2; libs/sdklt/bcmbd/include/bcmbd/chip/bcm56990_a0_acc.h MMU_WRED_UC_QUEUE_TOTAL_COUNT"
    note       = "2 parts of 243,712 cells"
  }

  packet_buffer {
    value      = "117574568B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56990_a0_tm_thd_internal.h:208-242; libs/sdklt/bcmtm/include/bcmtm/chip/bcm56990_a0_tm.h:27-29,73; libs/sdklt/bcmtm/chip/bcm56990_a0/bcm56990_a0_tm_thd.c:41-60,500-518; libs/sdklt/bcmlrd/chip/bcm56990_a0/bcm56990_a0_lrd_tm_wred_drop_curve_set_profile_map.c fields 1-2; libs/sdklt/bcmbd/include/bcmbd/chip/bcm56990_a0_acc.h MMU_WRED_UC_QUEUE_TOTAL_COUNT"
    note       = "2 times 231,446 cells; vendors say 113 MB or 114 MB, which is near it in MiB (112.1)"
  }

  usable_buffer {
    value      = "113620296B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9664f-O64: buffers_defaults_t0.j2, ingress_lossless_pool"
    note       = "the SDK divides 117,574,568 B, 15,568 cells more; Nokia IXR7220-H4-64D distributes 113,143,792 B; H4-32D 57,482,232 B of a chip with half the lanes"
  }

  slices {
    value      = 2
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Nokia-IXR7220-H4-64D: buffers_defaults_t0.j2, egress pool 56,571,896 B is half of the ingress pool"
  }

  pipes {
    value      = 16
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20 bcm56990_a0_tm.h, bcm56990_b0_tm_thd_internal.h: 16 pipes of 16 physical ports of two lanes"
  }

  pipe_lanes {
    value      = 32
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20 bcm56990_a0_tm.h, bcm56990_b0_tm_thd_internal.h: 16 pipes of 16 physical ports of two lanes"
    note       = "physical ports are taken to be the lanes that SONiC numbers from 1"
  }

  part_ingress_pipes {
    value      = ["0-3,12-15", "4-11"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20 libs/sdklt/bcmtm/chip/bcm56990_a0/bcm56990_a0_tm_thd.c:41-57"
  }

  max_packet {
    value      = "9416B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56990_a0_tm_thd_internal.h:208-242; libs/sdklt/bcmtm/include/bcmtm/chip/bcm56990_a0_tm.h:27-29,73; libs/sdklt/bcmtm/chip/bcm56990_a0/bcm56990_a0_tm_thd.c:41-60,500-518; libs/sdklt/bcmlrd/chip/bcm56990_a0/bcm56990_a0_lrd_tm_wred_drop_curve_set_profile_map.c fields 1-2; libs/sdklt/bcmbd/include/bcmbd/chip/bcm56990_a0_acc.h MMU_WRED_UC_QUEUE_TOTAL_COUNT"
  }

  packet_metadata {
    value      = "48B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20 bcm56990_a0_tm_thd_internal.h:216: TH4_MMU_PACKET_HEADER_BYTES, the same in B0 and TH4G"
  }

  pool_size {
    value      = "gross"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9664f-O64: buffers_defaults_t0.j2, ingress and egress pool have the same size although the ingress one has an xoff"
  }

  headroom_pool {
    value      = true
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9664f-O64: buffers_defaults_t0.j2, xoff of the ingress pool"
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
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20 libs/sdklt: TM_WRED_DROP_PERCENTAGE_T"
    note       = "a wish between two steps becomes the lower one"
  }

  marking_lag {
    value      = "8us"
    confidence = "assumed"
    source     = "by analogy with Tomahawk: OpenBCM"
    note       = "the public SDK has no code of this chip that sets it"
  }

  marking_max {
    value      = "133168898B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56990_a0_tm_thd_internal.h:208-242; libs/sdklt/bcmtm/include/bcmtm/chip/bcm56990_a0_tm.h:27-29,73; libs/sdklt/bcmtm/chip/bcm56990_a0/bcm56990_a0_tm_thd.c:41-60,500-518; libs/sdklt/bcmlrd/chip/bcm56990_a0/bcm56990_a0_lrd_tm_wred_drop_curve_set_profile_map.c fields 1-2; libs/sdklt/bcmbd/include/bcmbd/chip/bcm56990_a0_acc.h MMU_WRED_UC_QUEUE_TOTAL_COUNT"
    note       = "524,287 cells"
  }

  marking_state {
    value      = "queue"
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20 libs/sdklt/bcmbd/include/bcmbd/chip/bcm56990_a0_acc.h MMU_WRED_UC_QUEUE_TOTAL_COUNT"
    note       = "one instance with a total count for each queue; thresholds are a bit wider than one part needs"
  }

  pg_reserve {
    value      = "9144B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9664f-O64: pg_profile_lookup.ini"
    note       = "36 cells; Nokia H4 ships the table of Tomahawk (208 B cells)"
  }

  queue_reserve {
    value      = "1778B"
    confidence = "assumed"
    source     = "by analogy with Tomahawk 3 and Tomahawk 5"
  }

  xon_offset {
    value      = "9144B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-Z9664f-O64: pg_profile_lookup.ini"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-Z9664f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
  }

  headroom_fixed {
    value      = "18832B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-Z9664f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "two frames of 9416 B; Nokia-IXR7220-H4 ships a table of Tomahawk"
  }

  headroom_response {
    value      = "2029ns"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-Z9664f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "for speeds beyond the classes"
  }

  headroom_wire_per_cell {
    value      = "84B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-Z9664f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "a packet of 64 B with preamble and gap"
  }

  headroom_speed_classes {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-Z9664f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "the table gives 10G the value of 25G and 40G that of 50G: the rate of the serdes lane"
  }

  headroom_responses {
    value      = ["1897ns", "1785ns", "1853ns", "2029ns", "2029ns"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-Z9664f-O64 pg_profile_lookup.ini, one response per speed: every row to the cell"
    note       = "one constant for all lengths of cable of a speed"
  }

  sdk_headroom_speeds {
    value      = ["10Gbps", "25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56990_a0_tm_thd_internal.h:344 TH4_PG_HEADROOM_LINERATE_10G"
  }

  sdk_headroom_line_rate {
    value      = [173, 262, 366, 585, 1071, 1982]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56990_a0_tm_thd_internal.h:344 TH4_PG_HEADROOM_LINERATE_10G"
    note       = "for one lossless PG on each port, and no stated length of cable"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
