package files

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
)

// Secret returns the secret that a file keeps: 26 letters and digits. It makes a new one if there is none, or if another
// user could know the one in the file. If the file cannot keep it from other users, Secret returns an error with a
// secret for this process only.
func Secret(path string) (string, error) {
	if secret, err := readSecret(path); err == nil {
		return secret, nil
	}
	secret := strings.ToLower(rand.Text())
	folder, name := filepath.Split(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return secret, err
	}
	f, err := os.CreateTemp(folder, "."+name+".*.tmp") // which has mode 0600
	if err != nil {
		return secret, err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(secret + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return secret, err
	}
	if os.Link(f.Name(), path) != nil { // another process may have made it meanwhile
		if other, err := readSecret(path); err == nil {
			return other, nil
		}
		if err := os.Rename(f.Name(), path); err != nil {
			return secret, err
		}
	}
	kept, err := readSecret(path)
	if err != nil { // not every file system has owners and modes
		return secret, errors.Join(err, os.Remove(path))
	}
	return kept, nil
}

// readSecret reads a secret. It returns an error if another user could read the file or could have written it.
func readSecret(path string) (string, error) {
	named, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	private := runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 && own(info)
	if !info.Mode().IsRegular() || !private || !os.SameFile(named, info) {
		return "", fmt.Errorf("%s: expected a file that only this user can read (mode 0600)", path)
	}
	data := make([]byte, 64)
	n, err := f.Read(data)
	if err != nil || !regexp.MustCompile(`^[a-z2-7]{26}\n$`).Match(data[:n]) {
		return "", fmt.Errorf("%s: expected 26 letters and digits", path)
	}
	return strings.TrimSpace(string(data[:n])), nil
}

// own reports whether this user owns a file. Systems without users' numbers have no field Uid.
func own(info os.FileInfo) bool {
	uid := reflect.Indirect(reflect.ValueOf(info.Sys())).FieldByName("Uid")
	return !uid.IsValid() || int(uid.Uint()) == os.Geteuid()
}
