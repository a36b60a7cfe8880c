published "cisco-roce-script" {
  title  = "P. Gupta, roce_enable.py for NX-OS"
  vendor = "Cisco"

  kmin {
    value      = ["950kB"]
    confidence = "published"
    source     = source.cisco-roce-script
    note       = "a later figure than that of the blueprint, which says 150"
  }

  kmax {
    value      = ["3000kB"]
    confidence = "published"
    source     = source.cisco-roce-script
  }

  pmax {
    value      = ["7%"]
    confidence = "published"
    source     = source.cisco-roce-script
  }

  data_priority {
    value      = 3
    confidence = "published"
    source     = source.cisco-roce-script
  }

  data_share {
    value      = "50%"
    confidence = "published"
    source     = source.cisco-roce-script
  }

  cnp_dscp {
    value      = 48
    confidence = "published"
    source     = source.cisco-roce-script
  }

  cnp_priority {
    value      = 7
    confidence = "published"
    source     = source.cisco-roce-script
    note       = "QoS group"
  }
}
