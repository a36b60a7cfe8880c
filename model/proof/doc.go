// Package proof says of a switch, read from its files or planned, whether its lossless
// classes are lossless. It states what has to hold as inequalities, left ≤ right, over
// the buffer as the chip will hold it, and evaluates both sides.
//
// The obligations are derived from what a switch and a cable do, each in a file of its own with its
// source. None is taken from the formulas that size buffers: package calc is out of sight. Package
// model/adversary tests them: it knows no inequality and tries to lose a packet.
//
// The basis of a verdict, and its scope:
//
//   - A verdict rests on what is declared, what the chip catalogue knows and what standards
//     demand: see MODEL.md. Any other premise is a [Condition], with the bound up to which
//     it holds, never a silent pass.
//   - Whatever the files do not say is not guessed: the obligation then says that it
//     cannot be judged, and why.
package proof
