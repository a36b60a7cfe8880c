platform "z9264f" {
  title  = "Dell Z9264F-ON"
  chip   = "tomahawk2"
  names  = ["x86_64-dellemc_z9264f_c3538-r0"]
  hwskus = ["DellEMC-Z9264f-C64"]

  cages "qsfp28" {
    lanes      = 4
    first_port = 0

    first_lanes {
      value      = [
        49, 53, 65, 69, 81, 85, 97, 101, 1, 5, 17, 21, 33, 37, 113, 117,
        133, 129, 213, 209, 229, 225, 245, 241, 149, 145, 165, 161, 181, 177, 197, 193,
        61, 57, 77, 73, 93, 89, 109, 105, 13, 9, 29, 25, 45, 41, 125, 121,
        137, 141, 217, 221, 233, 237, 249, 253, 153, 157, 169, 173, 185, 189, 201, 205,
      ]
      confidence = "published"
      source     = "sonic-buildimage device/dell/x86_64-dellemc_z9264f_c3538-r0/DellEMC-Z9264f-C64/port_config.ini"
    }

    alias {
      value      = "hundredGigE1/{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/dell/x86_64-dellemc_z9264f_c3538-r0/DellEMC-Z9264f-C64/port_config.ini"
    }
  }

  cages "sfp" {
    lanes       = 1
    first_port  = 256
    first_index = 65

    first_lanes {
      value      = [257, 259]
      confidence = "published"
      source     = "sonic-buildimage device/dell/x86_64-dellemc_z9264f_c3538-r0/DellEMC-Z9264f-C64/port_config.ini"
    }

    alias {
      value      = "tenGigE1/{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/dell/x86_64-dellemc_z9264f_c3538-r0/DellEMC-Z9264f-C64/port_config.ini"
    }
  }
}
