package learn

import (
	"fmt"

	"spar/agents/patterns"
	"spar/configs"
	"spar/engines"
)

// Open reads a net by name or path, for the rules of its training.
func Open(name string) (file *patterns.File, net *patterns.Net, err error) {
	data, err := configs.ReadNet(name, patterns.FileLimit)
	if err != nil {
		return nil, nil, err
	}
	var g *engines.Game
	about, _, err := patterns.Header(data)
	if err == nil {
		g, err = engines.Stored(about.RulesText)
	}
	if err == nil {
		file, err = patterns.NewFile(data)
	}
	if err == nil {
		net, err = file.For(g)
	}
	if err == nil && configs.IsNetPath(name) {
		net, err = Measured(net, name)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return file, net, nil
}
