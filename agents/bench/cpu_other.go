//go:build !unix

package bench

// processTime returns 0, since the CPU time of this process is unknown here.
func processTime() float64 { return 0 }
