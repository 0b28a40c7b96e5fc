package inpage

import (
	"fmt"
	"html"
	"net/url"
	"strings"

	"spar/configs/plain"
	"spar/engines"
	"spar/reports/board"
	"spar/reports/playing"
)

// show writes the changing part of the page.
func (p *Page) show(from, problem string) string {
	pos := p.game.NewPosition()
	frames, sides, err := board.Replay(pos, p.moves)
	if err != nil { // the moves were played here
		return html.EscapeString(err.Error())
	}
	d := p.drawing(pos, frames, from)
	grid := d.Grid()
	var b strings.Builder
	write := func(format string, args ...any) {
		for i, a := range args {
			if text, ok := a.(string); ok {
				args[i] = html.EscapeString(text)
			}
		}
		fmt.Fprintf(&b, format, args...)
	}
	command := func(name, key, label string, on bool) {
		off := ""
		if !on {
			off = " disabled"
		}
		write(`<form method="post" action="%s" data-patch><input type="hidden" name="ply" value="%d"><button data-key="%s"`+
			off+`>%s</button></form>`,
			name, len(p.moves), key, label)
	}
	write(`<main id="main" class="playing" data-game="%s" data-ply="%d"`+string(board.Coloured(p.game)), p.game.Name(),
		len(p.moves))
	if p.game.Cells() == 9 {
		write(` data-digits`)
	}
	if !pos.Over() && !p.persons(pos.Side()) {
		write(` data-think`)
	}
	write("><h1>%s</h1>\n", board.Title(p.game))
	names := p.names()
	label := p.game.SideName
	write(`<p class="players"><span class="X">%s</span> %s – <span class="O">%s</span> %s</p>`, label(0), names[0],
		label(1), names[1])
	if problem != "" {
		write(`<div class="error" role="alert"><p>%s</p></div>`, plain.Capital(problem)+".")
	}
	say := frames[len(frames)-1].Say
	if pos.Over() {
		say = board.Result(pos) + "."
	}
	write(`<div class="stage"><section class="boardbox" aria-label="Board and moves">
<p class="status" id="status">%s</p><p class="hear" id="say" aria-live="polite">%s</p>
<form method="post" action="move" class="boardform" data-patch data-self="play">
<input type="hidden" name="ply" value="%d">`,
		p.status(pos, grid.From), say, len(p.moves))
	b.WriteString(string(grid.HTML()))
	b.WriteString(string(grid.Buttons()))
	write("</form>")
	if d.Play {
		write(`<form method="post" action="move" data-patch class="typed"><input type="hidden" name="ply" value="%d">
<label for="typed">Type a move</label> <input id="typed" name="move" autocomplete="off" autocapitalize="off"
spellcheck="false" size="8" required> <button>Play it</button></form>`, len(p.moves))
	}
	write(`<div class="controls" role="group" aria-label="Commands">
<button type="button" class="flip" data-key="f" aria-pressed="false">Flip the board</button>`)
	command("undo", "u", "Undo", len(p.moves) > 0)
	command("redo", "r", "Redo", len(p.redo) > 0)
	command("hint", "h", "Hint", d.Play)
	write(
		`<form method="post" action="start" data-patch><input type="hidden" name="game" value="%s">
<button>New game</button></form></div>`,
		p.game.Name(),
	)
	if p.hint > 0 {
		write(`<p class="hint" role="status">%s</p>`, playing.Hint(p.game, p.rated, p.source, p.hint))
	}
	if pos.Over() {
		write(
			`<div class="ended"><p class="link"><label for="copy">This game as text</label>
<input id="copy" readonly value="%s"></p>
<p class="link"><label for="share">As a link to this page</label> <input id="share" readonly data-link="%s"></p>
<p class="n">"spar analyze RULES --moves" reads the text.</p></div>`,
			strings.Join(p.moves, " "),
			p.link(),
		)
	}
	write("</section>\n" + `<section class="course" aria-label="The game"><dl class="facts">`)
	for _, f := range playing.Facts(pos, frames, sides, p.moves) {
		write(`<div><dt>%s</dt><dd>%s</dd></div>`, f.Name, f.Value)
	}
	write(`</dl><h2 id="moves-title">Moves</h2>`)
	if len(p.moves) == 0 {
		write(`<p class="n">None yet.</p>`)
	} else {
		write(`<ol class="moves" tabindex="0" aria-labelledby="moves-title">`)
		for i, m := range p.moves {
			current := ""
			if i == len(p.moves)-1 {
				current = ` aria-current="step"`
			}
			write(`<li`+current+`><span class="%s">%s</span> %s</li>`, sides[i:i+1], label(strings.Index("XO", sides[i:i+1])), m)
		}
		write("</ol>")
	}
	write(`<p class="legend n">%s</p><div data-rules></div></section></div></main>`, playing.Legend(p.game, d.Values))
	return b.String()
}

// names returns the names of the players, by side.
func (p *Page) names() [2]string {
	out := [2]string{"first player", "second player"}
	if p.agent != nil {
		out[p.mine], out[1-p.mine] = "you", "computer, "+p.level.Name
	}
	return out
}

// status describes whose turn it is, or how the game ended.
func (p *Page) status(pos *engines.Position, from string) string {
	side := p.game.SideLabel(pos.Side())
	switch {
	case pos.Over():
		return board.Result(pos) + "."
	case !p.persons(pos.Side()):
		return fmt.Sprintf("The computer (%s) is thinking.", side)
	case from != "":
		return fmt.Sprintf("Your move (%s): where does %s go?", side, from)
	}
	return fmt.Sprintf("Your move (%s)%s.", side, board.Due(pos))
}

// seats returns the names of the players in a link.
func (p *Page) seats() [2]string {
	out := [2]string{"human", "human"}
	if p.agent != nil {
		out[1-p.mine] = p.level.Agent
	}
	return out
}

// link returns the part of a link to the game that follows the number sign.
func (p *Page) link() string {
	seats := p.seats()
	return url.Values{
		"game":   {p.game.Name()},
		"rules":  {p.game.RulesHash()},
		"first":  {seats[0]},
		"second": {seats[1]},
		"seed":   {fmt.Sprint(p.seed)},
		"moves":  {strings.Join(p.moves, " ")},
	}.Encode()
}
