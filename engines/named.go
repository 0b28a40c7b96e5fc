package engines

import "spar/configs"

// Named compiles a shipped game by its name, or a rules file by its path, with overrides as for Load; one of a
// knob that has no effect (see Rules.Idle) is refused. The error of a name that
// is not known gives the nearest one.
func Named(name string, overrides ...string) (*Game, error) {
	file, data, err := configs.Read(configs.Games, name)
	if err != nil {
		return nil, err
	}
	g, err := Load(file, data, overrides...)
	if err != nil {
		return nil, err
	}
	if err := refuseIdle(file, data, g, overrides); err != nil {
		return nil, err
	}
	return g, nil
}
