published "sonic-tomahawk" {
  title  = "SONiC, AZURE_LOSSLESS of Arista 7060CX-32S and 7050SX3"
  vendor = "SONiC"

  for_chips {
    value      = ["tomahawk", "trident3"]
    confidence = "published"
    source     = "sonic-buildimage, qos.json of Arista-7060CX-32S-C32-T1 and Arista-7050SX3-48C8: WRED_PROFILE AZURE_LOSSLESS"
  }

  kmin {
    value      = ["250000B"]
    confidence = "published"
    source     = "sonic-buildimage, qos.json of Arista-7060CX-32S-C32-T1 and Arista-7050SX3-48C8: WRED_PROFILE AZURE_LOSSLESS"
  }

  kmax {
    value      = ["2097152B"]
    confidence = "published"
    source     = "sonic-buildimage, qos.json of Arista-7060CX-32S-C32-T1 and Arista-7050SX3-48C8: WRED_PROFILE AZURE_LOSSLESS"
  }

  pmax {
    value      = ["5%"]
    confidence = "published"
    source     = "sonic-buildimage, qos.json of Arista-7060CX-32S-C32-T1 and Arista-7050SX3-48C8: WRED_PROFILE AZURE_LOSSLESS"
  }

  data_dscp {
    value      = 3
    confidence = "published"
    source     = source.sonic-qos-config
    note       = "and 4: the map AZURE"
  }

  data_priority {
    value      = 3
    confidence = "published"
    source     = source.sonic-qos-config
    note       = "and 4"
  }

  watchdog_detection {
    value      = "200ms"
    confidence = "published"
    source     = source.sonic-pfcwd
    note       = "start_default: for up to 32 ports"
  }

  watchdog_restoration {
    value      = "200ms"
    confidence = "published"
    source     = source.sonic-pfcwd
  }

  watchdog_interval {
    value      = "200ms"
    confidence = "published"
    source     = source.sonic-pfcwd
  }
}
