published "hpcc-paper" {
  title  = "HPCC paper, DCQCN beside it"
  vendor = "Alibaba"

  scales_from {
    value      = "25Gbps"
    confidence = "published"
    source     = ["Li et al., HPCC, SIGCOMM 2019, section 5.1: DCQCN, beside which HPCC is measured", source.hpcc-run]
  }

  kmin {
    value      = ["100kB"]
    confidence = "published"
    source     = ["Li et al., HPCC, SIGCOMM 2019, section 5.1: DCQCN, beside which HPCC is measured", source.hpcc-run]
  }

  kmax {
    value      = ["400kB"]
    confidence = "published"
    source     = ["Li et al., HPCC, SIGCOMM 2019, section 5.1: DCQCN, beside which HPCC is measured", source.hpcc-run]
  }

  pmax {
    value      = ["20%"]
    confidence = "published"
    source     = ["Li et al., HPCC, SIGCOMM 2019, section 5.1: DCQCN, beside which HPCC is measured", source.hpcc-run]
  }
}
