package variants_test

import (
	"testing"

	"spar/engines/enginetest"
)

func TestMain(m *testing.M) {
	enginetest.CollectSeldom()
	m.Run()
}
