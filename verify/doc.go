// Package verify reads configuration files of switches, no matter who wrote them, and says of
// each switch and of each of its lossless priority groups whether it is lossless: files
// in, verdicts out.
//
//	report, err := verify.Judge([]verify.File{verify.Text("config_db.json", text)}, verify.Options{Chip: chip})
//
// There are four verdicts. See [Verdict].
//
//   - proved: no lossless packet can be lost, by what the files and the fabric declare, what
//     the catalogue knows of the chip, and what standards demand.
//   - conditional: the same, if an undeclared condition holds too, which is named.
//   - refuted: a lossless packet can be lost.
//   - not judged: something is missing, or a statement of the file is not understood that may
//     touch lossless traffic; it is named, with its line.
//
// A headroom formula is never taken for a fact, nor is what the compiler computed: a fabric adds
// only what it declares, such as lengths of cables and measured responses. These are listed
// ([Switch.Declared]), and so is the evidence behind a verdict ([Coverage]).
//
// With a fabric, files are also compared with what it says, both ends of every link with one
// another, and the topology is searched for deadlocks.
package verify
