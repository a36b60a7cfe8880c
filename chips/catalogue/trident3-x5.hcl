chip "trident3-x5" {
  title   = "Broadcom Trident 3 X5 (BCM56770)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td3-x5", "trident-3-x5", "maverick2", "bcm56770"]


  capacity {
    value      = "2Tbps"
    confidence = "published"
    source     = "Broadcom, BCM56770 product brief: 2 Tb/s"
  }

  port_speeds {
    value      = ["1Gbps", "10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  lane_rate {
    value      = "25Gbps"
    confidence = "published"
    source     = "Broadcom, product brief: serdes of 25G"
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
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/maverick2.h:148-172,190-192; src/soc/esw/maverick2.c:2685-2698"
  }

  physical_buffer {
    value      = "33554432B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/maverick2.h:148-172,190-192; src/soc/esw/maverick2.c:2685-2698"
    note       = "one part of 131,072 cells"
  }

  packet_buffer {
    value      = "33030144B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/maverick2.h:148-172,190-192; src/soc/esw/maverick2.c:2685-2698"
    note       = "129,024 cells"
  }

  slices {
    value      = 1
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/maverick2.h:148-172,190-192; src/soc/esw/maverick2.c:2685-2698"
  }

  max_packet {
    value      = "9416B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/maverick2.h:148-172,190-192; src/soc/esw/maverick2.c:2685-2698"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/maverick2.h:148-172,190-192; src/soc/esw/maverick2.c:2685-2698"
  }

  pool_size {
    value      = "gross"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  headroom_pool {
    value      = true
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/maverick2.h:148-172,190-192; src/soc/esw/maverick2.c:2685-2698"
    note       = "four headroom pools"
  }

  admission {
    value      = "with_cell"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  pause {
    value      = "when_full"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "the eleven steps that EOS offers; SONiC writes them as dynamic_th -7 to 3"
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

  marking_state {
    value      = "queue"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/maverick2.h:148-172,190-192; src/soc/esw/maverick2.c:2685-2698"
    note       = "one part"
  }

  pg_reserve {
    value      = "4608B"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  queue_reserve {
    value      = "1792B"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  xon_offset {
    value      = "4608B"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  headroom_method {
    value      = "xgs"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  headroom_fixed {
    value      = "9216B"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  headroom_response {
    value      = "3491ns"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  headroom_wire_per_cell {
    value      = "85B"
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  headroom_speed_classes {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  headroom_responses {
    value      = ["4770ns", "3884ns", "3193ns", "3414ns", "3491ns"]
    confidence = "assumed"
    source     = "by analogy with Trident 3 X7"
  }

  sdk_headroom_speeds {
    value      = ["10Gbps", "20Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/maverick2.c:2726 _soc_mv2_default_pg_headroom"
  }

  sdk_headroom_line_rate {
    value      = [160, 197, 254, 273, 350, 572]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/maverick2.c:2726 _soc_mv2_default_pg_headroom"
    note       = "for one lossless PG on each port, and no stated length of cable"
  }

  sdk_headroom_oversubscribed {
    value      = [194, 231, 288, 354, 431, 766]
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/maverick2.c:2726 _soc_mv2_default_pg_headroom"
  }
}
