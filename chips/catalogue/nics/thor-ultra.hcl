# Its congestion control is programmable; no constant of it is public.
nic "thor-ultra" {
  title   = "Broadcom Thor Ultra"
  vendor  = "Broadcom"
  aliases = ["thorultra"]

  port_speeds {
    value      = ["100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "published"
    source     = "Broadcom, Thor Ultra press release, 2025-10: 800G Ethernet NIC of the Ultra Ethernet Consortium"
  }

  direct_placement {
    value      = true
    confidence = "published"
    source     = "Broadcom, Thor Ultra press release, 2025-10: out-of-order packet delivery"
  }
}
