chip "trident2" {
  title   = "Broadcom Trident II (BCM56850)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td2", "bcm56850"]

  capacity {
    value      = "1.28Tbps"
    confidence = "published"
    source     = "Broadcom, BCM56850 series product brief"
  }

  port_speeds {
    value      = ["1Gbps", "10Gbps", "40Gbps"]
    confidence = "published"
    source     = "Broadcom, BCM56850 series product brief"
  }

  max_ports {
    value      = 104
    confidence = "published"
    source     = "Broadcom, BCM56850 series product brief"
  }

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
    source     = source.qos-params-td2
  }

  packet_buffer {
    value      = "12MiB"
    confidence = "published"
    source     = "Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, section 4: 12 MB"
    note       = "12 MB is taken as binary: SONiC distributes 12,766,208 B, which 12,000,000 B would not hold; 12 MiB is 12,582,912 B"
  }

  usable_buffer {
    value      = "12766208B"
    confidence = "inferred"
    source     = "sonic-buildimage device/arista/x86_64-arista_7050_qx32/Arista-7050-QX32/buffers_defaults_t0.j2, ingress_lossless_pool"
  }

  slices {
    value      = 1
    confidence = "measured"
    source     = source.qos-params-td2
    note       = "the first pause fits one undivided pool; a vendor page on UCS C-series describes it as sliced"
  }

  pool_size {
    value      = "gross-own-headroom"
    confidence = "measured"
    source     = source.qos-params-td2
  }

  headroom_pool {
    value      = false
    confidence = "inferred"
    source     = source.qos-params-td2
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
    source     = source.qos-params-td2
  }

  xon_offset {
    value      = "2496B"
    confidence = "inferred"
    source     = "sonic-buildimage device/arista/x86_64-arista_7050_qx32/Arista-7050-QX32/pg_profile_lookup.ini"
  }

  headroom_method {
    value      = "xgs"
    confidence = "inferred"
    source     = "fit of the headroom tables that ship with SONiC: see the constants"
  }

  headroom_fixed {
    value      = "36262B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/arista/x86_64-arista_7050_qx32/Arista-7050-QX32/pg_profile_lookup.ini: relative error 0.5 %"
  }

  headroom_response {
    value      = "195ns"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/arista/x86_64-arista_7050_qx32/Arista-7050-QX32/pg_profile_lookup.ini: relative error 0.5 %"
  }

  headroom_wire_per_cell {
    value      = "173B"
    confidence = "inferred"
    source     = "least-maximum-error fit of sonic-buildimage device/arista/x86_64-arista_7050_qx32/Arista-7050-QX32/pg_profile_lookup.ini: relative error 0.5 %"
  }
}
