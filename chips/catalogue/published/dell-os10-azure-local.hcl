published "dell-os10-azure-local" {
  title  = "Microsoft, Azure Local on Dell S5248F with OS10"
  vendor = "Dell"

  for_speeds {
    value      = ["25Gbps"]
    confidence = "inferred"
    source     = source.azure-local-os10
    note       = "the S5248F has ports of 25G for servers"
  }

  kmin {
    value      = ["150kB"]
    confidence = "published"
    source     = source.azure-local-os10
    note       = "OS10 takes KB; the curve is that of NVIDIA"
  }

  kmax {
    value      = ["1500kB"]
    confidence = "published"
    source     = source.azure-local-os10
  }

  pmax {
    value      = ["100%"]
    confidence = "published"
    source     = source.azure-local-os10
  }

  data_priority {
    value      = 3
    confidence = "published"
    source     = source.azure-local-os10
  }
}
