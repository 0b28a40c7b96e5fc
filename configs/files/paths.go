package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// IsPath reports whether a name looks like a path, rather than like the name of a shipped file.
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

// ErrOutside is returned for a path that leads out of the folder in which it must stay.
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
			return "", fmt.Errorf("%s %w the folder %s through a link", path, ErrOutside, folder)
		}
		return joined, nil
	}
}

// CheckOutput returns an error for a path below the current folder that a file from somebody else may not name as an
// output: a hidden name, an extension other than the given ones, or something that CheckOurs refuses. The extension ""
// means a folder.
func CheckOutput(path string, extensions ...string) error {
	real := path
	for at := path; at != filepath.Dir(at); at = filepath.Dir(at) { // links may lead to hidden names
		if found, err := filepath.EvalSymlinks(at); err == nil {
			real = found + "/" + path
			break
		}
	}
	for name := range strings.SplitSeq(filepath.ToSlash(filepath.Clean(real)), "/") {
		if strings.HasPrefix(name, ".") && name != "." && name != ".." {
			return fmt.Errorf("%s is a hidden name", path)
		}
	}
	if !slices.Contains(extensions, filepath.Ext(path)) && !slices.Contains(extensions, "") {
		return fmt.Errorf("%s does not end in %s", path, strings.Join(extensions, " or "))
	}
	return CheckOurs(path)
}

// MadeBy begins the first line of YAML files that Spar writes and that others may replace; pages contain Generator.
const (
	MadeBy    = "Made by: spar "
	Generator = `<meta name="generator" content="spar">`
)

// CheckOurs returns an error if Spar did not write the file at a path. In a folder it checks every page, including
// the page that belongs to each Markdown file. It accepts a missing file, and a study, which is checked when it is
// opened.
func CheckOurs(path string) error {
	info, err := os.Stat(path)
	if err != nil || filepath.Ext(path) == ".db" {
		return nil
	}
	paths := []string{path}
	if info.IsDir() {
		entries, err := os.ReadDir(path)
		if err != nil {
			return err
		}
		paths = nil
		for _, e := range entries {
			end := filepath.Ext(e.Name())
			if end == ".html" || end == ".md" { // a page has the same name as its Markdown
				paths = append(paths, filepath.Join(path, strings.TrimSuffix(e.Name(), end)+".html"))
			}
		}
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err == nil {
			var head []byte
			head, err = io.ReadAll(io.LimitReader(f, 4096))
			_ = f.Close() // it was only read
			text := string(head)
			if err == nil && !strings.HasPrefix(text, "# "+MadeBy) && !strings.Contains(text, Generator) {
				err = errors.New("a file that Spar did not make is there")
			}
		}
		if err != nil {
			return fmt.Errorf("%s is not a file that Spar wrote, and Spar does not replace it", path)
		}
	}
	return nil
}
