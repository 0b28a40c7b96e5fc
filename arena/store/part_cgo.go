//go:build cgo

package store

// Supported reports whether this build can store studies. That needs cgo, because SQLite is written in C.
const Supported = true
