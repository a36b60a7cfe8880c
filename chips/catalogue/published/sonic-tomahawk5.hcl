published "sonic-tomahawk5" {
  title  = "SONiC, WRED_LOSSLESS of Arista 7060X6"
  vendor = "SONiC"

  for_chips {
    value      = ["tomahawk5"]
    confidence = "published"
    source     = "sonic-buildimage, qos.json of Arista-7060X6-16PE-384C-O128S2-FANOUT and 7060X6-64PE-O128: WRED_PROFILE WRED_LOSSLESS_Q3, _Q4"
  }

  kmin {
    value      = ["131072B"]
    confidence = "published"
    source     = "sonic-buildimage, qos.json of Arista-7060X6-16PE-384C-O128S2-FANOUT and 7060X6-64PE-O128: WRED_PROFILE WRED_LOSSLESS_Q3, _Q4"
  }

  kmax {
    value      = ["262144B"]
    confidence = "published"
    source     = "sonic-buildimage, qos.json of Arista-7060X6-16PE-384C-O128S2-FANOUT and 7060X6-64PE-O128: WRED_PROFILE WRED_LOSSLESS_Q3, _Q4"
  }

  pmax {
    value      = ["5%"]
    confidence = "published"
    source     = "sonic-buildimage, qos.json of Arista-7060X6-16PE-384C-O128S2-FANOUT and 7060X6-64PE-O128: WRED_PROFILE WRED_LOSSLESS_Q3, _Q4"
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
