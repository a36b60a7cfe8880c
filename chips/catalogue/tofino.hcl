chip "tofino" {
  title   = "Intel Tofino (Barefoot BFN-T10)"
  vendor  = "Intel"
  family  = "tofino"
  aliases = ["tofino1", "bfn-t10"]

  cell_size {
    value      = "80B"
    confidence = "assumed"
    source     = "public P4 course notes"
  }

  packet_buffer {
    value      = "22MiB"
    confidence = "assumed"
    source     = "vendor talks"
  }
}
