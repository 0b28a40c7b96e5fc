package transfer

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

// npz collects arrays of equal length and writes them as a file for numpy.load: a zip archive of .npy files, see
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Until the end, the arrays are in
// temporary files.
type npz struct{ arrays []*array }

// array is one .npy file. Its first dimension grows with each call of add.
type array struct {
	name, dtype string // dtype in NumPy's notation: <f4, <i8, |u1, |b1, <U12
	tail        []int  // sizes of the other dimensions
	rows        int
	file        *os.File
	out         *bufio.Writer
	buf         []byte
}

// array adds an array to the archive.
func (z *npz) array(name, dtype string, tail ...int) (*array, error) {
	f, err := os.CreateTemp("", "spar-npz-*")
	if err != nil {
		return nil, err
	}
	a := &array{
		name:  name,
		dtype: dtype,
		tail:  tail,
		file:  f,
		out:   bufio.NewWriterSize(f, 1<<16),
	}
	z.arrays = append(z.arrays, a)
	return a, nil
}

// names adds an array of texts.
func (z *npz) names(name string, texts []string) error {
	width := 1
	for _, t := range texts {
		width = max(width, utf8.RuneCountInString(t))
	}
	a, err := z.array(name, "<U"+strconv.Itoa(width))
	if err != nil {
		return err
	}
	for _, t := range texts {
		a.buf = a.buf[:0]
		for _, r := range t {
			a.buf = binary.LittleEndian.AppendUint32(a.buf, uint32(r))
		}
		a.buf = append(a.buf, make([]byte, 4*width-len(a.buf))...)
		a.flush()
	}
	return nil
}

// add appends a row. Errors are reported when the archive is written.
func (a *array) add(row ...float64) {
	a.buf = a.buf[:0]
	for _, x := range row {
		a.buf = a.appendNumber(a.buf, x)
	}
	a.flush()
}

func (a *array) flush() {
	_, _ = a.out.Write(a.buf) // a bufio.Writer keeps its first error
	a.rows++
}

func (a *array) appendNumber(dst []byte, x float64) []byte {
	switch a.dtype {
	case "<f4":
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(x)))
	case "<f8":
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
	case "<i8":
		return binary.LittleEndian.AppendUint64(dst, uint64(int64(x)))
	case "<i4":
		return binary.LittleEndian.AppendUint32(dst, uint32(int32(x)))
	}
	return append(dst, byte(int8(x))) // |i1, |u1, |b1
}

// header returns the header of a .npy file of version 1.0: its length is a multiple of 64 bytes.
func (a *array) header() []byte {
	shape := []string{strconv.Itoa(a.rows)}
	for _, n := range a.tail {
		shape = append(shape, strconv.Itoa(n))
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }", a.dtype, strings.Join(shape, ", "))
	const before = 10 // magic, version, length
	text += strings.Repeat(" ", 63-(before+len(text))%64) + "\n"
	out := append([]byte("\x93NUMPY\x01\x00"), byte(len(text)), byte(len(text)>>8))
	return append(out, text...)
}

// write writes the archive without compression, so that arrays can be read in place.
func (z *npz) write(w io.Writer) error {
	out := zip.NewWriter(w)
	for _, a := range z.arrays {
		if err := a.out.Flush(); err != nil {
			return err
		}
		if _, err := a.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		member, err := out.CreateHeader(&zip.FileHeader{Name: a.name + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		if _, err := member.Write(a.header()); err != nil {
			return err
		}
		if _, err := io.Copy(member, a.file); err != nil {
			return err
		}
	}
	return out.Close()
}

// close removes the temporary files.
func (z *npz) close() error {
	var errs []error
	for _, a := range z.arrays {
		errs = append(errs, a.file.Close(), os.Remove(a.file.Name()))
	}
	return errors.Join(errs...)
}
