chip "trident2" {
  title   = "Broadcom Trident II (BCM56850)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td2", "trident-2", "bcm56850"]

  capacity {
    value      = "1.28Tbps"
    confidence = "published"
    source     = source.fwd-trident2
  }

  port_speeds {
    value      = ["1Gbps", "10Gbps", "40Gbps"]
    confidence = "published"
    source     = source.fwd-trident2
  }

  lane_rate {
    value      = "10Gbps"
    confidence = "published"
    source     = "Broadcom, product brief: 128 serdes of 10G"
  }

  max_ports {
    value      = 104
    confidence = "published"
    source     = source.fwd-trident2
    note       = "logical ports: 8 of 40G and 96 of 10G, as in the Dell S6000; 32 of 40G"
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
    source     = [source.qos-params-td2, source.juniper-qfx5k]
  }

  physical_buffer {
    value      = "13631488B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/mmu_config.c:31-35 soc_mmu_pkt_buf_size_arr[12MB]; include/soc/td2_td2p.h:102-109; src/soc/esw/trident2.c:20214 soc_td2_mmu_params_arr_get, :13888 mmu_total_cell, :14221-14225 PG, :14442 CFAP; src/bcm/esw/trident2/cosq.c:46 TD2_CELL_FIELD_MAX, :17453"
    note       = "one part of 65,536 cells"
  }

  packet_buffer {
    value      = "12766208B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7050-QX32: buffers_defaults_t0.j2, ingress_lossless_pool: 61,376 cells"
    note       = "at least this much; the DCQCN paper (SIGCOMM 2015, section 4) and vendors say 12 MB, which neither as 12,000,000 nor as 12,582,912 B would hold the pool that ships. It is the full set-point of the free cells of the twin BCM56560 (OpenBCM apache.c:209); the SDK itself divides 60,495 cells, 12,582,960 B"
  }

  usable_buffer {
    value      = "12766208B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7050-QX32: buffers_defaults_t0.j2, ingress_lossless_pool"
  }

  slices {
    value      = 1
    confidence = "measured"
    source     = source.qos-params-td2
    note       = "the first pause fits one undivided pool; forwardingplane.net describes the buffer as per-pipeline slices"
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
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/mmu_config.c:31-35 soc_mmu_pkt_buf_size_arr[12MB]; include/soc/td2_td2p.h:102-109; src/soc/esw/trident2.c:20214 soc_td2_mmu_params_arr_get, :13888 mmu_total_cell, :14221-14225 PG, :14442 CFAP; src/bcm/esw/trident2/cosq.c:46 TD2_CELL_FIELD_MAX, :17453"
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = source.juniper-qfx5k
  }

  pool_size {
    value      = "gross-own-headroom"
    confidence = "measured"
    source     = source.qos-params-td2
    note       = "fits with two lossless PGs on each of 32 ports owning xoff and reserve"
  }

  headroom_pool {
    value      = false
    confidence = "inferred"
    source     = source.qos-params-td2
    note       = "no shipped pool of the chip has an xoff"
  }

  admission {
    value      = "with_cell"
    confidence = "inferred"
    source     = source.qos-params-td2
    note       = "the comparison that gives the first pause to the packet"
  }

  pause {
    value      = "when_full"
    confidence = "inferred"
    source     = source.qos-params-td2
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
    note       = "the code is Tomahawk's, which says of itself that it is as Trident II's; with gain 0, which SONiC always writes, the average is the length at the last reading"
  }

  marking_max {
    value      = "27262768B"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/mmu_config.c:31-35 soc_mmu_pkt_buf_size_arr[12MB]; include/soc/td2_td2p.h:102-109; src/soc/esw/trident2.c:20214 soc_td2_mmu_params_arr_get, :13888 mmu_total_cell, :14221-14225 PG, :14442 CFAP; src/bcm/esw/trident2/cosq.c:46 TD2_CELL_FIELD_MAX, :17453"
    note       = "131,071 cells"
  }

  marking_state {
    value      = "queue"
    confidence = "published"
    source     = "OpenBCM 6d2330ce1, sdk-6.5.27: src/soc/esw/mmu_config.c:31-35 soc_mmu_pkt_buf_size_arr[12MB]; include/soc/td2_td2p.h:102-109; src/soc/esw/trident2.c:20214 soc_td2_mmu_params_arr_get, :13888 mmu_total_cell, :14221-14225 PG, :14442 CFAP; src/bcm/esw/trident2/cosq.c:46 TD2_CELL_FIELD_MAX, :17453"
    note       = "one per queue: tables by egress pipe (X, Y)"
  }

  pg_reserve {
    value      = "1248B"
    confidence = "measured"
    source     = source.qos-params-td2
    note       = "six cells"
  }

  queue_reserve {
    value      = "1664B"
    confidence = "measured"
    source     = source.qos-params-td2
    note       = "pkts_num_fill_min of the lossy tests: eight cells, which hold the 1518 B of egress_lossy_profile"
  }

  xon_offset {
    value      = "2496B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7050-QX32: pg_profile_lookup.ini"
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
    source     = "fit of sonic-buildimage HwSKU Arista-7050-QX32 pg_profile_lookup.ini, one response per speed: every row within 1.6 %, except for 10G at 300 m, which does not grow with the cable in the table"
  }

  headroom_fixed {
    value      = "18432B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7050-QX32 pg_profile_lookup.ini, one response per speed: every row within 1.6 %, except for 10G at 300 m, which does not grow with the cable in the table"
    note       = "two largest frames"
  }

  headroom_response {
    value      = "1593ns"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7050-QX32 pg_profile_lookup.ini, one response per speed: every row within 1.6 %, except for 10G at 300 m, which does not grow with the cable in the table"
    note       = "for speeds beyond the classes"
  }

  headroom_wire_per_cell {
    value      = "172B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7050-QX32 pg_profile_lookup.ini, one response per speed: every row within 1.6 %, except for 10G at 300 m, which does not grow with the cable in the table"
    note       = "the table assumes packets longer than 64 B: 84 B of wire per cell would be the worst case"
  }

  headroom_speed_classes {
    value      = ["1Gbps", "10Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7050-QX32 pg_profile_lookup.ini, one response per speed: every row within 1.6 %, except for 10G at 300 m, which does not grow with the cable in the table"
    note       = "speeds that the table has"
  }

  headroom_responses {
    value      = ["118650ns", "12150ns", "3698ns", "2988ns", "1593ns"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7050-QX32 pg_profile_lookup.ini, one response per speed: every row within 1.6 %, except for 10G at 300 m, which does not grow with the cable in the table"
    note       = "one constant for all lengths of cable of a speed; 1G and 10G have the same 195 cells, which no response explains"
  }

  latency {
    value      = "600ns"
    confidence = "published"
    source     = source.arista-7050x
    note       = "550 ns to 650 ns in the 7050SX, cut-through"
  }
}
