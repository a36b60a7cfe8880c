chip "trident2plus" {
  title   = "Broadcom Trident II+ (BCM56860)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td2+", "td2plus", "trident2+", "trident-2+", "bcm56860"]

  capacity {
    value      = "1.28Tbps"
    confidence = "published"
    source     = source.fwd-trident2
  }

  port_speeds {
    value      = ["1Gbps", "10Gbps", "40Gbps", "100Gbps"]
    confidence = "published"
    source     = source.fwd-trident2
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
    source     = source.juniper-qfx5k
    note       = "QFX5110"
  }

  physical_buffer {
    value      = "17891328B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/mmu_config.c:37-41; src/soc/esw/trident2p.c:746-767 soc_td2p_mmu_params_arr_get; include/soc/td2_td2p.h:124-125"
    note       = "one part of 86,016 cells"
  }

  packet_buffer {
    value      = "16777280B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/mmu_config.c:37-41; src/soc/esw/trident2p.c:746-767 soc_td2p_mmu_params_arr_get; include/soc/td2_td2p.h:124-125"
    note       = "80,660 cells; 16 MB by ipSpace.net 2019-06 is binary, then"
  }

  slices {
    value      = 1
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/mmu_config.c:37-41; src/soc/esw/trident2p.c:746-767 soc_td2p_mmu_params_arr_get; include/soc/td2_td2p.h:124-125"
  }

  pipes {
    value      = 2
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/td2_td2p.h: two pipes X and Y"
  }

  pipe_lanes {
    value      = 64
    confidence = "inferred"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 include/soc/td2_td2p.h: two pipes X and Y"
    note       = "physical ports are taken to be the lanes that SONiC numbers from 1"
  }

  max_packet {
    value      = "9416B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/mmu_config.c:37-41; src/soc/esw/trident2p.c:746-767 soc_td2p_mmu_params_arr_get; include/soc/td2_td2p.h:124-125"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = source.juniper-qfx5k
  }

  pool_size {
    value      = "gross-own-headroom"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }

  headroom_pool {
    value      = false
    confidence = "assumed"
    source     = "by analogy with Trident II"
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
    note       = "the code is Tomahawk's, which says of itself that it is as Trident II's; with gain 0, which SONiC always writes, the average is the length at the last reading"
  }

  marking_max {
    value      = "27262768B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/mmu_config.c:37-41; src/soc/esw/trident2p.c:746-767 soc_td2p_mmu_params_arr_get; include/soc/td2_td2p.h:124-125"
    note       = "131,071 cells"
  }

  marking_state {
    value      = "queue"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/mmu_config.c:37-41; src/soc/esw/trident2p.c:746-767 soc_td2p_mmu_params_arr_get; include/soc/td2_td2p.h:124-125"
    note       = "one per queue: tables by egress pipe (X, Y)"
  }

  global_headroom {
    value      = "10400B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27 src/soc/esw/trident3.c:10395-10400, trident2.c:14563-14570, tomahawk2.c:1601"
    note       = "50 cells: one largest packet for each pipe; that it holds the rest of a packet whose own headroom is spent is our reading"
  }

  headroom_method {
    value      = "ieee8021q"
    confidence = "assumed"
    source     = "no headroom table of the chip is public"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
