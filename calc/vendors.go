package calc

import (
	"fmt"
	"strings"

	"github.com/roceplan/roceplan/calc/headroom"
	"github.com/roceplan/roceplan/plan"
	"github.com/roceplan/roceplan/units"
)

// HeadroomFloor returns a headroom that is at least what the vendor gives: document
// headroom-floor.
func HeadroomFloor(needed, vendor units.Bytes) units.Bytes { return max(needed, vendor) }

// A vendorFigure is the vendor's headroom for a lossless PG of some port of its chip.
type vendorFigure struct {
	name  string
	bytes units.Bytes
	why   *plan.Why
}

// vendorFigures returns the default of the vendor's SDK, and what the form says that the
// chip's shipped tables follow, or its own calculator; as far as the catalogue has them.
func (s *shape) vendorFigures(k *kind) (all []vendorFigure) {
	sdk := &s.chip.SDKHeadroom
	cells := sdk.LineRate.Or(nil)
	for i, speed := range sdk.Speeds.Or(nil) {
		if speed == k.group.Speed.Value && i < len(cells) {
			bytes := cells[i].Bytes(s.cell)
			all = append(all, vendorFigure{"the SDK's default", bytes, datum(s.chip, sdk.LineRate, bytes)})
		}
	}
	own, none := s.chip.HeadroomMethod.Get()
	if none != nil {
		return all
	}
	method, err := headroom.For(s.chip, own)
	if err != nil {
		return all
	}
	result, derivation, err := method.Explain(s.input(method, k))
	if err != nil {
		return all
	}
	s.locate(derivation.XOff, k)
	whole := s.wholeCells("headroom", plan.Of(result.XOff, derivation.XOff))
	return append(all, vendorFigure{"method " + own, whole.Value, whole.Why})
}

// besideVendors makes what the vendor gives a floor, unless the fabric names a method or
// gives the headroom: those are its choice. The reason shows what every other method says.
func (s *shape) besideVendors(k *kind, needed plan.Derived[units.Bytes]) plan.Derived[units.Bytes] {
	result := needed
	for _, vendor := range s.vendorFigures(k) {
		if value := HeadroomFloor(result.Value, vendor.bytes); value > result.Value && !s.choosesHeadroom(k) {
			result = plan.Of(value, computed("headroom-floor", "headroom, at least the vendor's", value,
				term("needed", result.Why), term("vendor", vendor.why)))
		}
	}
	why := *result.Why
	why.Note = strings.TrimPrefix(why.Note+"; "+s.others(k, result.Value), "; ")
	return plan.Of(result.Value, &why)
}

// choosesHeadroom reports whether the fabric says itself how the headroom of a kind of
// port comes about.
func (s *shape) choosesHeadroom(k *kind) bool {
	return s.fabric.HeadroomMethod.Set || k.group.Headroom.Set
}

// others lists what every method that suits the chip says, with the difference.
func (s *shape) others(k *kind, value units.Bytes) string {
	var texts []string
	for _, name := range headroom.Names() {
		method, err := headroom.For(s.chip, name)
		if err != nil {
			continue
		}
		if result, err := method.Compute(s.input(method, k)); err == nil {
			cells := int64(result.XOff.CeilCells(s.cell))
			texts = append(texts, fmt.Sprintf("%s %d (%+d)", name, cells, cells-int64(value.FloorCells(s.cell))))
		}
	}
	return "other methods, in cells: " + strings.Join(texts, ", ")
}

// warnBelowVendor says where a headroom that the fabric chose is less than the vendor's.
func (s *shape) warnBelowVendor(k *kind, given units.Bytes, found *findings) {
	if !s.choosesHeadroom(k) {
		return
	}
	for _, vendor := range s.vendorFigures(k) {
		if vendor.bytes > given {
			found.list.Warnf(HeadroomBelowVendor, k.group.Range, "port group %q of %s has %d cells of headroom, and %s for %v is %d",
				k.group.Name, s.sw.Label, given.FloorCells(s.cell), vendor.name, k.group.Speed.Value, vendor.bytes.FloorCells(s.cell)).
				Fixf("remove %s: roceplan then takes the larger of the worst case and the vendor's figure", s.chooses(k))
			return
		}
	}
}

// chooses returns the attribute by which the fabric chooses the headroom.
func (s *shape) chooses(k *kind) string {
	if k.group.Headroom.Set {
		return "headroom"
	}
	return "headroom_method"
}
