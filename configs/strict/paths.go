package strict

import (
	"fmt"
	"path/filepath"

	"spar/configs/files"
)

// Input returns where a file is that the document names at a key path: a path is taken from the document's own folder
// and has to stay below it; one that was given on the command line may be any. Names of shipped files stay as they
// are.
func (d *Document) Input(at, name string) (string, error) {
	if !files.IsPath(name) {
		return name, nil
	}
	return d.InputFile(at, name)
}

// InputFile is Input for what is always a path.
func (d *Document) InputFile(at, path string) (string, error) {
	if path == "" || !d.foreign(at) {
		return path, nil
	}
	resolved, err := files.Below(filepath.Dir(d.name), path)
	if err != nil {
		return "", fmt.Errorf("%w; name a file elsewhere on the command line, with --set", err)
	}
	return resolved, nil
}

// Output records a mistake when a file or folder that the document wants written, stated at a key path, does not lie
// below the current folder. One that was given on the command line may lie anywhere.
func (d *Document) Output(at, path string) {
	if path == "" || !d.foreign(at) {
		return
	}
	if _, err := files.Below(".", path); err != nil {
		d.Errorf(at, "%s: %v; name a place elsewhere on the command line, with --set or a flag", at, err)
	}
}

// foreign tells whether what stands at a key path was written by whoever wrote the file, not given on the command line.
func (d *Document) foreign(at string) bool {
	return files.IsPath(d.name) && !d.Overridden(at)
}
