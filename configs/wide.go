//go:build wide

package configs

// wideBuild reports whether this is the build for large boards.
const wideBuild = true
