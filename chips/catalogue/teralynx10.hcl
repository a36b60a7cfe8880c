chip "teralynx10" {
  title   = "Marvell Teralynx 10"
  vendor  = "Marvell"
  family  = "teralynx"
  aliases = ["tl10"]

  usable_buffer {
    value      = "215646208B"
    confidence = "inferred"
    source     = "sonic-buildimage device/marvell/x86_64-marvell_dbmvtx9180-r0: buffer pools"
  }
}
