package cells

// Member is a link of a leaf's trunk.
type Member struct {
	Trunk int32 // a link; or None: it is not between a leaf and a spine
	Rate  int64 // bit/s
	down  bool
}

// Trunk returns the trunk of a link, or None.
func (f *Fabric) Trunk(link int32) int32 { return f.members[link].Trunk }

// SetLink takes a link out of its trunk, or adds it again, and returns the rate of those that are
// up, in bit/s.
func (f *Fabric) SetLink(link int32, up bool) (rate int64) {
	f.members[link].down = !up
	for i := range f.members {
		if m := &f.members[i]; m.Trunk == f.members[link].Trunk && !m.down {
			rate += m.Rate
		}
	}
	return rate
}

// SetRate changes how fast a leaf is sent to: from the next credit on. The rate is in bit/s.
func (f *Fabric) SetRate(leaf int32, rate int64) { f.trunks[leaf].rate = float64(rate) / 8e12 }
