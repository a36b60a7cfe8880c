nic "connectx-7" {
  extends = "connectx-6" # NVIDIA's tables of constants name them together
  title   = "NVIDIA ConnectX-7"
  aliases = ["cx7", "cx-7"]

  port_speeds {
    value      = ["10Gbps", "25Gbps", "40Gbps", "50Gbps", "100Gbps", "200Gbps", "400Gbps"]
    confidence = "published"
    source     = "NVIDIA, ConnectX-7 data sheet"
  }
}
