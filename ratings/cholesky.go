package ratings

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// cholesky is the factor of a positive definite matrix, for any number of solutions. It omits the condition estimate of
// mat.Cholesky, which takes several times as long as the factorisation of a small matrix.
type cholesky struct {
	u    blas64.Triangular
	data []float64
}

// factorize computes the factor and reports whether a is positive definite. It reads only the upper triangle.
func (c *cholesky) factorize(a *mat.SymDense) bool {
	s := a.RawSymmetric()
	c.data = append(c.data[:0], s.Data...)
	s.Data = c.data
	var ok bool
	c.u, ok = lapack64.Potrf(s)
	return ok
}

// solve sets x to the solution of a x = b; x and b may be the same slice.
func (c *cholesky) solve(x, b []float64) {
	copy(x, b)
	lapack64.Potrs(c.u, blas64.General{Rows: len(x), Cols: 1, Stride: 1, Data: x})
}

// inverse returns the inverse of a. It always exists, since the factor's diagonal is positive.
func (c *cholesky) inverse() *mat.SymDense {
	u := c.u
	u.Data = slices.Clone(c.data)
	lapack64.Potri(u)
	return mat.NewSymDense(u.N, u.Data)
}
