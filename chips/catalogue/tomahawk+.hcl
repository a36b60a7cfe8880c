chip "tomahawk+" {
  title   = "Broadcom Tomahawk+ (BCM56965)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th+", "tomahawkplus", "tomahawk-plus", "bcm56965", "bcm56967"]


  capacity {
    value      = "3.2Tbps"
    confidence = "inferred"
    source     = "Broadcom, BCM56965 product brief: 3.2 Tb/s; BCM56967 of Accton AS7312-54X has 2 Tb/s"
  }

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "assumed"
    source     = "by analogy with Tomahawk, whose SDK code it shares"
  }

  lane_rate {
    value      = "25Gbps"
    confidence = "published"
    source     = "Broadcom, product brief: 128 serdes of 25G"
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
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk.h:739-762"
  }

  physical_buffer {
    value      = "24281088B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk.h:739-762"
    note       = "4 parts of 29,184 cells"
  }

  packet_buffer {
    value      = "23068864B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk.h:739-762"
    note       = "4 times 27,727 cells: 22 MiB and 192 B"
  }

  slices {
    value      = 4
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk.h:739-762"
  }

  pipes {
    value      = 4
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/tomahawk.h, src/soc/esw/tomahawk.c: the code of Tomahawk serves both"
  }

  pipe_lanes {
    value      = 32
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/tomahawk.h, src/soc/esw/tomahawk.c: the code of Tomahawk serves both"
  }

  part_ingress_pipes {
    value      = ["0,3", "0,3", "1-2", "1-2"]
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/tomahawk.h, src/soc/esw/tomahawk.c: the code of Tomahawk serves both"
  }

  part_egress_pipes {
    value      = ["0-1", "2-3", "0-1", "2-3"]
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/tomahawk.h, src/soc/esw/tomahawk.c: the code of Tomahawk serves both"
  }

  max_packet {
    value      = "9416B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk.h:739-762"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk.h:739-762"
  }

  pool_size {
    value      = "net"
    confidence = "assumed"
    source     = "by analogy with Tomahawk, whose SDK code it shares"
  }

  headroom_pool {
    value      = true
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: include/soc/tomahawk.h:739-762"
    note       = "four headroom pools"
  }

  admission {
    value      = "before_cell"
    confidence = "assumed"
    source     = "by analogy with Tomahawk, whose SDK code it shares"
  }

  pause {
    value      = "when_full"
    confidence = "assumed"
    source     = "by analogy with Tomahawk, whose SDK code it shares"
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
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/tomahawk.h, src/soc/esw/tomahawk.c: the code of Tomahawk serves both"
  }

  pg_reserve {
    value      = "1248B"
    confidence = "assumed"
    source     = "by analogy with Tomahawk, whose SDK code it shares"
  }

  queue_reserve {
    value      = "1664B"
    confidence = "assumed"
    source     = "by analogy with Tomahawk, whose SDK code it shares"
  }

  xon_offset {
    value      = "2288B"
    confidence = "assumed"
    source     = "by analogy with Tomahawk, whose SDK code it shares"
  }

  global_headroom {
    value      = "9568B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 src/soc/esw/trident3.c:10395-10400, trident2.c:14563-14570, tomahawk2.c:1601"
    note       = "46 cells: one largest packet for each pipe; that it holds the rest of a packet whose own headroom is spent is our reading"
  }

  headroom_method {
    value      = "xgs"
    confidence = "assumed"
    source     = "by analogy with Tomahawk, whose SDK code it shares"
  }

  headroom_fixed {
    value      = "9216B"
    confidence = "assumed"
    source     = "by analogy with Tomahawk, whose SDK code it shares"
  }

  headroom_response {
    value      = "3915ns"
    confidence = "assumed"
    source     = "by analogy with Tomahawk, whose SDK code it shares"
  }

  headroom_wire_per_cell {
    value      = "74B"
    confidence = "assumed"
    source     = "by analogy with Tomahawk, whose SDK code it shares"
  }

  headroom_speed_classes {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "assumed"
    source     = "by analogy with Tomahawk, whose SDK code it shares"
  }

  headroom_responses {
    value      = ["2735ns", "3045ns", "2840ns", "3605ns", "3915ns"]
    confidence = "assumed"
    source     = "by analogy with Tomahawk, whose SDK code it shares"
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
}
