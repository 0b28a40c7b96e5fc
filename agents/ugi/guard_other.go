//go:build !linux

package ugi

import (
	"fmt"
	"os"
)

// guardable: this system cannot keep a family of processes together beyond the process group.
const guardable = false

const guardianPath = ""

func endSession(int) {}

// Guard exists on Linux only; here it returns an error code.
func Guard([]string) int {
	fmt.Fprintln(os.Stderr, "there are no guardians on this system")
	return 2
}
