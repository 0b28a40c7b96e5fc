package playout

import (
	"testing"

	"spar/engines/enginetest"
)

func TestMain(m *testing.M) {
	enginetest.CollectSeldom()
	m.Run()
}
