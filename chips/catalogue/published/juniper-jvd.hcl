published "juniper-jvd" {
  title  = "Juniper, validated design of an AI cluster on QFX5240"
  vendor = "Juniper"

  for_chips {
    value      = ["tomahawk5"]
    confidence = "published"
    source     = source.juniper-jvd-rocev2
  }

  kmin_fill {
    value      = ["55%"]
    confidence = "published"
    source     = source.juniper-jvd-rocev2
    note       = "of what a queue may hold; Juniper does not say how much that is, roceplan takes what its dynamic threshold leaves it alone"
  }

  kmax_fill {
    value      = ["90%"]
    confidence = "published"
    source     = source.juniper-jvd-rocev2
  }

  pmax {
    value      = ["100%"]
    confidence = "published"
    source     = source.juniper-jvd-rocev2
  }

  alpha {
    value      = "8"
    confidence = "inferred"
    source     = source.juniper-jvd-rocev2
    note       = "dynamic-threshold 10; that 7 is an alpha of 1 is how Broadcom counts"
  }

  data_dscp {
    value      = 26
    confidence = "published"
    source     = source.juniper-jvd-rocev2
  }

  data_priority {
    value      = 3
    confidence = "published"
    source     = source.juniper-jvd-rocev2
  }

  cnp_dscp {
    value      = 48
    confidence = "published"
    source     = source.juniper-jvd-rocev2
  }
}
