published "arista-reference" {
  title  = "Arista, reference design of a RoCE fabric, as texts on EOS quote it"
  vendor = "Arista"

  kmin {
    value      = ["256kB"]
    confidence = "inferred"
    source     = source.arista-reference
    note       = "read where it is quoted, not in the design itself"
  }

  kmax {
    value      = ["512kB"]
    confidence = "inferred"
    source     = source.arista-reference
  }

  kmin_above {
    value      = ["512kB"]
    confidence = "inferred"
    source     = source.arista-reference
  }

  kmax_above {
    value      = ["768kB"]
    confidence = "inferred"
    source     = source.arista-reference
  }

  pmax {
    value      = ["100%"]
    confidence = "inferred"
    source     = source.arista-reference
  }

  data_priority {
    value      = 3
    confidence = "inferred"
    source     = source.arista-reference
  }

  data_share {
    value      = "95%"
    confidence = "inferred"
    source     = source.arista-reference
  }
}
