chip "tomahawk" {
  title   = "Broadcom Tomahawk (BCM56960)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["th", "th1", "tomahawk1", "bcm56960"]

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
    source     = source.qos-params-th
  }

  packet_buffer {
    value      = "16MiB"
    confidence = "published"
    source     = "Broadcom, BCM56960 series product brief"
  }

  slices {
    value      = 4
    confidence = "measured"
    source     = source.qos-params-th
  }

  pool_size {
    value      = "net"
    confidence = "measured"
    source     = source.qos-params-th
  }

  headroom_pool {
    value      = true
    confidence = "measured"
    source     = source.qos-params-th
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
    source     = source.qos-params-th
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of the headroom tables that ship with SONiC: see the constants"
  }

  headroom_fixed {
    value      = "7600B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/arista/x86_64-arista_7060_cx32s/Arista-7060CX-32S-C32/pg_profile_lookup.ini: relative error at most 11.6 %"
  }

  headroom_response {
    value      = "3600ns"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/arista/x86_64-arista_7060_cx32s/Arista-7060CX-32S-C32/pg_profile_lookup.ini: relative error at most 11.6 %"
  }

  headroom_wire_per_cell {
    value      = "74B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/arista/x86_64-arista_7060_cx32s/Arista-7060CX-32S-C32/pg_profile_lookup.ini: relative error at most 11.6 %"
  }
}
