chip "spectrum6" {
  title   = "NVIDIA Spectrum-6"
  vendor  = "NVIDIA"
  family  = "spectrum"
  aliases = ["spectrum-6", "spc6"]

  port_speeds {
    value      = ["10Gbps", "25Gbps", "100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU Mellanox-SN6600_LD-P64O128C2: port_config.ini"
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queues
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  cell_size {
    value      = "256B"
    confidence = "measured"
    source     = [source.qos-generator-mellanox, source.mellanox-asic-table]
  }

  packet_buffer {
    value      = "226492416B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU ACS-SN6600_LD: buffers_defaults_t0.j2, egress_lossless_pool"
    note       = "at least this much; the size of the part is not published"
  }

  usable_buffer {
    value      = "226492416B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU ACS-SN6600_LD: buffers_defaults_t0.j2, egress_lossless_pool"
    note       = "the size that the pool calculator falls back to where the driver tells none"
  }

  slices {
    value      = 1
    confidence = "published"
    source     = "NVIDIA Onyx User Manual 3.10, Shared Buffers: the packet buffer is fully shared between all ports"
  }

  packet_metadata {
    value      = "32B"
    confidence = "inferred"
    source     = source.qos-generator-mellanox
    note       = "descriptor_size: the tests add it to each packet before they count cells; no other Spectrum has it"
  }

  pool_size {
    value      = "net"
    confidence = "published"
    source     = source.buffer-pool-lua
    note       = "reserves, private headroom and the shared headroom pool are taken out before"
  }

  headroom_pool {
    value      = true
    confidence = "published"
    source     = source.buffer-pool-lua
    note       = "with over_subscribe_ratio or a configured xoff; otherwise every PG owns its headroom"
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8", "16", "32", "64"]
    confidence = "published"
    source     = source.mellanox-sai
    note       = "dynamic_th 7 and above is not a limit at all, -8 and below is zero"
  }

  ecn_granularity {
    value      = "256B"
    confidence = "assumed"
    source     = "NVIDIA Cumulus Linux 5.14, RoCE: thresholds come out rounded to cells"
  }

  pg_reserve {
    value      = "42KiB"
    confidence = "published"
    source     = source.mellanox-asic-table
    note       = "xon of a lossless PG: the pipeline latency, twice it less 1 KiB or twice it on ports of 8 lanes"
  }

  headroom_method {
    value      = "spectrum"
    confidence = "published"
    source     = source.headroom-lua
  }

  pipeline_latency {
    value      = "42KiB"
    confidence = "published"
    source     = source.mellanox-asic-table
  }

  xoff_extra {
    value      = "18KiB"
    confidence = "published"
    source     = source.headroom-lua
  }

  port_reserved {
    value      = "256KiB"
    confidence = "published"
    source     = source.buffer-pool-lua
    note       = "mgmt_pool_size, once per chip. Disputed: by sonic-buildimage#29478 what service ports reserve is not to be subtracted, and pools of SN6600_LD are 216,924,160 B and 212,271,104 B"
  }

  descriptor_pool {
    value      = "32MiB"
    confidence = "published"
    source     = source.buffer-pool-lua
    note       = "modification_descriptors_pool_size"
  }

  private_headroom {
    value      = "10KiB"
    confidence = "published"
    source     = source.buffer-pool-lua
  }

  latency {
    value      = "300ns"
    confidence = "assumed"
    source     = "by analogy with Spectrum-2"
  }
}
