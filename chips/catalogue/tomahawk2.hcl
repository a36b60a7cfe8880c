chip "tomahawk2" {
  title   = "Broadcom Tomahawk 2 (BCM56970)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th2", "bcm56970"]

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
    value      = "208B"
    confidence = "measured"
    source     = source.qos-params-th2
  }

  packet_buffer {
    value      = "42MiB"
    confidence = "published"
    source     = "Broadcom, BCM56970 series product brief"
  }

  slices {
    value      = 4
    confidence = "measured"
    source     = source.qos-params-th2
  }

  pool_size {
    value      = "net"
    confidence = "measured"
    source     = source.qos-params-th2
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-th2
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "published"
    source     = source.eos-mmu
    note       = "EOS offers these eleven steps on Trident and Tomahawk; SONiC writes them as dynamic_th -7 to 3"
  }

  ecn_granularity {
    value      = "208B"
    confidence = "assumed"
    source     = "thresholds of queues are held in cells"
    note       = "no public document states the step; a threshold that is a multiple of the cell is exact in any case"
  }

  pg_reserve {
    value      = "1248B"
    confidence = "measured"
    source     = source.qos-params-th2
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of the headroom tables that ship with SONiC: see the constants"
  }

  headroom_fixed {
    value      = "10234B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/arista/x86_64-arista_7260cx3_64/Arista-7260CX3-C64/pg_profile_lookup.ini: relative error at most 0.7 %"
  }

  headroom_response {
    value      = "2527ns"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/arista/x86_64-arista_7260cx3_64/Arista-7260CX3-C64/pg_profile_lookup.ini: relative error at most 0.7 %"
  }

  headroom_wire_per_cell {
    value      = "163B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/arista/x86_64-arista_7260cx3_64/Arista-7260CX3-C64/pg_profile_lookup.ini: relative error at most 0.7 %"
  }
}
