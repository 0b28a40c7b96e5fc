package balance

import "encoding/json"

// MarshalJSON writes null for a number that does not exist.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.OK() {
		return []byte("null"), nil
	}
	type plain Number
	return json.Marshal(plain(n))
}
