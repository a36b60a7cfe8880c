platform "s5232f" {
  title  = "Dell S5232F-ON"
  chip   = "trident3"
  names  = ["x86_64-dellemc_s5232f_c3538-r0"]
  hwskus = ["DellEMC-S5232f-C32", "DellEMC-S5232f-C8D48"]

  cages "qsfp28" {
    lanes      = 4
    first_port = 0

    first_lanes {
      value      = ["1..125/4"]
      confidence = "published"
      source     = "sonic-buildimage device/dell/x86_64-dellemc_s5232f_c3538-r0/DellEMC-S5232f-C32/port_config.ini"
    }

    breakouts {
      value      = ["1x100G[40G]", "2x50G", "1x50G", "4x25G[10G]", "1x25G[10G]"]
      confidence = "published"
      source     = "sonic-buildimage device/dell/x86_64-dellemc_s5232f_c3538-r0/platform.json"
    }

    alias {
      value      = "hundredGigE1/{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/dell/x86_64-dellemc_s5232f_c3538-r0/DellEMC-S5232f-C32/port_config.ini"
      note       = "platform.json labels otherwise, and two cages alike"
    }
  }
}
