package engines

import "spar/configs"

// Named compiles a shipped game by its name, or a rules file by its path, with overrides as for Load. The error of a name that
// is not known gives the nearest one.
func Named(name string, overrides ...string) (*Game, error) {
	file, data, err := configs.Read(configs.Games, name)
	if err != nil {
		return nil, err
	}
	return Load(file, data, overrides...)
}
