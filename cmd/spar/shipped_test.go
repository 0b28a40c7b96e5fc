package main

import (
	"testing"

	"spar/arena"
	"spar/configs"
	"spar/configs/must"
	"spar/tuning"
	"spar/tuning/variants"
)

// What ships writes into studies of its own: no two of them want the same file for different plans.
func TestShippedPlansWriteIntoFilesOfTheirOwn(t *testing.T) {
	t.Parallel()
	of := map[string]string{}
	for kind, database := range map[configs.Kind]func(file string, data []byte) (string, error){
		configs.Tournaments: func(file string, data []byte) (string, error) {
			p, err := arena.LoadPlan(file, data)
			if err != nil {
				return "", err
			}
			return p.Database, nil
		},
		configs.Tunings: func(file string, data []byte) (string, error) {
			p, err := tuning.Load(file, data)
			if err != nil {
				return "", err
			}
			return p.Database, nil
		},
		configs.Sweeps: func(file string, data []byte) (string, error) {
			p, err := variants.Load(file, data)
			if err != nil {
				return "", err
			}
			return p.Database, nil
		},
	} {
		for _, name := range configs.Names(kind) {
			file, data := must.Get2(configs.Read(kind, name))(t)
			db := must.Get(database(file, data))(t)
			if other, taken := of[db]; taken {
				t.Errorf("%s and %s write into %s", file, other, db)
			}
			of[db] = file
		}
	}
}
