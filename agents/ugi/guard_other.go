//go:build !linux

package ugi

import (
	"fmt"
	"os"
	"time"
)

// guardable reports that this system cannot keep descendants together beyond their process group.
const guardable = false

const guardianPath = ""

func endFamily(int, string) {}

func (p *process) cpu() time.Duration { return 0 }

// Guard exists on Linux only; here it returns an error code.
func Guard([]string) int {
	fmt.Fprintln(os.Stderr, "guardian processes work only on Linux")
	return 2
}
