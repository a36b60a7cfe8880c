//go:build !purego

#include "textflag.h"

// Three words back from the fourth on are masks for the first 1 to 4 of four lanes.
DATA lanes<>+0(SB)/8, $-1
DATA lanes<>+8(SB)/8, $-1
DATA lanes<>+16(SB)/8, $-1
DATA lanes<>+24(SB)/8, $-1
DATA lanes<>+32(SB)/8, $0
DATA lanes<>+40(SB)/8, $0
DATA lanes<>+48(SB)/8, $0
GLOBL lanes<>(SB), RODATA|NOPTR, $56

// func rank(from *entry, n int, to *entry)
//
// SI is from, R8 its end, DI is to. R9 is how many groups of four entries come before the last group, which has one to four: Y15
// masks those. Y14 is the highest bit of each lane: the processor compares signed numbers, and with that bit turned around they
// are in the order of unsigned ones; a lane that is masked out is 0 and so above none.
TEXT ·rank(SB), NOSPLIT, $0-24
	MOVQ from+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ to+16(FP), DI

	LEAQ     (SI)(CX*8), R8
	DECQ     CX
	MOVQ     CX, R9
	SHRQ     $2, R9
	ANDQ     $3, CX
	NEGQ     CX
	LEAQ     lanes<>+24(SB), DX
	VMOVDQU  (DX)(CX*8), Y15
	VPCMPEQQ Y14, Y14, Y14
	VPSLLQ   $63, Y14, Y14

entry:
	// The entry, AX, in all lanes of Y0. Y1 counts those above it.
	MOVQ         (SI), AX
	VPBROADCASTQ (SI), Y0
	VPXOR        Y14, Y0, Y0
	VPXOR        Y1, Y1, Y1
	MOVQ         from+0(FP), DX
	MOVQ         R9, CX
	JMP          more

group:
	VPXOR    (DX), Y14, Y2
	VPCMPGTQ Y0, Y2, Y2
	VPSUBQ   Y2, Y1, Y1
	ADDQ     $32, DX

more:
	SUBQ       $1, CX
	JGE        group
	VPMASKMOVQ (DX), Y15, Y2
	VPXOR      Y14, Y2, Y2
	VPCMPGTQ   Y0, Y2, Y2
	VPSUBQ     Y2, Y1, Y1

	// The sum of the four lanes is the entry's place.
	VEXTRACTI128 $1, Y1, X2
	VPADDQ       X2, X1, X1
	VPSHUFD      $0xee, X1, X2
	VPADDQ       X2, X1, X1
	VMOVQ        X1, DX
	MOVQ         AX, (DI)(DX*8)

	ADDQ $8, SI
	CMPQ SI, R8
	JNE  entry

	VZEROUPPER
	RET
