package ratings

import (
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// cholesky is the factor of a positive definite matrix, kept for as many solutions as are wanted. It is mat.Cholesky
// but for the estimate of the condition, which nobody asks for here, and which takes several times as long as the
// factor of a matrix as small as ours.
type cholesky struct {
	u    blas64.Triangular
	data []float64
}

// factorize reports whether a is positive definite. What a row of a holds left of the diagonal is not examined.
func (c *cholesky) factorize(a *mat.SymDense) bool {
	s := a.RawSymmetric()
	c.data = append(c.data[:0], s.Data...)
	s.Data = c.data
	var ok bool
	c.u, ok = lapack64.Potrf(s)
	return ok
}

// solve sets x to the solution of a x = b; they may be one.
func (c *cholesky) solve(x, b []float64) {
	copy(x, b)
	lapack64.Potrs(c.u, blas64.General{Rows: len(x), Cols: 1, Stride: 1, Data: x})
}

// inverse is that of a. There is always one: the factor's diagonal is above 0.
func (c *cholesky) inverse() *mat.SymDense {
	u := c.u
	u.Data = slices.Clone(c.data)
	lapack64.Potri(u)
	return mat.NewSymDense(u.N, u.Data)
}
