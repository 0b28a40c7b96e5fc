package engines

import (
	"fmt"
	"strconv"
	"strings"

	"spar/engines/grid"
	"spar/engines/rules"
)

// Drops (movement.captured: switch_to_hand): captured pieces go to their captor's hand, and a turn may place one of them.

// dropWord is the number of the first word of a drop. Its low bits are the cell, those above them the kind.
const dropWord = kindWord<<kindShift | 8<<grid.CellBits

func dropMove(kind int, c Cell) Move { return dropWord + Move(kind)<<grid.CellBits | Move(c) }

// IsDrop reports whether the move places a captured piece from the hand.
func (m Move) IsDrop() bool { return m >= dropWord && m < dropWord+8<<grid.CellBits }

// drops returns the kind of the piece that a drop places.
func (m Move) drops() int { return int(m-dropWord) >> grid.CellBits }

// Stock returns the number of captured pieces of a kind that a side has in hand and may drop.
func (s *State) Stock(side, kind int) int { return int(s.stock[side&1][kind]) }

// Hands reports whether players can have pieces in hand.
func (g *Game) Hands() bool { return g.hands || g.uses.Has(rules.Drops) }

// HandsText describes the pieces in hand, like "Forest 1 chick, Sky none". It is empty if players cannot have any.
func (s *State) HandsText() string {
	if !s.g.Hands() {
		return ""
	}
	return fmt.Sprintf("%s %s, %s %s", s.g.SideName(0), s.handText(0), s.g.SideName(1), s.handText(1))
}

// handText describes the pieces that a side has in hand: their number or, in games with drops, their kinds.
func (s *State) handText(side int) string {
	var out []string
	if s.g.Kinds() == 0 {
		return strconv.Itoa(s.Hand(side))
	}
	for i, n := range s.stock[side&1] {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, s.g.rules.Kinds[i].Name))
		}
	}
	if out == nil {
		return "none"
	}
	return strings.Join(out, " + ")
}

// seize captures an enemy piece, which goes to the hand of its captor if the rules say so.
func (s *State) seize(side int, c Cell) {
	if k := s.g.kinds; k.drops {
		s.deal(side, k.of[1-side][s.kindAt(c)].inHand, 1)
	}
	s.takeMan(1-side, c)
}

// deal changes the number of pieces of a kind in a hand.
func (s *State) deal(side, kind, by int) {
	n, key := &s.stock[side][kind], s.g.kinds.held[kind]
	s.key[side] ^= key * uint64(*n)
	*n, s.hand[side] = uint8(int(*n)+by), uint8(int(s.hand[side])+by)
	s.key[side] ^= key * uint64(*n)
}

// appendDrops appends the drops of the side to move.
func (s *State) appendDrops(dst []Move, free Bits) []Move {
	for kind, n := range s.stock[s.side&1] {
		if n == 0 {
			continue
		}
		for b := free.AndNot(s.g.kinds.of[s.side&1][kind].shunned); !b.Empty(); b = b.Rest() {
			dst = append(dst, dropMove(kind, b.First()))
		}
	}
	return dst
}

// appendHand appends the letters of the pieces in hand, those of the first player first.
func (s *State) appendHand(b []byte) []byte {
	for side := range 2 {
		for i, n := range s.stock[side] {
			for range n {
				b = append(b, s.g.kindSign(side, i))
			}
		}
	}
	return b
}

// kindSign returns the letter of a kind; X or O without kinds.
func (g *Game) kindSign(side, kind int) byte {
	if g.Kinds() == 0 {
		return "XO"[side&1]
	}
	return g.kinds.of[side&1][kind].sign
}

// readHand reads what appendHand writes. It returns false if a letter means no piece.
func (s *State) readHand(text string) bool {
	s.stock, s.hand = men{}.stock, [2]uint8{}
	for i := range len(text) {
		side, kind, ok := s.g.rules.KindAt(text[i])
		if !ok || s.hand[side] > grid.MaxCells {
			return false
		}
		s.stock[side][kind]++
		s.hand[side]++
	}
	return true
}
