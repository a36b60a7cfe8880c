chip "tofino" {
  title   = "Intel Tofino (Barefoot BFN-T10)"
  vendor  = "Intel"
  family  = "tofino"
  aliases = ["tofino1", "tofino-1", "tf1", "bfn-t10"]

  capacity {
    value      = "6.5Tbps"
    confidence = "published"
    source     = source.barefoot-sigcomm18
  }

  port_speeds {
    value      = ["1Gbps", "10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps"]
    confidence = "published"
    source     = source.barefoot-sigcomm18
  }

  lane_rate {
    value      = "25Gbps"
    confidence = "published"
    source     = source.barefoot-sigcomm18
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queue-tables
    note       = "as SONiC configures them; the chip has 32 per port"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "80B"
    confidence = "measured"
    source     = source.qos-generator-barefoot
  }

  packet_buffer {
    value      = "22MiB"
    confidence = "assumed"
    source     = "quoted in papers on the chip as 22 MB; no vendor document was read"
  }

  usable_buffer {
    value      = "16777152B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU montara: buffers_defaults_t0.j2, egress_lossless_pool"
  }

  slices {
    value      = 1
    confidence = "published"
    source     = source.barefoot-sigcomm18
    note       = "one shared packet buffer between four pipelines"
  }

  headroom_pool {
    value      = true
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU montara: buffers_defaults_t0.j2, xoff of the ingress pool"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "assumed"
    source     = "the range that SONiC tables of other chips use"
  }

  pg_reserve {
    value      = "4096B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU montara: buffers_defaults_t0.j2, ingress_lossless_profile"
  }

  queue_reserve {
    value      = "4096B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU montara: buffers_defaults_t0.j2, q_lossy_profile"
  }

  headroom_method {
    value      = "ieee8021q"
    confidence = "assumed"
    source     = "the calculator of SONiC is written for Tofino 2"
    note       = "pg_profile_lookup.ini of the chip is the table of Spectrum"
  }

  latency {
    value      = "600ns"
    confidence = "assumed"
    source     = "by analogy with Trident II"
  }
}
