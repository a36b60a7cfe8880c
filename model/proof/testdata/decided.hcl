chip "CHIP" {
  extends = "CHIP"
  xoff_decided {
    value      = "DECIDED"
    confidence = "published"
    source     = "a test"
  }
}
