chip "trident4-x11" {
  title   = "Broadcom Trident 4 X11 (BCM56880)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td4-x11", "trident-4-x11", "bcm56880"]

  capacity {
    value      = "12.8Tbps"
    confidence = "published"
    source     = source.ucsc-trident4
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "published"
    source     = source.ucsc-trident4
  }

  lane_rate {
    value      = "50Gbps"
    confidence = "published"
    source     = "Broadcom, product brief: 256 serdes of 50G"
  }

  max_ports {
    value      = 128
    confidence = "published"
    source     = source.ucsc-trident4
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
    confidence = "published"
    source     = source.juniper-qfx5k
    note       = "QFX5130-32CD. The smaller X9 is measured at 318 B"
  }

  physical_buffer {
    value      = "141492224B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm_thd_internal.h:197-211; libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm.h:21-26,46; libs/sdklt/bcmtm/chip/bcm56880_a0/bcm56880_a0_tm_thd.c:42-57; bcm56880_a0_tm_ing_thd_port_pri_grp.c:57-59; libs/sdklt/bcmlrd/chip/bcm56880_a0/bcm56880_a0_lrd_tm_wred_drop_curve_set_profile_map.c"
    note       = "2 parts of 278,528 cells"
  }

  packet_buffer {
    value      = "134861808B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm_thd_internal.h:197-211; libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm.h:21-26,46; libs/sdklt/bcmtm/chip/bcm56880_a0/bcm56880_a0_tm_thd.c:42-57; bcm56880_a0_tm_ing_thd_port_pri_grp.c:57-59; libs/sdklt/bcmlrd/chip/bcm56880_a0/bcm56880_a0_lrd_tm_wred_drop_curve_set_profile_map.c"
    note       = "2 times 265,476 cells; UC Santa Cruz says 132 MB, which fits neither as 132,000,000 nor as 138,412,032 B"
  }

  slices {
    value      = 2
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm_thd_internal.h:197-211; libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm.h:21-26,46; libs/sdklt/bcmtm/chip/bcm56880_a0/bcm56880_a0_tm_thd.c:42-57; bcm56880_a0_tm_ing_thd_port_pri_grp.c:57-59; libs/sdklt/bcmlrd/chip/bcm56880_a0/bcm56880_a0_lrd_tm_wred_drop_curve_set_profile_map.c"
  }

  pipes {
    value      = 8
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20 bcm56880_a0_tm.h: TD4_PIPES_PER_DEV, 4 blocks of 8 physical ports in a pipe"
  }

  pipe_lanes {
    value      = 32
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20 bcm56880_a0_tm.h: TD4_PIPES_PER_DEV, 4 blocks of 8 physical ports in a pipe"
    note       = "physical ports are taken to be the lanes that SONiC numbers from 1"
  }

  part_ingress_pipes {
    value      = ["0-1,6-7", "2-5"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20 libs/sdklt/bcmtm/chip/bcm56880_a0/bcm56880_a0_tm_thd.c:42-57"
  }

  max_packet {
    value      = "9416B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm_thd_internal.h:197-211; libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm.h:21-26,46; libs/sdklt/bcmtm/chip/bcm56880_a0/bcm56880_a0_tm_thd.c:42-57; bcm56880_a0_tm_ing_thd_port_pri_grp.c:57-59; libs/sdklt/bcmlrd/chip/bcm56880_a0/bcm56880_a0_lrd_tm_wred_drop_curve_set_profile_map.c"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = source.juniper-qfx5k
  }

  pool_size {
    value      = "gross"
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
  }

  headroom_pool {
    value      = true
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
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
    value      = "266338050B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm_thd_internal.h:197-211; libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm.h:21-26,46; libs/sdklt/bcmtm/chip/bcm56880_a0/bcm56880_a0_tm_thd.c:42-57; bcm56880_a0_tm_ing_thd_port_pri_grp.c:57-59; libs/sdklt/bcmlrd/chip/bcm56880_a0/bcm56880_a0_lrd_tm_wred_drop_curve_set_profile_map.c"
    note       = "1,048,575 cells"
  }

  marking_state {
    value      = "queue"
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm_thd_internal.h:197-211; libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm.h:21-26,46; libs/sdklt/bcmtm/chip/bcm56880_a0/bcm56880_a0_tm_thd.c:42-57; bcm56880_a0_tm_ing_thd_port_pri_grp.c:57-59; libs/sdklt/bcmlrd/chip/bcm56880_a0/bcm56880_a0_lrd_tm_wred_drop_curve_set_profile_map.c"
    note       = "one instance in the tables"
  }

  headroom_method {
    value      = "xgs"
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
  }

  headroom_fixed {
    value      = "18476B"
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
  }

  headroom_response {
    value      = "2046ns"
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
  }

  headroom_wire_per_cell {
    value      = "84B"
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
  }

  headroom_speed_classes {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "assumed"
    source     = "by analogy with Trident 4 X9"
  }

  sdk_headroom_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm_thd_internal.h:280 TD4_PG_HEADROOM_LINERATE_10G"
  }

  sdk_headroom_line_rate {
    value      = [167, 256, 360, 360, 580, 1061, 1962]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm_thd_internal.h:280 TD4_PG_HEADROOM_LINERATE_10G"
    note       = "for one lossless PG on each port, and no stated length of cable; 40G has the class of 50G"
  }

  sdk_headroom_oversubscribed {
    value      = [248, 337, 441, 441, 774, 1445, 2730]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56880_a0_tm_thd_internal.h:280 TD4_PG_HEADROOM_LINERATE_10G"
    note       = "the default of every port, also where pipes keep up"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
