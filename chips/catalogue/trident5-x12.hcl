chip "trident5-x12" {
  title   = "Broadcom Trident 5-X12 (BCM78800)"
  vendor  = "Broadcom"
  family  = "xgs"
  aliases = ["td5", "trident5", "trident-5", "td5-x12", "trident-5-x12", "bcm78800"]

  capacity {
    value      = "16Tbps"
    confidence = "published"
    source     = source.sdxcentral-td5
  }

  port_speeds {
    value      = ["100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "published"
    source     = source.sdxcentral-td5
    note       = "200G, 400G and 800G are named; 100G is one lane of the 160"
  }

  lane_rate {
    value      = "100Gbps"
    confidence = "inferred"
    source     = source.sdxcentral-td5
    note       = "48 ports of 200G in a box of 16 Tb/s, and 8 of 800G, which are eight lanes of 100G each"
  }

  queues {
    value      = 8
    confidence = "inferred"
    source     = source.sonic-queue-tables
    note       = "unicast queues that SONiC configures on chips of this family"
  }

  priority_groups {
    value      = 8
    confidence = "published"
    source     = source.ieee-8021q
  }

  alphas {
    value      = ["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"]
    confidence = "assumed"
    source     = "by analogy with all XGS chips of OpenBCM"
  }
}
