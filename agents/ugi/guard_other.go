//go:build !linux

package ugi

import (
	"fmt"
	"os"
)

// guardable reports that this system cannot keep descendants together beyond their process group.
const guardable = false

const guardianPath = ""

func endFamily(int, string) {}

// Guard exists on Linux only; here it returns an error code.
func Guard([]string) int {
	fmt.Fprintln(os.Stderr, "there are no guardians on this system")
	return 2
}
