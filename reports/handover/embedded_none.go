//go:build !release

package handover

// embedded is the module that this program holds: none, for it is built in a checkout.
func embedded() (*Built, error) { return nil, nil }
