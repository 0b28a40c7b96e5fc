package remote

import (
	"encoding/json"
	"errors"
	"fmt"

	"spar/agents"
	"spar/arena"
	"spar/configs/plain"
)

var errNoObject = errors.New("unknown object")

// part returns the bytes of an object from an offset on, and the total number of bytes.
func part(object []byte, offset int64) ([]byte, int64, error) {
	size := int64(len(object))
	if offset < 0 || offset > size {
		return nil, 0, fmt.Errorf("offset %d is outside an object of %d bytes", offset, size)
	}
	return object[offset:min(size, offset+mostPart)], size, nil
}

// prepare computes a task's needs and its form in messages. It must be called by one goroutine only.
func (c *Coordinator) prepare(t *arena.Task) error {
	s := t.Setting
	if _, ok := c.needs[s]; ok {
		return nil
	}
	g, err := c.o.Assets.Game(t.Rules)
	if err != nil {
		return err
	}
	wire := wireSetting{Setting: s}
	var specs [2]agents.Spec
	for side, e := range t.Seats {
		if specs[side], err = c.o.Assets.Spec(e.Spec); err != nil {
			return err
		}
		o := workerSpec{Spec: json.RawMessage(specs[side].Canonical())}
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
	c.needs[s] = needsOf(t, specs)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wires[s] = wire
	return nil
}

// text makes a text an object and returns its name.
func (c *Coordinator) text(data []byte) string {
	hash := plain.Hash(data)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.objects[hash] = data
	return hash
}
