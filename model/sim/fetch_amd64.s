//go:build !purego

#include "textflag.h"

// func fetch(entries *entry, n int, ports *port, packets *packet)
//
// SI is the next entry, CX how many are left, DI the ports of 64 B, DX the packets of 32 B.
TEXT ·fetch(SB), NOSPLIT, $0-32
	MOVQ entries+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ ports+16(FP), DI
	MOVQ packets+24(FP), DX

next:
	SUBQ $1, CX
	JLT  done
	MOVQ (SI), AX
	ADDQ $8, SI

	// The port, 20 bits above the packet's 31.
	MOVQ        AX, BX
	SHRQ        $31, BX
	ANDQ        $0xfffff, BX
	SHLQ        $6, BX
	PREFETCHT0  (DI)(BX*1)

	ANDQ        $0x7fffffff, AX
	SHLQ        $5, AX
	PREFETCHT0  (DX)(AX*1)
	JMP         next

done:
	RET
