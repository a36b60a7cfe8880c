chip "tomahawk3" {
  title   = "Broadcom Tomahawk 3 (BCM56980)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th3", "bcm56980"]

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
    value      = "254B"
    confidence = "measured"
    source     = source.qos-params-th3
  }

  packet_buffer {
    value      = "64MiB"
    confidence = "published"
    source     = "Broadcom, BCM56980 series product brief"
  }

  slices {
    value      = 2
    confidence = "measured"
    source     = source.qos-params-th3
  }

  packet_metadata {
    value      = "40B"
    confidence = "published"
    source     = source.juniper-cells
  }

  pool_size {
    value      = "gross"
    confidence = "measured"
    source     = source.qos-params-th3
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-th3
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "EOS offers these eleven steps on Trident and Tomahawk; SONiC writes them as dynamic_th -7 to 3"
  }

  ecn_granularity {
    value      = "254B"
    confidence = "assumed"
    source     = "thresholds of queues are held in cells"
    note       = "no public document states the step; a threshold that is a multiple of the cell is exact in any case"
  }

  pg_reserve {
    value      = "2540B"
    confidence = "measured"
    source     = source.qos-params-th3
  }

  queue_reserve {
    value      = "1778B"
    confidence = "measured"
    source     = source.qos-params-th3
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of the headroom tables that ship with SONiC: see the constants"
  }

  headroom_fixed {
    value      = "24123B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_z9332f_d1508-r0/DellEMC-Z9332f-O32/pg_profile_lookup.ini: relative error at most 0.4 %"
  }

  headroom_response {
    value      = "2169ns"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_z9332f_d1508-r0/DellEMC-Z9332f-O32/pg_profile_lookup.ini: relative error at most 0.4 %"
  }

  headroom_wire_per_cell {
    value      = "192B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/dell/x86_64-dellemc_z9332f_d1508-r0/DellEMC-Z9332f-O32/pg_profile_lookup.ini: relative error at most 0.4 %"
  }
}
