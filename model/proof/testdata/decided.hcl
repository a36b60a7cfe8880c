chip "CHIP" {
  extends = "CHIP"
  xoff_decided {
    value      = "DECIDED"
    confidence = "assumed"
    source     = "a test"
  }
}
