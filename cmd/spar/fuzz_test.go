package main

import (
	"bytes"
	"testing"
)

// FuzzAnalyzeLines holds that no input of "spar analyze" makes its reader panic, and that each line is a game or says why not.
func FuzzAnalyzeLines(f *testing.F) {
	f.Add([]byte(`{"id":1,"rules":"classic","moves":["b2","a1"],"perspective":"first"}`))
	f.Add([]byte("{\"rules\":\"ctor\",\"perspective\":\"x\"}\n\n[]\nnull\n{\"set\":{\"a\":[]}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		games, err := gamesFromFile(bytes.NewReader(data), "fuzz", -1, false)
		for _, g := range games {
			if err == nil && g.g == nil && g.err == nil {
				t.Fatalf("%q: %s is neither a game nor an error", data, g.name)
			}
		}
	})
}
