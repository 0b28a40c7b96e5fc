package explain

import (
	"fmt"
	"slices"
	"strings"

	"spar/engines"
	"spar/engines/rules"
)

// kindNames lists the kinds of pieces with their letters.
func kindNames(r *engines.Rules) string {
	var names []string
	for i := range r.Kinds {
		names = append(names, fmt.Sprintf("%s (%c)", r.Kinds[i].Name, r.Kinds[i].Sign(engines.First)))
	}
	return strings.Join(names, ", ")
}

// article puts an article before a name, at the start of a sentence.
func article(name string) string {
	if strings.IndexAny(name, "aeiou") == 0 {
		return "An " + name
	}
	return "A " + name
}

// kindsMoving describes how each kind of piece moves, and then what holds for all.
func kindsMoving(t *teller) {
	same := []string{}
	for i, k := range t.r.Kinds {
		own := *t.r
		own.Movement = own.MovementOf(i)
		one := &teller{g: t.g, r: &own, who: t.who, side: t.side}
		moving(one)
		name := article(k.Name)
		said := name + " moves as follows. " + strings.Join(one.said, " ")
		switch {
		case len(one.said) == 0:
			said = name + " does not move."
		case k.Movement == nil:
			same = append(same, k.Name)
			said = ""
			if len(same) == 1 {
				said = "Pieces move as follows, unless stated otherwise for their kind. " + strings.Join(one.said, " ")
			}
		}
		t.when(said != "", "%s", said)
		t.when(len(k.Avoids) > 0, "%s cannot end a move on %s%s.", name, groups(t.r, k.Avoids), passing(t.r, &k))
		where := ""
		if len(k.Beside) > 0 {
			where = " while it is on or beside " + groups(t.r, k.Beside) + "; elsewhere two sides are enough"
		}
		t.when(k.Sides == 4, "%s counts as enclosed only if it is enclosed on all four sides (along its row and column)%s.", name, where)
		t.when(k.Encloses == "helps",
			"%s helps other pieces to enclose, but its own moves do not capture by enclosing.", name)
		t.when(k.Encloses == "never", "%s neither encloses nor helps to enclose.", name)
		t.when(k.InHand != "",
			"%s that is captured goes to its captor's hand as %s.", name, strings.ToLower(article(k.InHand)))
		t.when(len(k.NoDrops) > 0, "%s cannot be dropped on %s.", name, seenCells(k.NoDrops))
		if p := k.Promotes; p != nil {
			t.say("%s", promotion(name, p))
		}
	}
	wholeTurns(t)
}

// groups names groups of cells, with their cells.
func groups(r *engines.Rules, names []string) string {
	var out []string
	for _, g := range r.Cells {
		if slices.Contains(names, g.Name) {
			out = append(out, "the "+g.Name+" ("+strings.Join(g.At, ", ")+")")
		}
	}
	return strings.Join(out, " or ")
}

// passing says whether a kind of piece goes over cells on which it cannot end a move.
func passing(r *engines.Rules, k *rules.Kind) string {
	over := slices.DeleteFunc(slices.Clone(k.Avoids), func(name string) bool {
		return slices.Contains(k.Passes, name)
	})
	switch {
	case len(over) == 0:
		return ", but may pass over it while it is empty"
	case len(k.Passes) > 0:
		return "; it may pass over " + groups(r, k.Passes) + " while it is empty, but not over " + groups(r, over)
	}
	return ", and cannot pass over it"
}

// blocking describes the cells that turns block.
func blocking(t *teller) {
	spared := ""
	if len(t.r.Turn.Spares) > 0 {
		spared = " Cells of " + groups(t.r, t.r.Turn.Spares) + " are never blocked."
	}
	said := map[rules.Word]string{
		"shot": "The piece that has moved then shoots: it blocks an empty cell that it could reach by another " +
			"such move without a capture, if there is one.",
		"anywhere": "The player then blocks one empty cell.",
		"left":     "Each cell that a piece leaves is blocked.",
	}[t.r.Turn.Block]
	t.when(said != "", "%s%s No piece can enter or pass over a blocked cell for the rest of the game.", said, spared)
}

// promotion describes where a piece becomes another kind.
func promotion(name string, p *rules.Promotion) string {
	on := p.On
	if len(on) == 0 {
		on = []string{"far"}
	}
	where, to := seenCells(on), strings.ToLower(article(either(p.To)))
	if len(p.To) > 1 {
		to += ", as its player chooses in a move of its own"
	}
	switch p.When {
	case "arrives":
		return fmt.Sprintf("%s that arrives on %s becomes %s at once; a turn that continues does so as the new kind.", name, where,
			to)
	case "stops":
		return fmt.Sprintf("%s that arrives on %s becomes %s, and the turn ends.", name, where, to)
	}
	return fmt.Sprintf("%s that ends its turn on %s becomes %s.", name, where, to)
}

// seenCells names the cells of words like far, seen from the player of a piece.
func seenCells(words []string) string {
	return strings.NewReplacer("far", "the row farthest from its player", "near", "the row nearest to its player",
		"left", "column a", "right", "the last column").Replace(either(words))
}
