platform "z9332f" {
  title  = "Dell Z9332F-ON"
  chip   = "tomahawk3"
  names  = ["x86_64-dellemc_z9332f_d1508-r0"]
  hwskus = ["DellEMC-Z9332f-O32"]

  cages "qsfp-dd" {
    lanes      = 8
    first_port = 0

    first_lanes {
      value      = [
        33, 41, 49, 57, 65, 73, 81, 89, 1, 9, 17, 25, 97, 105, 113, 121,
        129, 137, 145, 153, 225, 233, 241, 249, 161, 169, 177, 185, 193, 201, 209, 217,
      ]
      confidence = "published"
      source     = "sonic-buildimage device/dell/x86_64-dellemc_z9332f_d1508-r0/DellEMC-Z9332f-O32/port_config.ini"
    }

    alias {
      value      = "fourhundredGigE1/{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/dell/x86_64-dellemc_z9332f_d1508-r0/DellEMC-Z9332f-O32/port_config.ini"
    }
  }

  cages "sfp" {
    lanes       = 1
    first_port  = 256
    first_index = 33

    first_lanes {
      value      = [257, 258]
      confidence = "published"
      source     = "sonic-buildimage device/dell/x86_64-dellemc_z9332f_d1508-r0/DellEMC-Z9332f-O32/port_config.ini"
    }

    alias {
      value      = "tenGigE1/{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/dell/x86_64-dellemc_z9332f_d1508-r0/DellEMC-Z9332f-O32/port_config.ini"
    }
  }
}
