chip "qumran3d" {
  title   = "Broadcom Qumran3D (BCM88870)"
  vendor  = "Broadcom"
  family  = "dnx"
  aliases = ["q3d", "qumran-3d"]

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "inferred"
    source     = "sonic-buildimage port_config.ini of the Arista 7280R4 platforms; 10G to 50G by breakout"
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queue-tables
    note       = "virtual output queues per destination port"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "16B"
    confidence = "inferred"
    source     = source.qos-params-q3d
    note       = "the largest power of two with which a packet of 64 B and its packet_metadata take the measured 112 B"
  }

  headroom_cell_size {
    value      = "4096B"
    confidence = "inferred"
    source     = source.qos-params-q3d
    note       = "the unit of the headroom that ships; the external buffer is handed out in it"
  }

  packet_buffer {
    value      = "56441610000B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU NH-5010-F-O32-C32: buffers_defaults_t2.j2, ingress_lossless_pool"
    note       = "at least this much external memory; Arista 7280R4 distributes 25,766,440,000 B and Nokia IXR7250-X4 6,441,610,000 B"
  }

  usable_buffer {
    value      = "6441610000B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Nokia-IXR7250-X4: buffers_defaults_t2.j2, ingress_lossless_pool"
    note       = "the least of the three that ship"
  }

  slices {
    value      = 1
    confidence = "assumed"
    source     = "one pool in every SONiC table of the chip"
  }

  packet_metadata {
    value      = "48B"
    confidence = "measured"
    source     = source.qos-params-q3d
    note       = "internal_hdr_size: 4,594 packets of 64 B fit into a headroom of 514,553 B, which is 112 B each, and 559,408 into 62.7 MB; of 1500 B packets fewer fit than 1,548 B each would give, by less than a tenth"
  }

  pool_size {
    value      = "gross-pool"
    confidence = "assumed"
    source     = "by analogy with Tomahawk 6"
  }

  headroom_pool {
    value      = true
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU NH-5010-F-O32-C32: buffers_defaults_t2.j2, xoff of the ingress pool"
  }

  alphas {
    value      = ["1/256", "1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8", "16", "32", "64", "128"]
    confidence = "published"
    source     = source.eos-dcb-pfc
    note       = "EOS takes 2^-15 to 2^15; SONiC takes dynamic_th -8 to 7 and ships -6 to -1"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7280R4-32QF-32DF-64O pg_profile_lookup.ini, relative error at most 0.01 %"
  }

  headroom_fixed {
    value      = "24912B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7280R4-32QF-32DF-64O pg_profile_lookup.ini, relative error at most 0.01 %"
    note       = "with headroom_min_cable. Vendors differ: Nexthop ships the NH-5010 with 515,133 B for 400G and 30 m, and 62.7 MB for 120 km (sonic-buildimage#27186: by internal testing, no formula), this fit has 1,441,792 B and 79.9 MB. Arista gives all cables up to 2 km the value of 2 km, where the NH-5010 has 1,515,366 B. Beyond, a metre has 665 B at 400G, as for packets of 64 B, and 518 B with the NH-5010, as for packets of 750 B. The larger value is planned; headroom_method = \"table\" takes rows of a box"
  }

  headroom_response {
    value      = "1157ns"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7280R4-32QF-32DF-64O pg_profile_lookup.ini, relative error at most 0.01 %"
  }

  headroom_wire_per_cell {
    value      = "3080B"
    confidence = "inferred"
    source     = "least-error fit of sonic-buildimage HwSKU Arista-7280R4-32QF-32DF-64O pg_profile_lookup.ini, relative error at most 0.01 %"
    note       = "wire bytes that fill 4096 B of buffer; the metadata of each packet makes it fewer"
  }

  headroom_min_cable {
    value      = "2km"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Arista-7280R4-32QF-32DF-64O pg_profile_lookup.ini: rows of 30 m to 2 km have one value per speed"
    note       = "without it the formula would be far below the table on short cables"
  }
}
