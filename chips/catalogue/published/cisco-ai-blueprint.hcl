published "cisco-ai-blueprint" {
  title  = "Cisco, Data Center Networking Blueprint for AI/ML Applications"
  vendor = "Cisco"

  for_speeds {
    value      = ["100Gbps"]
    confidence = "published"
    source     = source.cisco-ai-blueprint
    note       = "section Building a Shared 100Gbps Network"
  }

  kmin {
    value      = ["150kB"]
    confidence = "published"
    source     = source.cisco-ai-blueprint
    note       = "NX-OS takes kbytes and does not say whether these are 1,000 or 1,024 B"
  }

  kmax {
    value      = ["3000kB"]
    confidence = "published"
    source     = source.cisco-ai-blueprint
  }

  pmax {
    value      = ["7%"]
    confidence = "published"
    source     = source.cisco-ai-blueprint
  }

  data_priority {
    value      = 3
    confidence = "published"
    source     = source.cisco-ai-blueprint
  }

  data_share {
    value      = "50%"
    confidence = "published"
    source     = source.cisco-ai-blueprint
  }

  cnp_dscp {
    value      = 48
    confidence = "published"
    source     = source.cisco-ai-blueprint
  }

  cnp_priority {
    value      = 7
    confidence = "published"
    source     = source.cisco-ai-blueprint
    note       = "QoS group"
  }
}
