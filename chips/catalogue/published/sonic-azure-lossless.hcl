published "sonic-azure-lossless" {
  title  = "SONiC, AZURE_LOSSLESS of the template that most boxes share"
  vendor = "SONiC"

  kmin {
    value      = ["1048576B"]
    confidence = "published"
    source     = source.sonic-qos-config
  }

  kmax {
    value      = ["2097152B"]
    confidence = "published"
    source     = source.sonic-qos-config
  }

  pmax {
    value      = ["5%"]
    confidence = "published"
    source     = source.sonic-qos-config
  }

  alpha {
    value      = "1"
    confidence = "published"
    source     = "sonic-buildimage, pg_profile_lookup.ini of most boxes on Tomahawk, Trident 3 and Spectrum: dynamic_th 0"
    note       = "others: Trident 2 has -1, Dell S6000 -3, Z9332F -2, Jericho 2C+ -6 and -5, Teralynx 10 1"
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
