# The plain names trident4 and td4 mean this chip and not X11: the Trident 4 switches that SONiC
# has tables for are X9, and of the two it has the smaller buffer.

chip "trident4-x9" {
  title   = "Broadcom Trident 4 X9 (BCM56780)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["trident4", "trident-4", "td4", "td4-x9", "trident-4-x9", "bcm56780"]

  capacity {
    value      = "8Tbps"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-S5448f-C48O8: 48 ports of 100G and 8 of 400G"
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-S5448f-C48O8: 48 ports of 100G and 8 of 400G"
  }

  lane_rate {
    value      = "50Gbps"
    confidence = "published"
    source     = "Broadcom, product brief: serdes of 50G"
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
    value      = "318B"
    confidence = "measured"
    source     = source.qos-params-td4
    note       = "the pools of Dell S5448F (258,296 cells) and Nokia IXR7220-D4 (264,840 cells) are whole numbers of 318 B and not of 254 B, which Juniper states for X11"
  }

  physical_buffer {
    value      = "88571904B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:197-210; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:58-63; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm.h:97; sdk-6.5.20: libs/sdklt/bcmlrd/chip/bcm56780_a0/bcm56780_a0_lrd_tm_wred_drop_curve_set_profile_map.c"
    note       = "one part of 278,528 cells"
  }

  packet_buffer {
    value      = "84619800B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:197-210; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:58-63; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm.h:97; sdk-6.5.20: libs/sdklt/bcmlrd/chip/bcm56780_a0/bcm56780_a0_lrd_tm_wred_drop_curve_set_profile_map.c"
    note       = "266,100 cells by sdk-6.5.21; sdk-6.5.20 has 272,244 (86,573,592 B), bcm56780_a0_tm.h of 6.5.21 271,620. Just below it ship 84,219,120 B (Nokia IXR7220-D4); UC Santa Cruz says 82 MB"
  }

  usable_buffer {
    value      = "84219120B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Nokia-IXR7220-D4-36D: buffers_defaults_t0.j2, ingress_lossless_pool"
  }

  slices {
    value      = 1
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:197-210; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:58-63; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm.h:97; sdk-6.5.20: libs/sdklt/bcmlrd/chip/bcm56780_a0/bcm56780_a0_lrd_tm_wred_drop_curve_set_profile_map.c"
  }

  max_packet {
    value      = "9416B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:197-210; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:58-63; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm.h:97; sdk-6.5.20: libs/sdklt/bcmlrd/chip/bcm56780_a0/bcm56780_a0_lrd_tm_wred_drop_curve_set_profile_map.c"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:197-210; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:58-63; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm.h:97; sdk-6.5.20: libs/sdklt/bcmlrd/chip/bcm56780_a0/bcm56780_a0_lrd_tm_wred_drop_curve_set_profile_map.c"
  }

  pool_size {
    value      = "gross"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Nokia-IXR7220-D4-36D: buffers_defaults_t0.j2, ingress and egress pool have the same size although the ingress one has an xoff"
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-td4
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "the eleven steps that EOS offers; SONiC writes them as dynamic_th -7 to 3"
  }

  coarse_step {
    value      = "2544B"
    confidence = "published"
    source     = source.openbcm-cells
    note       = "eight cells"
  }

  ecn_granularity {
    value      = "318B"
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
    value      = "333446850B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:197-210; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:58-63; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm.h:97; sdk-6.5.20: libs/sdklt/bcmlrd/chip/bcm56780_a0/bcm56780_a0_lrd_tm_wred_drop_curve_set_profile_map.c"
    note       = "1,048,575 cells"
  }

  marking_state {
    value      = "queue"
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:197-210; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:58-63; sdk-6.5.21: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm.h:97; sdk-6.5.20: libs/sdklt/bcmlrd/chip/bcm56780_a0/bcm56780_a0_lrd_tm_wred_drop_curve_set_profile_map.c"
    note       = "one instance in the tables"
  }

  pg_reserve {
    value      = "1272B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Nokia-IXR7220-D4-36D: pg_profile_lookup.ini"
    note       = "four cells, as pkts_num_fill_min 4 in the tests"
  }

  queue_reserve {
    value      = "2226B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-S5448f-C48O8: buffers_defaults_t0.j2, egress_lossy_profile"
    note       = "seven cells, by the rule of chips with cells of 254 B: 1518 B and the header are five of these, 1536 B six. Too much does no harm; Nokia ships 0"
  }

  xon_offset {
    value      = "2544B"
    confidence = "measured"
    source     = [source.qos-params-td4, "sonic-buildimage HwSKU Nokia-IXR7220-D4-36D: pg_profile_lookup.ini"]
    note       = "eight cells, at 400G"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU DellEMC-S5448f-C48O8 pg_profile_lookup.ini, relative error at most 2.3 %"
  }

  headroom_fixed {
    value      = "18476B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU DellEMC-S5448f-C48O8 pg_profile_lookup.ini, relative error at most 2.3 %"
    note       = "the table of Nokia-IXR7220-D4-36D gives a half to a third of this: the dangerous side"
  }

  headroom_response {
    value      = "2046ns"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU DellEMC-S5448f-C48O8 pg_profile_lookup.ini, relative error at most 2.3 %"
  }

  headroom_wire_per_cell {
    value      = "84B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU DellEMC-S5448f-C48O8 pg_profile_lookup.ini, relative error at most 2.3 %"
    note       = "84 B is a packet of 64 B with preamble and gap"
  }

  headroom_speed_classes {
    value      = ["25Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU DellEMC-S5448f-C48O8 pg_profile_lookup.ini, relative error at most 2.3 %"
    note       = "the table gives 10G the value of 25G and 40G that of 50G: the rate of the serdes lane"
  }

  sdk_headroom_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:277 TD4_X9_PG_HEADROOM_LINERATE_10G"
  }

  sdk_headroom_line_rate {
    value      = [167, 256, 360, 360, 580, 1061, 1962]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:277 TD4_X9_PG_HEADROOM_LINERATE_10G"
    note       = "for one lossless PG on each port, and no stated length of cable; 40G has the class of 50G"
  }

  sdk_headroom_oversubscribed {
    value      = [248, 337, 441, 441, 774, 1445, 2730]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.20: libs/sdklt/bcmtm/include/bcmtm/chip/bcm56780_a0_tm_thd_internal.h:277 TD4_X9_PG_HEADROOM_LINERATE_10G"
    note       = "the default of every port, also where pipes keep up"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
