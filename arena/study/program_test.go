package study

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// asked is set for copies of this test's program that are only to say what their build is.
const asked = "SPAR_TEST_SAY_BUILD"

func TestMain(m *testing.M) {
	if os.Getenv(asked) == "" {
		os.Exit(m.Run())
	}
	if err := json.NewEncoder(os.Stdout).Encode(ThisBuild()); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// What is stamped into a program is what its build says: these are copies of the test's own program, with other stamps
// in place of those that it has. Without a commit it is named by a hash: of the linker's note on it, and of the whole
// file where there is none or nothing in it.
func TestStamps(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	file, err := elf.NewFile(bytes.NewReader(own))
	if err != nil || file.Class != elf.ELFCLASS64 || file.Data != elf.ELFDATA2LSB {
		t.Skip("programs of this system have another form: ", err)
	}
	note := file.Section(".note.go.buildid")
	id, err := note.Data()
	if err != nil {
		t.Fatal(err)
	}
	info, _ := debug.ReadBuildInfo()
	_, stamped, _ := strings.Cut(info.String(), "\n") // the first line is Go's version
	at, names := bytes.Index(own, []byte(stamped)), file.Section(".shstrtab")
	if at < 0 || stamped == "" {
		t.Fatalf("this program does not hold\n%s", stamped)
	}
	place := func(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) } // in a header of a section
	digest := func(data []byte) string {
		sum := sha256.Sum256(data)
		return "program " + hex.EncodeToString(sum[:])[:16]
	}
	for i, c := range []struct{ stamps, commit, version string }{
		{"mod\tspar\tv1.2.3\t\nbuild\tvcs.revision=abc123\nbuild\tvcs.modified=false\n", "abc123", "v1.2.3"},
		{"mod\tspar\t(devel)\t\nbuild\tvcs.revision=abc123\nbuild\tvcs.modified=true\n", "abc123+changes", "devel"},
		{"mod\tspar\t(devel)\t\nbuild\tvcs.modified=true\n", "the note", "devel"},
		{"build\tnot a pair of key and value\n", "the note", "devel"}, // then there are no stamps at all
		{"", "the whole, no note", "devel"},
		{"", "the whole, an empty note", "devel"},
	} {
		program := bytes.Clone(own)
		stamps := "path\tx\n" + c.stamps + "build\trest="
		copy(program[at:], stamps+strings.Repeat("x", len(stamped)-len(stamps)-1)+"\n")
		switch c.commit {
		case "the note":
			c.commit = digest(id)
		case "the whole, no note":
			table := program[names.Offset : names.Offset+names.Size]
			copy(table, bytes.Replace(table, []byte(".note.go.buildid"), []byte(".note.no.buildid"), 1))
			c.commit = digest(program)
		case "the whole, an empty note": // of 16 bytes: two lengths, a kind and a name
			was, now := append(place(note.Offset), place(note.Size)...), append(place(note.Offset), place(16)...)
			program = bytes.Replace(program, was, now, 1)
			c.commit = digest(program)
		}
		path := filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(path, program, 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(path)
		cmd.Env = append(os.Environ(), asked+"=1")
		text, err := cmd.Output()
		var b Build
		if err == nil {
			err = json.Unmarshal(text, &b)
		}
		if err != nil || b.Commit != c.commit || b.Version != c.version {
			t.Errorf("%d: %+v, %v; want %s of %s", i, b, err, c.commit, c.version)
		}
	}
}
