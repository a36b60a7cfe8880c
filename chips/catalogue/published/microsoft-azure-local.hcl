published "microsoft-azure-local" {
  title  = "Microsoft, Azure Local on Cisco Nexus 93180YC-FX"
  vendor = "Microsoft"

  for_speeds {
    value      = ["25Gbps"]
    confidence = "published"
    source     = source.azure-local-nxos
    note       = "Interface Speed: 25G"
  }

  kmin {
    value      = ["300kB"]
    confidence = "published"
    source     = source.azure-local-nxos
    note       = "both thresholds are 300 kbytes: a step"
  }

  kmax {
    value      = ["300kB"]
    confidence = "published"
    source     = source.azure-local-nxos
  }

  pmax {
    value      = ["100%"]
    confidence = "published"
    source     = source.azure-local-nxos
  }

  data_priority {
    value      = 3
    confidence = "published"
    source     = source.azure-local-nxos
  }

  data_share {
    value      = "50%"
    confidence = "published"
    source     = source.azure-local-nxos
  }
}
