published "hpcc-simulator" {
  title  = "HPCC simulator, DCQCN with the constants of its run.py"
  vendor = "Alibaba"

  scales_from {
    value      = "25Gbps"
    confidence = "published"
    source     = source.hpcc-run
  }

  kmin {
    value      = ["100kB"]
    confidence = "published"
    source     = source.hpcc-run
  }

  kmax {
    value      = ["400kB"]
    confidence = "published"
    source     = source.hpcc-run
  }

  pmax {
    value      = ["20%"]
    confidence = "published"
    source     = source.hpcc-run
  }

  clamp_tgt_rate {
    value      = false
    confidence = "published"
    source     = source.hpcc-run
  }

  rpg_threshold {
    value      = 1
    confidence = "published"
    source     = source.hpcc-run
  }

  rpg_time_reset {
    value      = "300us"
    confidence = "published"
    source     = source.hpcc-run
  }

  rpg_ai_rate {
    value      = "5Mbps"
    confidence = "published"
    source     = source.hpcc-run
  }

  rpg_hai_rate {
    value      = "50Mbps"
    confidence = "published"
    source     = source.hpcc-run
  }

  dce_tcp_g {
    value      = 1020
    confidence = "published"
    source     = source.hpcc-run
    note       = "EWMA_GAIN 1/256"
  }

  dce_tcp_rtt {
    value      = "1us"
    confidence = "published"
    source     = source.hpcc-run
  }

  rate_reduce_monitor_period {
    value      = "4us"
    confidence = "published"
    source     = source.hpcc-run
  }
}
