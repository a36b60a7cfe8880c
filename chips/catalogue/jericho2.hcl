chip "jericho2" {
  title   = "Broadcom Jericho2 (BCM88690)"
  vendor  = "Broadcom"
  family  = "dnx"
  aliases = ["jr2", "j2", "bcm88690"]

  queues {
    value      = 8
    confidence = "inferred"
    source     = "SONiC QUEUE table"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "4096B"
    confidence = "inferred"
    source     = source.qos-params-jr2
    note       = "the cell of the SONiC tests: a descriptor of the external buffer rather than a cell of packets"
  }

  packet_buffer {
    value      = "6441610000B"
    confidence = "inferred"
    source     = "sonic-buildimage device/arista platforms with Jericho2: ingress_lossless_pool"
    note       = "HBM; the vendor calls it 8 GB"
  }

  packet_metadata {
    value      = "48B"
    confidence = "measured"
    source     = source.qos-params-jr2
    note       = "a packet of 64 B is accounted as 112 B in the headroom; other sizes have not been measured"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of the headroom tables that ship with SONiC: see the constants"
  }

  headroom_fixed {
    value      = "31686B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/arista/x86_64-arista_7800r3_48cq2_lc/pg_profile_lookup.ini: relative error at most 3.6 %"
  }

  headroom_response {
    value      = "1105ns"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/arista/x86_64-arista_7800r3_48cq2_lc/pg_profile_lookup.ini: relative error at most 3.6 %"
  }

  headroom_wire_per_cell {
    value      = "3081B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/arista/x86_64-arista_7800r3_48cq2_lc/pg_profile_lookup.ini: relative error at most 3.6 %"
  }
}
