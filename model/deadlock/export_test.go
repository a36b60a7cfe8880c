package deadlock

// Check examines the fabric when routing has converged with the given links failed.
func Check(t *Topology, failed ...int) (Verdict, error) {
	g, err := newGraph(t)
	if err != nil {
		return Verdict{}, err
	}
	return g.check(failed), nil
}

// Converging examines the fabric while routing converges after a link failed: some
// devices forward as before the failure and some as after it, in any mixture.
func Converging(t *Topology, failed int) (Verdict, error) {
	g, err := newGraph(t)
	if err != nil {
		return Verdict{}, err
	}
	return g.converging(failed), nil
}
