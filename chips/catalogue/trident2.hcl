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

  packet_buffer {
    value      = "12766208B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7050-QX32: buffers_defaults_t0.j2, ingress_lossless_pool: 61,376 cells"
    note       = "at least this much; the DCQCN paper (SIGCOMM 2015, section 4) and vendors say 12 MB, which neither as 12,000,000 nor as 12,582,912 B would hold the pool that ships"
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
    confidence = "assumed"
    source     = "queue lengths are counted in cells, so thresholds are taken to be held in cells"
    note       = "no public document states the step; a threshold that is a multiple of the cell is exact if the step is one cell or less"
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

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7050-QX32 pg_profile_lookup.ini, one response per speed: every row within 1.6 %, but for 10G at 300 m, which does not grow with the cable in the table"
  }

  headroom_fixed {
    value      = "18432B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7050-QX32 pg_profile_lookup.ini, one response per speed: every row within 1.6 %, but for 10G at 300 m, which does not grow with the cable in the table"
    note       = "two largest frames"
  }

  headroom_response {
    value      = "1593ns"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7050-QX32 pg_profile_lookup.ini, one response per speed: every row within 1.6 %, but for 10G at 300 m, which does not grow with the cable in the table"
    note       = "for speeds beyond the classes"
  }

  headroom_wire_per_cell {
    value      = "172B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7050-QX32 pg_profile_lookup.ini, one response per speed: every row within 1.6 %, but for 10G at 300 m, which does not grow with the cable in the table"
    note       = "the table reckons with packets longer than 64 B: 84 B of wire per cell would be the worst case"
  }

  headroom_speed_classes {
    value      = ["1Gbps", "10Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7050-QX32 pg_profile_lookup.ini, one response per speed: every row within 1.6 %, but for 10G at 300 m, which does not grow with the cable in the table"
    note       = "speeds that the table has"
  }

  headroom_responses {
    value      = ["118650ns", "12150ns", "3698ns", "2988ns", "1593ns"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU Arista-7050-QX32 pg_profile_lookup.ini, one response per speed: every row within 1.6 %, but for 10G at 300 m, which does not grow with the cable in the table"
    note       = "one constant for all lengths of cable of a speed; 1G and 10G have the same 195 cells, which no response explains"
  }
}
