package session

import (
	"crypto/subtle"

	"spar/arena/study"
)

// Sit changes the player of a seat.
func (t *Session) Sit(side int, p Player) error {
	if !p.Person() {
		if _, err := t.room.Library.Spec(p); err != nil {
			return err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rec.Seats[side], t.rec.Specs[side], t.rec.Tokens[side], t.links[side] = p, "", "", ""
	t.changed()
	return nil
}

// Invite creates a link to a seat and returns its token. An earlier link stops working, also in rematches of the
// game. Only this process knows the token; the store has its hash.
func (t *Session) Invite(side int) string {
	token := Token()
	old := t.give(side, token)
	v := t.View()
	for next := range t.room.rematches(&v.Record) {
		for side, own := range next.View().Tokens {
			if old != "" && own == old {
				next.give(side, token)
			}
		}
	}
	return token
}

// give sets the token of a seat. It returns the hash of the earlier token.
func (t *Session) give(side int, token string) (old string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	old = t.rec.Tokens[side]
	t.rec.Seats[side], t.links[side], t.rec.Tokens[side] = Player{}, token, study.HashToken(token)
	t.changed()
	return old
}

// SeatOf returns the seat that a token gives access to.
func (t *Session) SeatOf(token string) (Seat, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for side, own := range t.rec.Tokens {
		if own != "" && subtle.ConstantTimeCompare([]byte(own), []byte(study.HashToken(token))) == 1 {
			return Seat(side), true
		}
	}
	return Owner, false
}
