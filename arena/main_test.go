package arena_test

import (
	"testing"

	"go.uber.org/goleak"

	"spar/engines/enginetest"
)

// No test leaves a goroutine behind, whatever became of its run.
func TestMain(m *testing.M) {
	enginetest.CollectSeldom()
	goleak.VerifyTestMain(m)
}
