nic "connectx-8" {
  extends = "bluefield-3" # one document describes the congestion control of both
  title   = "NVIDIA ConnectX-8"
  aliases = ["cx8", "cx-8", "connectx-8-supernic"]

  port_speeds {
    value      = ["100Gbps", "200Gbps", "400Gbps", "800Gbps"]
    confidence = "published"
    source     = "NVIDIA, ConnectX-8 SuperNIC data sheet"
  }
}
