chip "trident3" {
  title   = "Broadcom Trident 3 (BCM56870)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td3", "trident-3", "trident3-x7", "td3-x7", "bcm56870"]

  capacity {
    value      = "3.2Tbps"
    confidence = "published"
    source     = source.fwd-trident3
  }

  port_speeds {
    value      = ["1Gbps", "10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "published"
    source     = source.fwd-trident3
  }

  max_ports {
    value      = 128
    confidence = "published"
    source     = source.fwd-trident3
    note       = "32 of 100G or 128 of 25G"
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
    confidence = "measured"
    source     = [source.qos-params-td3, source.juniper-qfx5k]
  }

  packet_buffer {
    value      = "32MiB"
    confidence = "published"
    source     = [source.ucsc-trident3, source.fwd-trident3]
    note       = "32 MB; 131,072 cells of 256 B. X3 (BCM56370) has 8 MB and is another chip"
  }

  usable_buffer {
    value      = "32744448B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU DellEMC-S5248f-P-10G: buffers_defaults_t0.j2, ingress_lossless_pool"
    note       = "the largest ingress pool that ships; the tables of other SKUs give 32,441,856 to 32,732,160 B"
  }

  slices {
    value      = 1
    confidence = "measured"
    source     = source.qos-params-td3
  }

  packet_metadata {
    value      = "64B"
    confidence = "published"
    source     = source.juniper-qfx5k
  }

  pool_size {
    value      = "gross"
    confidence = "measured"
    source     = source.qos-params-td3
    note       = "in the tables of Dell S5212f to S5232f, size and xoff add up to the egress size: net"
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-td3
  }

  admission {
    value      = "with_cell"
    confidence = "inferred"
    source     = source.qos-params-td3
    note       = "the comparison that gives the first pause to the packet"
  }

  pause {
    value      = "when_full"
    confidence = "inferred"
    source     = source.qos-params-td3
    note       = "from the distance between first pause and first drop: the headroom, and one more packet"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "the eleven steps that EOS offers; SONiC writes them as dynamic_th -7 to 3"
  }

  ecn_granularity {
    value      = "256B"
    confidence = "assumed"
    source     = "queue lengths are counted in cells, so thresholds are taken to be held in cells"
    note       = "no public document states the step; a threshold that is a multiple of the cell is exact if the step is one cell or less"
  }

  pg_reserve {
    value      = "4608B"
    confidence = "measured"
    source     = source.qos-params-td3
    note       = "18 cells; other SKUs ship 1248 B (a table of Tomahawk) and 1024 B"
  }

  queue_reserve {
    value      = "1792B"
    confidence = "measured"
    source     = source.qos-params-td3
    note       = "seven cells"
  }

  xon_offset {
    value      = "4608B"
    confidence = "measured"
    source     = source.qos-params-td3
    note       = "other SKUs ship 2048 and 2288 B"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-S5232f-C32 pg_profile_lookup.ini, one response per speed: every row within 0.6 %"
  }

  headroom_fixed {
    value      = "9216B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-S5232f-C32 pg_profile_lookup.ini, one response per speed: every row within 0.6 %"
    note       = "one largest frame; the tables of Arista-7050CX3 give 160,000 B for every speed and length, those of Arista-7050SX3 are Tomahawk's: method xgs:arista"
  }

  headroom_response {
    value      = "3491ns"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-S5232f-C32 pg_profile_lookup.ini, one response per speed: every row within 0.6 %"
    note       = "for speeds beyond the classes"
  }

  headroom_wire_per_cell {
    value      = "85B"
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-S5232f-C32 pg_profile_lookup.ini, one response per speed: every row within 0.6 %"
    note       = "a packet of 64 B with preamble and gap is 84 B"
  }

  headroom_speed_classes {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-S5232f-C32 pg_profile_lookup.ini, one response per speed: every row within 0.6 %"
    note       = "speeds that the table has"
  }

  headroom_responses {
    value      = ["4770ns", "3884ns", "3193ns", "3414ns", "3491ns"]
    confidence = "inferred"
    source     = "fit of sonic-buildimage HwSKU DellEMC-S5232f-C32 pg_profile_lookup.ini, one response per speed: every row within 0.6 %"
    note       = "one constant for all lengths of cable of a speed"
  }
}
