package strict

import (
	"fmt"
	"path/filepath"

	"spar/configs/files"
)

// Input returns the path of a file that the document names at a key path. A path is relative to the document's
// folder and must stay below it, unless it came from the command line. It does not change names of shipped files.
func (d *Document) Input(at, name string) (string, error) {
	if !files.IsPath(name) {
		return name, nil
	}
	return d.InputFile(at, name)
}

// InputFile is like Input, for values that are always paths.
func (d *Document) InputFile(at, path string) (string, error) {
	if path == "" || !d.foreign(at) {
		return path, nil
	}
	resolved, err := files.Below(filepath.Dir(d.name), path)
	if err != nil {
		return "", fmt.Errorf("%w; to name a file elsewhere, use --set on the command line", err)
	}
	return resolved, nil
}

// Output records a mistake if an output file or folder, stated at a key path, is not below the current folder, or if
// files.CheckOutput refuses it. An output given on the command line may be anywhere, and replaces any file.
func (d *Document) Output(at, path string, extensions ...string) {
	if path == "" || !d.foreign(at) {
		return
	}
	_, err := files.Below(".", path)
	if err == nil {
		err = files.CheckOutput(path, extensions...)
	}
	if err != nil {
		d.Errorf(at, "%s: %v; to write elsewhere, use --set or a flag", at, err)
	}
}

// Replaces records a mistake if an output whose name depends on a key path would replace a file that Spar did not write.
func (d *Document) Replaces(at, path string) {
	if err := files.CheckOurs(path); err != nil && d.foreign(at) {
		d.Errorf(at, "%s: %v; to write elsewhere, use --set", at, err)
	}
}

// foreign reports whether the value at a key path comes from the file, not from the command line.
func (d *Document) foreign(at string) bool {
	return files.IsPath(d.name) && !d.Overridden(at)
}
