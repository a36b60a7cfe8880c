platform "7060x6-64pe" {
  title  = "Arista 7060X6-64PE"
  chip   = "tomahawk5"
  names  = ["x86_64-arista_7060x6_64pe"]
  hwskus = ["Arista-7060X6-64PE", "Arista-7060X6-64PE-O128", "Arista-7060X6-64PE-O128S2", "Arista-7060X6-64PE-P32O64", "Arista-7060X6-64PE-C224O8", "Arista-7060X6-64PE-C256S2"]

  cages "osfp" {
    lanes      = 8
    first_port = 0

    first_lanes {
      value      = [
        17, 1, 9, 25, 57, 41, 33, 49, 89, 73, 65, 81, 121, 105, 97, 113,
        153, 137, 129, 145, 185, 169, 161, 177, 217, 201, 193, 209, 249, 233, 225, 241,
        273, 257, 265, 281, 313, 297, 289, 305, 345, 329, 321, 337, 377, 361, 353, 369,
        409, 393, 385, 401, 441, 425, 417, 433, 473, 457, 449, 465, 505, 489, 481, 497,
      ]
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7060x6_64pe/platform.json"
      note       = "port_config.ini of HwSKU Arista-7060X6-64PE-O128S2 agrees except for Ethernet468 and Ethernet496, where it names lanes twice"
    }

    breakouts {
      value      = ["1x800G[400G]", "1x400G", "2x400G", "4x200G", "8x100G"]
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7060x6_64pe/platform.json"
    }

    alias {
      value      = "etp{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7060x6_64pe/platform.json"
      note       = "port_config.ini of HwSKU Arista-7060X6-64PE-O128S2 has Ethernet1/1"
    }

    part_alias {
      value      = "etp{cage}{letter}"
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7060x6_64pe/platform.json"
    }
  }

  cages "sfp" {
    lanes       = 1
    first_port  = 512
    first_index = 65

    first_lanes {
      value      = [513, 515]
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7060x6_64pe/Arista-7060X6-64PE-O128S2/port_config.ini"
    }

    alias {
      value      = "Ethernet{cage}"
      confidence = "published"
      source     = "sonic-buildimage device/arista/x86_64-arista_7060x6_64pe/Arista-7060X6-64PE-O128S2/port_config.ini"
    }
  }
}
