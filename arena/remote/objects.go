package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"spar/agents"
	"spar/arena"
)

var errNoObject = errors.New("unknown object")

// object is a text or a file that workers need. Its name is its SHA-256.
type object struct {
	data []byte
	path string // path of a file, if data is nil
	size int64
}

// part returns the bytes from an offset on, and the total number of bytes.
func (o object) part(offset int64) ([]byte, int64, error) {
	if offset < 0 || offset > o.size {
		return nil, 0, fmt.Errorf("offset %d in an object of %d bytes", offset, o.size)
	}
	if o.data != nil {
		return o.data[offset:min(o.size, offset+mostPart)], o.size, nil
	}
	f, err := os.Open(o.path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	part := make([]byte, min(mostPart, o.size-offset))
	_, err = f.ReadAt(part, offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return part, o.size, err
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func hashReader(r io.Reader) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), err
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return hashReader(f)
}

// prepare computes a task's needs and its form in messages. It must be called by one goroutine only, because it
// reads files without holding the lock.
func (c *Coordinator) prepare(t *arena.Task) error {
	s := settingOf(t)
	if _, ok := c.needs[s]; ok {
		return nil
	}
	g, err := c.o.Assets.Game(t.Rules)
	if err != nil {
		return err
	}
	wire, files := wireSetting{setting: s}, int64(0)
	var specs [2]agents.Spec
	file := func(path string) (string, error) {
		hash, size, err := c.file(path)
		files += size
		return hash, err
	}
	for side, e := range t.Seats {
		if specs[side], err = c.o.Assets.Spec(e.Spec); err != nil {
			return err
		}
		o := workerSpec{Spec: json.RawMessage(specs[side].Canonical())}
		if path := specs[side].Perfect.Path(); path != "" {
			if o.Table, err = file(path); err != nil {
				return fmt.Errorf("agent %s: %w", e.Name, err)
			}
		}
		if net := specs[side].Evaluation.Net; net != nil {
			o.Net = c.text(net.Bytes())
		}
		text, err := json.Marshal(o)
		if err != nil {
			return err
		}
		wire.Objects[side] = c.text(text)
	}
	wire.Object = c.text([]byte(g.Rules().Canonical()))
	if t.Adjudicate.Table != "" {
		if wire.Table, err = file(t.Adjudicate.Table); err != nil {
			return err
		}
	}
	wire.Adjudicate.Table = "" // a path of this machine's
	c.needs[s] = needsOf(t, specs, files)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wires[s] = wire
	return nil
}

// text makes a text an object and returns its name.
func (c *Coordinator) text(data []byte) string {
	hash := hashOf(data)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.objects[hash] = object{data: data, size: int64(len(data))}
	return hash
}

// file makes a file an object. The file must not change while there are tasks that use it.
func (c *Coordinator) file(path string) (hash string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", 0, err
	}
	hash, ok := c.files[path]
	if !ok {
		if hash, err = hashReader(f); err != nil {
			return "", 0, err
		}
		c.files[path] = hash
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.objects[hash] = object{path: path, size: info.Size()}
	return hash, info.Size(), nil
}
