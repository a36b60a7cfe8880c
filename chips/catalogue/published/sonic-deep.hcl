published "sonic-deep" {
  title  = "SONiC, AZURE_LOSSLESS of Arista 7260CX3, 7280, 7800 and Mellanox SN2700-D48C8, SN4600C-C64"
  vendor = "SONiC"

  for_chips {
    value      = ["tomahawk2", "jericho2", "jericho2c+", "qumran3d", "spectrum1", "spectrum3"]
    confidence = "published"
    source     = "sonic-buildimage, qos.json of Arista-7260CX3-C64, 7280DR3A-36, 7280R4, 7800R3-48CQ2-C48, Mellanox-SN2700-D48C8 and SN4600C-C64: WRED_PROFILE AZURE_LOSSLESS"
  }

  kmin {
    value      = ["2000000B"]
    confidence = "published"
    source     = "sonic-buildimage, qos.json of Arista-7260CX3-C64, 7280DR3A-36, 7280R4, 7800R3-48CQ2-C48, Mellanox-SN2700-D48C8 and SN4600C-C64: WRED_PROFILE AZURE_LOSSLESS"
  }

  kmax {
    value      = ["10000000B"]
    confidence = "published"
    source     = "sonic-buildimage, qos.json of Arista-7260CX3-C64, 7280DR3A-36, 7280R4, 7800R3-48CQ2-C48, Mellanox-SN2700-D48C8 and SN4600C-C64: WRED_PROFILE AZURE_LOSSLESS"
  }

  pmax {
    value      = ["5%"]
    confidence = "published"
    source     = "sonic-buildimage, qos.json of Arista-7260CX3-C64, 7280DR3A-36, 7280R4, 7800R3-48CQ2-C48, Mellanox-SN2700-D48C8 and SN4600C-C64: WRED_PROFILE AZURE_LOSSLESS"
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
