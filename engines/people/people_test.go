package people_test

import (
	"os"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/people"
	"spar/engines/solve/suite"
)

// The matches between people replay to the results that the benchmark states.
func TestMatches(t *testing.T) {
	t.Parallel()
	games := must.Get(suite.Games("people"))(t)
	f := must.Get(os.Open("testdata/matches.jsonl"))(t)
	defer f.Close()
	matches, skipped := must.Get2(people.ReadMatches(f, "matches.jsonl", games))(t)
	by := map[string]int{}
	for _, m := range matches {
		by[m.By]++
	}
	if by["play"] != 385 || by["agreement"]+by["surrender"] != 63 {
		t.Errorf("%v: expected 385 matches by play and 63 others", by)
	}
	if len(skipped) != 1 || skipped[0].Game != "3x3-win3-two-second" {
		t.Errorf("skipped %v: expected the one match without moves", skipped)
	}
}

// A bad line refuses the file and is named, with the nearest word that is valid.
func TestBadLines(t *testing.T) {
	t.Parallel()
	const good = `{"id": "a", "rows": 3, "columns": 3, "line": [3, 3], "directions": ["any", "any"], "first_turns": [1, 1]}`
	for change, want := range map[string]string{
		`"rows": 3|"rows": 30`:          `games:2: board.rows=30: board.rows:`,
		`"any", "any"|"any", "digonal"`: `did you mean diagonal?`,
		`"line": [3, 3]|"line": [4, 3]`: `win.line: a line of 4 does not fit`,
		`"id": "b"|"id": "a"`:           `"a" is a duplicate; the first is on line 1`,
		`"rows"|"row"`:                  `unknown key "row"; did you mean rows?`,
		`[1, 1]|[0, 1]`:                 `first_turns: 0: expected two numbers of pieces, each from 1 to 8`,
	} {
		before, after, _ := strings.Cut(change, "|")
		second := strings.Replace(strings.Replace(good, `"a"`, `"b"`, 1), before, after, 1)
		_, err := people.ReadGames(strings.NewReader(good+"\n"+second), "games")
		if err == nil || !strings.HasPrefix(err.Error(), "games:2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", change, err, want)
		}
	}
	g := must.Get(engines.Named("classic"))(t)
	games := map[string]*engines.Game{"a": g}
	const match = `{"game": "a", "moves": "a1 a2 b1 b2 c1", "sides": "XOXOX", "result": "first", "by": "play"}`
	for change, want := range map[string]string{
		`"a"|"aa"`:      `unknown game "aa"; did you mean a?`,
		`b2|b1`:         `move 4:`,
		`XOXOX|XOXXX`:   `move 4: b2: "sides" has X, expected O`,
		`first|draw`:    `result: "draw": after the moves, the result is first`,
		` c1| c3`:       `result: "first": after the moves, the result is ongoing`,
		`"play"|"plai"`: `did you mean play?`,
	} {
		before, after, _ := strings.Cut(change, "|")
		_, _, err := people.ReadMatches(strings.NewReader(match+"\n"+strings.Replace(match, before, after, 1)), "matches",
			games)
		if err == nil || !strings.HasPrefix(err.Error(), "matches:2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", change, err, want)
		}
	}
}
