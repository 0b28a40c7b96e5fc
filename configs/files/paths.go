package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// IsPath reports whether a name has the form of a path, and not that of the name of a shipped file.
func IsPath(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") || strings.HasPrefix(name, ".") ||
		strings.HasPrefix(name, "/")
}

// CheckFile returns an error if Write cannot write a file at a path, for example because it is a folder. It creates
// nothing.
func CheckFile(path string) error {
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return fmt.Errorf("%s is a folder, expected the name of a file", path)
		}
		return nil
	}
	return CheckFolder(filepath.Dir(path))
}

// CheckFolder returns an error if a path is not a folder and cannot become one. It creates nothing.
func CheckFolder(path string) error {
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s is a file, expected a folder", at)
		}
		if err == nil || at == filepath.Dir(at) {
			return nil
		}
	}
}

// ErrOutside is the error for a path that leads out of the folder in which it must stay.
var ErrOutside = errors.New("leads out of")

// Below resolves a path that a file from somebody else names. The path is relative to folder, and must stay below
// it even through links.
func Below(folder, path string) (string, error) {
	joined := filepath.Join(folder, path)
	if !filepath.IsLocal(path) {
		return "", fmt.Errorf("%s %w the folder %s", path, ErrOutside, folder)
	}
	root, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", err
	}
	if root, err = filepath.Abs(root); err != nil {
		return "", err
	}
	// What does not exist yet is where the folder that it will be in is.
	for at := joined; ; at = filepath.Dir(at) {
		real, err := filepath.EvalSymlinks(at)
		if errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) && at != filepath.Clean(folder) {
			continue
		}
		if err != nil {
			return "", err
		}
		if real, err = filepath.Abs(real); err != nil {
			return "", err
		}
		if rest, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rest) {
			return "", fmt.Errorf("%s %w the folder %s, by a link", path, ErrOutside, folder)
		}
		return joined, nil
	}
}
