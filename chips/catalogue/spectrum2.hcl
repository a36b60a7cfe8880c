chip "spectrum2" {
  title   = "NVIDIA Spectrum-2"
  vendor  = "NVIDIA"
  family  = "spectrum"
  aliases = ["spectrum-2", "spc2"]

  capacity {
    value      = "6.4Tbps"
    confidence = "published"
    source     = "L. Wirbel, Spectrum-2 Debuts 200GbE, Linley Newsletter 2017-07-31: 16 ports of 400G or 32 of 200G, 128 serdes"
  }

  port_speeds {
    value      = ["1Gbps", "10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "published"
    source     = "L. Wirbel, Spectrum-2 Debuts 200GbE, Linley Newsletter 2017-07-31: 16 ports of 400G or 32 of 200G, 128 serdes"
  }

  lane_rate {
    value      = "50Gbps"
    confidence = "published"
    source     = "NVIDIA, Spectrum-2 product brief: 128 serdes of 50G"
  }

  max_ports {
    value      = 128
    confidence = "published"
    source     = "L. Wirbel, Spectrum-2 Debuts 200GbE, Linley Newsletter 2017-07-31: 16 ports of 400G or 32 of 200G, 128 serdes"
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
    value      = "144B"
    confidence = "measured"
    source     = [source.qos-generator-mellanox, source.mellanox-asic-table]
  }

  packet_buffer {
    value      = "42MiB"
    confidence = "published"
    source     = source.asics-2020
    note       = "whether MB is binary is not said"
  }

  usable_buffer {
    value      = "34287552B"
    confidence = "inferred"
    source     = "sonic-buildimage HwSKU ACS-MSN3700: buffers_defaults_t0.j2, egress_lossless_pool"
    note       = "the size that the pool calculator falls back to where the driver tells none"
  }

  slices {
    value      = 1
    confidence = "published"
    source     = "NVIDIA Onyx User Manual 3.10, Shared Buffers: the packet buffer is fully shared between all ports"
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
    value      = "144B"
    confidence = "assumed"
    source     = "NVIDIA Cumulus Linux 5.14, RoCE: thresholds come out rounded to cells"
  }

  pg_reserve {
    value      = "19KiB"
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
    value      = "19KiB"
    confidence = "published"
    source     = source.mellanox-asic-table
  }

  port_reserved {
    value      = "256KiB"
    confidence = "published"
    source     = source.buffer-pool-lua
    note       = "mgmt_pool_size, once per chip"
  }

  mirror_headroom {
    value      = "10KiB"
    confidence = "published"
    source     = source.buffer-pool-lua
    note       = "egress_mirror_headroom; none on Spectrum-6"
  }

  private_headroom {
    value      = "10KiB"
    confidence = "published"
    source     = source.buffer-pool-lua
  }

  latency {
    value      = "300ns"
    confidence = "published"
    source     = source.linley-spectrum2
  }
}
