chip "teralynx7" {
  title   = "Marvell Teralynx 7 (Innovium IVM77700)"
  vendor  = "Marvell"
  family  = "teralynx"
  aliases = ["tl7", "innovium"]

  packet_buffer {
    value      = "70MiB"
    confidence = "published"
    source     = "Innovium, Teralynx 7 product brief"
  }
}
