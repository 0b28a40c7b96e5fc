package results

import (
	"slices"
	"strings"
	"testing"

	"spar/ratings"
)

// Every spelling of a result, from the first player's side.
func TestOutcome(t *testing.T) {
	t.Parallel()
	for want, texts := range map[ratings.Outcome][]string{
		ratings.FirstWins:  {"1-0", "1", "1.0", "first", " First\t"},
		ratings.SecondWins: {"0-1", "0", "0.0", "second", "SECOND"},
		ratings.Draw:       {"1/2-1/2", "½-½", "0.5-0.5", "0.5", ".5", "1/2", "½", "draw", "Draw "},
	} {
		for _, text := range texts {
			if got, played, err := Outcome(text); got != want || !played || err != nil {
				t.Errorf("%q: %v, %t, %v; want %v", text, got, played, err, want)
			}
		}
	}
	for _, text := range []string{"*", "", "  "} {
		if _, played, err := Outcome(text); played || err != nil {
			t.Errorf("%q: %t, %v; want a game not played to the end", text, played, err)
		}
	}
	for _, text := range []string{"2", "1-1", "win", "0-0", "-", "1:0"} {
		if _, played, err := Outcome(text); played || err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %t, %v; want a mistake that names it", text, played, err)
		}
	}
}

// pairing looks a pairing up, by who is first.
func pairing(t *testing.T, table *ratings.Table, first, second string) ratings.Pairing {
	t.Helper()
	names := table.Players()
	for _, p := range table.Pairings() {
		if names[p.First] == first && names[p.Second] == second {
			return p
		}
	}
	t.Fatalf("no games of %s against %s", first, second)
	return ratings.Pairing{}
}

// The same five games in both formats: a beats b twice when first, b beats a once when first, a second win of b when
// second, and a draw. Who won is kept apart from who was first: of the four games with a first he has two wins, one
// draw, one loss.
const (
	gamesCSV = "rules,player_first,player_second,result,pair_id\n" +
		"x,a,b,1-0,1\nx,b,a,1-0,1\nx,a,b,first,2\nx,a,b,0,\nx,a,b,0.5,\nx,a,b,*,3\n"
	gamesPGN = `[White "a"]
[Black "b"]
[Result "1-0"]
[PairId "1"]
[Rules "x"]

[White "b"]
[Black "a"]
[Result "1-0"]
[Pair "1"]
[Variant "x"]

[White "a"]
[Black "b"]
[Result "1-0"]
[PairId "2"]
[Variant "x"]

1. c2 { [Result "0-1"] } c3 1-0

[White "a"]
[Black "b"]
[Result "0-1"]
[Variant "x"]

[White "a"]
[Black "b"]
[Result "1/2-1/2"]
[Variant "x"]

[White "a"]
[Black "b"]
[Result "*"]
[PairId "3"]
`
)

func TestWhoWonIsKeptApartFromWhoWasFirst(t *testing.T) {
	t.Parallel()
	for format, text := range map[string]string{"csv": gamesCSV, "pgn": gamesPGN, "pgn behind space": "\n\r\n \t" +
		gamesPGN} {
		table, sum, err := Read(strings.NewReader(text), Options{})
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		if sum != (Summary{Games: 5, Skipped: 1, Paired: true}) {
			t.Errorf("%s: %+v, want 5 games, 1 skipped, pairs", format, sum)
		}
		if p := pairing(t, table, "a", "b"); p.Wins != 2 || p.Draws != 1 || p.Losses != 1 ||
			table.Strata()[p.Stratum] != "x" {
			t.Errorf("%s: a first against b: %+v, want 2 wins, 1 draw, 1 loss in x", format, p)
		}
		if p := pairing(t, table, "b", "a"); p.Wins != 1 || p.Draws != 0 || p.Losses != 0 {
			t.Errorf("%s: b first against a: %+v, want 1 win", format, p)
		}
		// The pair 1 is a's win and a's loss: one point of two, the middle category. Pair 2 has one game and is none.
		if counts, _ := table.Pentanomial("a", "b"); counts != [5]int64{0, 0, 1, 0, 0} {
			t.Errorf("%s: pairs by points %v, want one of 1", format, counts)
		}
		if clusters, _ := table.Clusters(); clusters != 1 {
			t.Errorf("%s: %d clusters, want 1", format, clusters)
		}
	}
}

// Games of which the file says that they do not count are left out and counted; a game of which it says nothing counts.
func TestGamesThatDoNotCount(t *testing.T) {
	t.Parallel()
	const tags = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1-0\n\n"
	for format, text := range map[string]string{
		"csv": "counts_for_strength,player_first,player_second,result,pair_id\n1,a,b,1,1\n0,a,a,1,1\ntrue,a,b,1,2\nFALSE,b,a,?,2\n,a,b,1,3\n",
		"pgn": "%spar {\"kind\":\"game\",\"pair\":1}\n" + tags +
			"%spar {\"kind\":\"game\",\"pair\":1,\"counts_for_strength\":false}\n" + strings.Replace(tags, "b", "a", 1) +
			"%spar {\"kind\":\"game\",\"pair\":2,\"counts_for_strength\":true}\n" + tags +
			"%spar {\"kind\":\"game\",\"counts_for_strength\":false}\n" + tags + tags,
	} {
		table, sum, err := Read(strings.NewReader(text), Options{})
		if err != nil || sum != (Summary{Games: 3, LeftOut: 2, Paired: true}) {
			t.Fatalf("%s: %+v, %v", format, sum, err)
		}
		if p := pairing(t, table, "a", "b"); p.Wins != 3 || len(table.Pairings()) != 1 {
			t.Errorf("%s: %+v of %d pairings", format, p, len(table.Pairings()))
		}
	}
}

// A row that ends before the column says nothing, and counts.
func TestARowEndsBeforeItSaysWhetherItCounts(t *testing.T) {
	t.Parallel()
	if sum := mustRead(t, "player_first,player_second,result,counts_for_strength\na,b,1\na,b,1,0\n"); sum != (Summary{Games: 1, LeftOut: 1}) {
		t.Errorf("%+v", sum)
	}
}

// A cluster is a pairing's pair_id; by opening it is the pair_id whoever plays.
func TestByOpening(t *testing.T) {
	t.Parallel()
	csv := "player_first,player_second,result,pair_id\na,b,1,1\nb,a,1,1\na,c,1,1\nc,a,0,1\n"
	csvPairFirst := "pair_id,player_first,player_second,result\n1,a,b,1\n1,b,a,1\n1,a,c,1\n1,c,a,0\n"
	pgn := ""
	for _, g := range []string{"a b 1-0", "b a 1-0", "a c 1-0", "c a 0-1"} {
		f := strings.Fields(g)
		pgn += "[White \"" + f[0] + "\"]\n[Black \"" + f[1] + "\"]\n[Result \"" + f[2] + "\"]\n[PairId \"1\"]\n\n"
	}
	for _, in := range []string{csv, csvPairFirst, pgn} {
		for byOpening, want := range map[bool]int64{false: 2, true: 1} {
			table, _, err := Read(strings.NewReader(in), Options{ByOpening: byOpening})
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := table.Clusters(); got != want {
				t.Errorf("by opening %t: %d clusters, want %d", byOpening, got, want)
			}
		}
	}
}

// Optional columns may end a row early or be empty; a row that lacks a needed one is refused by its line.
func TestShortRows(t *testing.T) {
	t.Parallel()
	table, sum, err := Read(
		strings.NewReader("result,player_second,player_first,pair_id,rules\n1,b,a\n1,b,a,\n1,b,a,7\n1,b,a,7,\n1,b,a,,y\n"),
		Options{},
	)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Games != 5 || !sum.Paired {
		t.Errorf("%+v, want 5 games with pairs", sum)
	}
	wins := map[string]int64{}
	for _, p := range table.Pairings() {
		wins[table.Strata()[p.Stratum]] += p.Wins
	}
	if wins[""] != 4 || wins["y"] != 1 {
		t.Errorf("wins by rules %v, want 4 without and 1 of y", wins)
	}
	for in, want := range map[string]string{
		"result,player_second,player_first\n1,b,a\n1,b\n":            "line 3: 2 fields, want at least 3",
		"player_first,player_second,result\na,b,1\na,b,1\na,b,7\n":   "line 4",
		"player_first,result\na,1\n":                                 `no column "player_second"`,
		"\n \r\n\tplayer_first,player_second,result\na,b,1\na,b,7\n": "line 5: ",
		"\n\nplayer_first,result\na,1\n":                             `line 3: no column`,
		"\n\nresult,result\na,1\n":                                   `line 3: column "result" occurs twice`,
		"\n\nplayer_first,player_second,result\na,b,1\n\"a,b,1\n":    "line 5",
		"\n\nplayer_first,player_second,result\na,\"b\nc\" x,1\n":    "record on line 4; parse error on line 5",
		"player_second,result\na,1\n":                                `no column "player_first"`,
		"player_first,player_second,result,PairId\n":                 `unknown column "PairId": did you mean "pair_id"?`,
		"player_first,player_second,result,piar_id\n":                `unknown column "piar_id": did you mean "pair_id"?`,
		"player_first,player_second,result,apir-id\n":                `unknown column "apir-id": did you mean "pair_id"?`,
		"player_first,player_second,reslut\n":                        `unknown column "reslut": did you mean "result"?`,
		"player_first,player_second,result,ruels\n":                  `unknown column "ruels": did you mean "rules"?`,
	} {
		if _, _, err := Read(strings.NewReader(in), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want a mistake with %q", in, err, want)
		}
	}
	// Columns that mean something else are left alone.
	others := "id,event,number,reason,plies,moves,seed,marks,first_ms,second_nodes,opening,white,black,turns,rated,date,round,site,elo,winner,time,comment"
	if sum, want := mustRead(t, "player_first,player_second,result,"+others+"\na,b,1"+strings.Repeat(",0", 22)+"\n"),
		(Summary{Games: 1}); sum != want {
		t.Errorf("%+v, want %+v", sum, want)
	}
}

func mustRead(t *testing.T, in string) Summary {
	t.Helper()
	_, sum, err := Read(strings.NewReader(in), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// What foreign PGN files hold besides tags: comments in braces over several lines, comments to the end of the line,
// escapes, tags without a value, moves without tags.
func TestForeignPGN(t *testing.T) {
	t.Parallel()
	const game = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n"
	for _, c := range []struct {
		name, in string
		games    int64
	}{
		{"a comment that looks like a game", game + "\n1. e4 {\n" + game + "}\n1-0\n", 1},
		{"a comment closed and opened on one line", game + "\n{one} 1. e4 {two\n" + game + "} 1-0\n", 1},
		{"a brace behind a semicolon opens nothing", game + "\n1. e4 ; { not a comment\n" + game + "\n1-0\n", 2},
		{"a semicolon inside a comment ends nothing", game + "\n1. e4 {a ; b\n" + game + "} 1-0\n", 1},
		{"an escaped line", "% [White \"no\"]\n" + game + "% more\n\n1-0\n", 1},
		{"a tag that is none", game + "[Event x]\n[Site]\n\n1-0\n", 1},
		{"no line end", game + "\n1-0", 1},
		{"moves alone", "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1-0\n\n1. e4 e5 1-0\n", 1},
		{"spaces within a tag", "[ White   \"a\" ]\n[Black \"b\"]\n[Result \"1-0\"]\n", 1},
	} {
		table, sum, err := Read(strings.NewReader(c.in), Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if sum.Games != c.games || !slices.Equal(table.Players(), []string{"a", "b"}) {
			t.Errorf("%s: %d games of %q, want %d of a and b", c.name, sum.Games, table.Players(), c.games)
		}
	}
	for in, want := range map[string]string{
		"\n" + game + "\n1-0\n\n[White \"a\"]\n[Black \"b\"]\n\n1-0\n": "game at line 8: no result tag",
		game + "\n1-0\n\n[White \"a\"]\n[Black \"b\"]\n[Result " +
			"\"3-0\"]\n\n1-0\n[White \"c\"]\n": "game at line 7: bad results file: result \"3-0\"",
		game + "\n1-0\n\n[Black \"b\"]\n[Result \"1-0\"]\n": "game at line 7: no white tag",
		game + "[White \"a\"]\n[Result \"1-0\"]\n":          "no black tag",
		"[White \"a\"]\n[Black \"a\"]\n[Result \"1-0\"]\n":  `"a"`,
		"[White \"a\"]\n[Result \"1-0\"]\n[White \"a\"]\n[Black " +
			"\"b\"]\n[Result \"1-0\"]\n": "game at line 1: no black tag",
		"[White \"a\"]\n[Black \"a\"]\n[Result \"1-0\"]\n\n1-0\n[White \"a\"]\n[Black " +
			"\"b\"]\n[Result \"1-0\"]": "game at line 1",
	} {
		if _, _, err := Read(strings.NewReader(in), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want a mistake with %q", in, err, want)
		}
	}
}
