chip "trident3" {
  title   = "Broadcom Trident 3 (BCM56870)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td3", "trident3-x7", "td3-x7", "bcm56870"]

  queues {
    value      = 8
    confidence = "inferred"
    source     = "SONiC BUFFER_QUEUE and QUEUE tables of Broadcom platforms: 0-7 unicast"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "256B"
    confidence = "measured"
    source     = source.qos-params-td3
  }

  packet_buffer {
    value      = "32MiB"
    confidence = "published"
    source     = "Broadcom, BCM56870 series product brief"
  }

  usable_buffer {
    value      = "32744448B"
    confidence = "inferred"
    source     = "sonic-buildimage device/*/buffers_defaults_*.j2 of Trident 3 platforms: largest ingress_lossless_pool"
  }

  slices {
    value      = 1
    confidence = "measured"
    source     = source.qos-params-td3
  }

  pool_size {
    value      = "gross"
    confidence = "measured"
    source     = source.qos-params-td3
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-td3
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "EOS offers these eleven steps on Trident and Tomahawk; SONiC writes them as dynamic_th -7 to 3"
  }

  ecn_granularity {
    value      = "256B"
    confidence = "assumed"
    source     = "thresholds of queues are held in cells"
    note       = "no public document states the step; a threshold that is a multiple of the cell is exact in any case"
  }

  pg_reserve {
    value      = "4608B"
    confidence = "measured"
    source     = source.qos-params-td3
    note       = "other Trident 3 platforms ship 1248 B (6 cells of 208 B, a table of Tomahawk) and 1024 B"
  }

  queue_reserve {
    value      = "1792B"
    confidence = "measured"
    source     = source.qos-params-td3
  }

  xon_offset {
    value      = "4608B"
    confidence = "measured"
    source     = source.qos-params-td3
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of the headroom tables that ship with SONiC: see the constants"
  }

  headroom_fixed {
    value      = "10900B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_s5232f_c3538-r0/DellEMC-S5232f-C32/pg_profile_lookup.ini: relative error at most 6.6 %"
  }

  headroom_response {
    value      = "3150ns"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_s5232f_c3538-r0/DellEMC-S5232f-C32/pg_profile_lookup.ini: relative error at most 6.6 %"
  }

  headroom_wire_per_cell {
    value      = "84B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_s5232f_c3538-r0/DellEMC-S5232f-C32/pg_profile_lookup.ini: relative error at most 6.6 %"
  }
}
