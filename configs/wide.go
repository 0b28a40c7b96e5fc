//go:build wide

package configs

// wideBuild tells whether this is the build for large boards.
const wideBuild = true
