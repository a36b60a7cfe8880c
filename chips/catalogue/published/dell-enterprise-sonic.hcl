published "dell-enterprise-sonic" {
  title  = "Dell Enterprise SONiC on Z9664F-O64, as AMD documents what it generates for RoCE"
  vendor = "Dell"

  kmin {
    value      = ["2048kB"]
    confidence = "published"
    source     = source.rocm-roce
    note       = "the thresholds of sonic-cli are KB; the page calls them a start that may be adjusted"
  }

  kmax {
    value      = ["12480kB"]
    confidence = "published"
    source     = source.rocm-roce
  }

  pmax {
    value      = ["15%"]
    confidence = "published"
    source     = source.rocm-roce
  }

  data_dscp {
    value      = 26
    confidence = "published"
    source     = source.rocm-roce
    note       = "and 24"
  }

  data_priority {
    value      = 3
    confidence = "published"
    source     = source.rocm-roce
    note       = "and 4"
  }

  data_share {
    value      = "50%"
    confidence = "published"
    source     = source.rocm-roce
  }

  cnp_dscp {
    value      = 48
    confidence = "published"
    source     = source.rocm-roce
  }

  cnp_priority {
    value      = 6
    confidence = "published"
    source     = source.rocm-roce
  }

  watchdog_detection {
    value      = "200ms"
    confidence = "published"
    source     = source.rocm-roce
  }

  watchdog_restoration {
    value      = "400ms"
    confidence = "published"
    source     = source.rocm-roce
  }
}
