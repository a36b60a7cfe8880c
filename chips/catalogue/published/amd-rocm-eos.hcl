published "amd-rocm-eos" {
  title  = "AMD, ROCm cluster networking: DCQCN on an Arista 7388"
  vendor = "AMD"

  for_speeds {
    value      = ["200Gbps"]
    confidence = "published"
    source     = source.rocm-roce
    note       = "ports of the example"
  }

  kmin_cells {
    value      = [2000]
    confidence = "inferred"
    source     = source.rocm-roce
    note       = "the line says segments; that a segment is a cell of the chip is inferred"
  }

  kmax_cells {
    value      = [10000]
    confidence = "inferred"
    source     = source.rocm-roce
  }

  pmax {
    value      = ["20%"]
    confidence = "published"
    source     = source.rocm-roce
  }

  data_dscp {
    value      = 26
    confidence = "published"
    source     = source.rocm-roce
  }

  data_priority {
    value      = 3
    confidence = "published"
    source     = source.rocm-roce
  }

  cnp_dscp {
    value      = 48
    confidence = "published"
    source     = source.rocm-roce
  }

  cnp_priority {
    value      = 7
    confidence = "published"
    source     = source.rocm-roce
    note       = "traffic class"
  }
}
