package ratings

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// cholesky is the Cholesky factor of a positive definite matrix. It can be used for any number of solutions.
// Unlike mat.Cholesky it estimates no condition number, which for small matrices takes several times as long as
// the factorisation.
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
