package enginetest

import "testing"

func TestMain(m *testing.M) {
	CollectSeldom()
	m.Run()
}
