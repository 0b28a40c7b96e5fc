package strict

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v4"
)

// Maximum sizes of files. Small files are rules and agents; large ones are plans, which name many of them. A node
// is a key, a value, a list or a mapping.
const (
	SmallBytes = 1 << 20
	SmallNodes = 10_000
	LargeBytes = 8 << 20
	LargeNodes = 200_000
)

// checkSize returns an error for a text that would need too much time and memory to parse. It counts nodes by ends
// of lines and commas, without comments. Nesting can add nodes, but the parser limits its depth.
func checkSize(name string, data []byte, mostBytes, mostNodes int) error {
	if len(data) > mostBytes {
		return Errors{{File: name, Message: fmt.Sprintf("%d bytes; the limit is %d", len(data), mostBytes)}}
	}
	ends := 0
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if ends += 1 + bytes.Count(line, []byte{','}); ends > 2*mostNodes {
			return tooMany(name, mostNodes)
		}
	}
	return nil
}

func tooMany(name string, most int) error {
	return Errors{{File: name, Message: fmt.Sprintf("more than %d keys and values", most)}}
}

// count returns the number of nodes.
func count(n *yaml.Node) int {
	total := 1
	for _, c := range n.Content {
		total += count(c)
	}
	return total
}
