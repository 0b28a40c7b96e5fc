//go:build cgo

package store

// Supported reports whether this build has the store of studies: SQLite is written in C.
const Supported = true
