chip "jericho3-ai" {
  title   = "Broadcom Jericho3-AI (BCM88890)"
  vendor  = "Broadcom"
  family  = "dnx"
  aliases = ["j3ai", "jericho-3-ai", "bcm88890"]

  capacity {
    value      = "14400Gbps"
    confidence = "published"
    source     = source.broadcom-j3ai
    note       = "144 serdes of 100G"
  }

  port_speeds {
    value      = ["100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "published"
    source     = [source.techinsights-j3ai, source.broadcom-j3ai]
    note       = "800G is published by both; the slower ones are one, two and four lanes"
  }

  lane_rate {
    value      = "100Gbps"
    confidence = "published"
    source     = source.techinsights-j3ai
    note       = "106 Gb/s raw"
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queue-tables
    note       = "virtual output queues per destination port"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }
}
