package results

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"spar/configs/fuzzlimit"
	"spar/configs/strict"
	"spar/ratings"
)

// read returns what was read in a line: games, how many of them the first player won, drew and lost, the names, and
// whatever else the summary counts.
func read(t *testing.T, in string, o Options) (*ratings.Table, Summary, string) {
	t.Helper()
	table, s, err := Read(strings.NewReader(in), o)
	if err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n")
		return nil, s, "error" + text
	}
	var wins, draws, losses int64
	for _, p := range table.Pairings() {
		wins += p.Wins
		draws += p.Draws
		losses += p.Losses
	}
	line := fmt.Sprintf("%d-%d-%d %s", wins, draws, losses, strings.Join(table.Players(), " "))
	if n, _ := table.Clusters(); n > 0 {
		line += fmt.Sprintf(", %d clusters", n)
	}
	for _, x := range []struct {
		n    int64
		what string
	}{
		{s.Pairs, "pairs"}, {s.Distinct, "distinct"}, {s.Skipped, "skipped"}, {s.Byes, "byes"}, {s.LeftOut, "left out"}, {s.Odd, "odd"},
	} {
		if x.n > 0 {
			line += fmt.Sprintf(", %d %s", x.n, x.what)
		}
	}
	for _, e := range s.Mistakes {
		line += fmt.Sprintf("; %d:%d %s", e.Line, e.Col, e.Message)
	}
	return table, s, line
}

// pgnOf writes games like "a b 1-0 round fen | moves" as PGN.
func pgnOf(games ...string) string {
	var b strings.Builder
	for _, g := range games {
		tags, moves, _ := strings.Cut(g, "|")
		for i, value := range strings.Fields(tags) {
			fmt.Fprintf(&b, "[%s %q]\n", []string{"White", "Black", "Result", "Round", "FEN"}[i], value)
		}
		fmt.Fprintf(&b, "\n%s *\n\n", strings.TrimSpace(moves))
	}
	return b.String()
}

func TestCSV(t *testing.T) {
	t.Parallel()
	const head = "player_first,player_second,result\n"
	for _, c := range []struct{ name, in, want string }{
		{"plain", head + "a,b,1\nb,a,0.5\n", "1-1-0 a b"},
		{"white and black, any case", "White,Black,Result\na,b,1-0\nb,a,1/2-1/2\n", "1-1-0 a b"},
		{"any order", "result,extra,pair_id,player_second,player_first\n1-0,x,7,b,a\n0-1,x,7,a,b\n", "1-0-1 a b, 1 clusters"},
		{"quoted", head + "\"x,y\",\"p \"\"q\"\"\",first\n\"p \"\"q\"\"\" , \"x,y\" ,second\n", `1-0-1 p "q" x,y`},
		{"over two lines", head + "\"p\nq\",\"x\",first\nx,p q,1\n", `2-0-0 p q x`},
		{"unfinished", head + "a,b,*\na,b,draw\n", "0-1-0 a b, 1 skipped"},
		{"header only", head, "0-0-0 "},
		{"spaces", "white, black, result\nA, B, 1-0\n\tB ,A\u00a0, 0-1\n", "1-0-1 A B"},
		{"two forms of Unicode", head + "e\u0301,b,1\n\u00e9,b,1\n", "2-0-0 b é"},
		{"UTF-16", "\xff\xfe" + strings.ReplaceAll(head+"a,b,1\r\n", "", "\x00")[1:], "1-0-0 a b"},
		{"Latin-1, CR", strings.ReplaceAll(head, "\n", "\r") + "\xe9,b,1\r", "1-0-0 b é"},
		{
			"semicolons and byes", "Round;White;Black;Result\n1;a;b;1-0\n1;c;;Bye\n2;a;c;0,5-0,5\n2;bye;b;0-1\n3;c;a;1-0F\n3;b;;\n4;b;;+\n;;;\n",
			"2-1-0 a b c, 1 skipped, 3 byes",
		},
		{"tabs", "white\tblack\tresult\na\tb\t0,5\n", "0-1-0 a b"},
		{"separator stated", "sep=;\nwhite;black;result\na;b;1:0\n", "1-0-0 a b"},
		{"semicolons around commas", "white;black;result;note\na, b;c;1;x,y,z,w\n", "1-0-0 a, b c"},
		{"joined files", "\ufeff" + head + "a,b,1\n\ufeff" + head + "b,a,1\n", "2-0-0 a b"},
		{"one odd game", head + "a,b,1\na,b,2-0\nb,a,1\n", `2-0-0 a b, 1 odd; 3:5 result "2-0": expected 1-0, 0-1, 1/2-1/2, ` +
			"1, 0, 0.5, first, second or draw"},
		{"oneself", head + "a,a,1\na,b,1\n", `1-0-0 a b, 1 odd; 2:3 agent against itself: "a"`},
		{"short row", head + "a,b\na,b,1\n", "1-0-0 a b, 1 odd; 2:1 2 fields, want at least 3"},
		{"a comma that separates nothing", head + "a,b,0,5\na,b,1,\n", "1-0-0 a b, 1 odd; 2:7 the line has 4 fields, but the header has 3"},
		{"a mark that does not end", head + "é,\"b,1\nc,d,1\n\"e\",f,1\n", "2-0-0 c d e f, 1 odd; 2:3 the closing quotation mark is " +
			"missing or misplaced"},
		{
			"a mark that does not end, at the end", head + strings.Repeat("a,b,1\n", 3) + "a,\"b,1\nc,d,1\n",
			"4-0-0 a b c d, 1 odd; 5:3 the closing quotation mark is missing or misplaced",
		},
		{"does not count", "counts_for_strength,player_first,player_second,result,pair_id\n1,a,b,1,1\n0,a,a,1,1\ntrue,a,b,1,2\n" +
			"FALSE,b,a,?,2\n,a,b,1,3\nmaybe,a,b,1,4\n", "3-0-0 a b, 2 left out, 1 odd; 7:1 counts_for_strength is \"maybe\": expected 1 or 0"},
		{"columns that end early", "result,player_second,player_first,pair_id,rules\n1,b,a\n1,b,a,7\n0,a,b,7\n", "2-0-1 a b, 1 clusters"},
		{"other columns", head[:len(head)-1] + ",id,number,plies,seed,marks,first_ms,second_nodes,opening,turns,rated,date,site," +
			"elo,winner,time,comment\na,b,1" + strings.Repeat(",0", 16) + "\n", "1-0-0 a b"},
		{
			"pairs by round and opening", "round,fen,white,black,result\n1,x,a,b,1\n1,x,b,a,1\n2,x,a,b,1\n3,x,b,a,0\n",
			"3-0-1 a b, 1 clusters, 1 pairs",
		},
		{
			"copies", "white,black,result,moves\n" + strings.Repeat("a,b,1,e4 e5\n", 2) + strings.Repeat("a,b,1,\n", 9),
			"11-0-0 a b, 1 clusters, 10 distinct",
		},

		{"empty", "", "error:1:1: empty: no header"},
		{"no column", "\n\nwho\na\n", `error:3:1: no column "player_first" in the header "who" (the player columns may also be called white and black)`},
		{"column twice", "result,white,result\n", `error:1:14: column "result" occurs twice`},
		{"misspelt", head[:len(head)-1] + ",PairId\n", `error:1:35: unknown column "PairId": did you mean "pair_id"?`},
		{"misspelt", head[:len(head)-1] + ",ruels\n", `error:1:35: unknown column "ruels": did you mean "rules"?`},
		{"a study", "SQLite format 3\x00\x10\x00", "error:1:1: this is an SQLite file, perhaps a study: expected CSV or PGN; spar standings rates a study"},
		{"JSON", "\n{\"kind\":\"study\"}\n", "error:2:1: expected CSV or PGN; spar import reads JSONL"},
	} {
		if _, _, got := read(t, c.in, Options{}); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Who won is kept apart from who was first, and a seat from the name: a beats b as second in the last game.
func TestPGN(t *testing.T) {
	t.Parallel()
	const game = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n"
	for _, c := range []struct{ name, in, want string }{
		{"games", pgnOf("a b 1-0", "b a 1/2-1/2", "b a 0-1", "a b *"), "1-1-1 a b, 1 skipped"},
		{"without moves", game + game, "2-0-0 a b"},
		{"a pair", game + "[PairId \"1\"]\n\n*\n\n" + game + "[Pair \"1\"]\n\n*", "2-0-0 a b, 1 clusters"},
		{"of an older export", "%spar {\"kind\":\"study\"}\n\n%spar {\"kind\":\"game\",\"pair\":0,\"detail\":\"{\"}\n" + game +
			"\n1. a1 1-0\n\n%spar {\"kind\":\"game\",\"pair\":0}\n" + game + "\n1. b1 1-0\n\n%spar " +
			"{\"kind\":\"game\",\"counts_for_strength\":false}\n" + game, "2-0-0 a b, 1 clusters, 2 distinct, 1 left out"},
		{"a comment that looks like a game", game + "\n1. e4 {\n" + game + "}\n1-0\n", "1-0-0 a b, 1 distinct"},
		{"a comment closed and opened on one line", game + "\n{one} 1. e4 {two\n" + game + "} 1-0\n", "1-0-0 a b, 1 distinct"},
		{"a brace behind a semicolon opens nothing", game + "\n1. e4 ; { no comment\n" + game + "\n1. d4\n", "2-0-0 a b, 2 distinct"},
		{"a semicolon inside a comment ends nothing", game + "\n1. e4 {a ; b\n" + game + "} 1-0\n", "1-0-0 a b, 1 distinct"},
		{"an escaped line", "% [White \"no\"]\n" + game + "% more\n\n1-0\n", "1-0-0 a b"},
		{"tags that are none", "[Event x]\n" + game + "[Site]\n[Note \"x]\n\n1-0\n", "1-0-0 a b"},
		{"tags on a line", "[White \"a \\\"the\\\" x\"][Black \"b\\\\c\"] [Result \"1/2-1/2\"] 1. e4", `0-1-0 a "the" x b\c, 1 distinct`},
		{"a mark inside a tag", strings.Replace(game, `"a"`, `"a "q" b"`, 1), `1-0-0 a "q" b b`},
		{"spaces within a tag", "[ White   \"a\" ]\n" + game[len("[White \"a\"]\n"):], "1-0-0 a b"},
		{"a tag twice", "[Event \"x\"]\n[Event \"y\"]\n[Annotator \"x\"]\n" + game + "[Annotator \"y\"]\n\n1. e4 1-0\n", "1-0-0 a b, 1 distinct"},
		{"the result behind the moves", strings.Replace(game, "[Result \"1-0\"]\n", "", 1) + "\n1. e4 0-1\n", "0-0-1 a b, 1 distinct"},
		{
			"an open comment", game + "\n1. e4 {cut\n\n" + game + "\n1. d4 {book} 1-0\n\n" + game + "\n1. d4 {cut\n",
			"3-0-0 a b, 3 distinct; 5:1 the comment is not closed; 17:1 the comment is not closed",
		},
		{"an open comment before an event", game + "\n1. e4 {cut\n[Event \"x\"]\n" + game, "2-0-0 a b; 5:1 the comment is not closed"},
		{"no names", pgnOf("a b 1-0") + strings.Replace(game, `"a"`, `""`, 1) + "\n1-0\n", "1-0-0 a b, 1 byes"},
		{
			"nobody", strings.NewReplacer(`"a"`, `""`, `"b"`, `""`).Replace(game) + "\n1-0\n\n" + game,
			"1-0-0 a b, 1 odd; 1:1 the first player has no name",
		},
		{"unknown", strings.Replace(game, `"b"`, `"?"`, 1), "0-0-0 , 1 odd; 2:1 the second player has no name"},
		{"no black tag", game + "\n*\n\n[White \"a\"]\n[Result \"1-0\"]\n", "1-0-0 a b, 1 odd; 7:1 the game has no Black tag"},
		{"no result", game + "\n*\n\n[White \"a\"]\n[Black \"b\"]\n\n1. e4\n", "1-0-0 a b, 1 odd; 7:1 the game has no Result tag"},
		{"two results", game + "\n0-1\n\n" + game + "\n1-0\n", "1-0-0 a b, 1 odd; 3:1 the Result tag differs from 0-1 behind the moves"},
		{"oneself", strings.Replace(game, `"b"`, `"a"`, 1), "0-0-0 , 1 odd; 2:1 agent against itself: \"a\""},
		{"a broken line of an export", game + "%spar {\n", "error:4:1: %spar: unexpected end of JSON input"},

		{
			"pairs", pgnOf("a b 1-0 1 x", "b a 1-0 1 x", "a b 1-0 2 x", "b a 1-0 3 x", "a b 1-0 4", "b a 0-1 4"),
			"5-0-1 a b, 2 clusters, 2 pairs",
		},
		{
			"three in a round, or seats alike", pgnOf("a b 1-0 1", "b a 1-0 1", "a b 1-0 1", "a b 1-0 2", "a b 1-0 2", "b a 1-0 ?", "a b 1-0 ?"),
			"7-0-0 a b",
		},
		// Comments, variations, numbers and annotations are no moves; the opening, the seats and the result are the
		// game's.
		{
			"copies", strings.Repeat(pgnOf("a b 1-0 - f | 1. e4 e5", "a b 1-0 - f | 1.e4! {x} 1...e5?! (1... c5 2. d4) $1"), 6) +
				pgnOf("b a 1-0 - f | e4 e5", "a b 1-0 - g | e4 e5", "a b 0-1 - f | e4 e5", "a b 1-0 - f | e4 c5"),
			"4-0-1 a b, 5 distinct",
		},
	} {
		if _, _, got := read(t, c.in, Options{}); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

// The same games from both formats: who won is kept apart from who was first, and rules from pairs. The pair 1 is a's
// win and a's loss: one point of two, the middle category. Pair 2 has one game and is none.
func TestFormatsMeanTheSame(t *testing.T) {
	t.Parallel()
	pgn := ""
	for _, g := range []string{"a b 1-0 1", "b a 1-0 1", "a b 1-0 2", "a b 0-1", "a b 1/2-1/2", "a b * 3"} {
		pgn += "[Variant \"x\"]\n"
		for i, v := range strings.Fields(g) {
			pgn += fmt.Sprintf("[%s %q]\n", []string{"White", "Black", "Result", "PairId"}[i], v)
		}
		pgn += "\n"
	}
	for _, in := range []string{
		"rules,player_first,player_second,result,pair_id\nx,a,b,1-0,1\nx,b,a,1-0,1\nx,a,b,first,2\nx,a,b,0,\nx,a,b,0.5,\nx,a,b,*,3\n",
		pgn,
	} {
		table, _, line := read(t, in, Options{})
		if line != "3-1-1 a b, 1 clusters, 1 skipped" || !slices.Equal(table.Strata(), []string{"x"}) {
			t.Errorf("%s of %q", line, table.Strata())
		}
		if got := table.Pairings(); len(got) != 2 || got[0] != (ratings.Pairing{Second: 1, Wins: 2, Draws: 1, Losses: 1}) ||
			got[1] != (ratings.Pairing{First: 1, Wins: 1}) {
			t.Errorf("%+v", got)
		}
	}
}

// A pair is a pairing's pair_id. With ByOpening it is also one opening, whoever plays; so is an equal opening.
func TestByOpening(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		column    string
		byOpening bool
		want      int64 // openings that pairs share
	}{{"pair_id", false, 0}, {"pair_id", true, 1}, {"fen", false, 1}} {
		table, _, got := read(t, c.column+",white,black,result\n1,a,b,1\n1,b,a,1\n1,a,c,1\n1,c,a,0\n", Options{ByOpening: c.byOpening})
		if !strings.HasPrefix(got, "3-0-1 a b c") || table.Openings() != c.want {
			t.Errorf("%+v: %s, %d openings", c, got, table.Openings())
		}
	}
}

// A strict reader refuses what another one skips, with its place and the line.
func TestStrict(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"white,black,result\na,b,1\na,b,2\n":                           "x.csv:3:5: result \"2\": expected 1-0, ",
		pgnOf("a b 1-0") + "[White \"a\"]\n":                           "x.csv:7:1: the game has no Result tag\n     7 | [White \"a\"]\n",
		"[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 {x\n": "x.csv:5:1: the comment is not closed",
	} {
		_, _, err := Read(strings.NewReader(in), Options{File: "x.csv", Strict: true})
		if !strict.IsBadInput(err) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	var wrong strict.Errors
	if _, _, err := Read(strings.NewReader("white,black\n"), Options{}); !errors.As(err, &wrong) || len(wrong) != 1 {
		t.Error(err)
	}
}

// Every spelling of a result, from the first player's side.
func TestResults(t *testing.T) {
	t.Parallel()
	for want, texts := range map[result][]string{
		{ratings.FirstWins, true, false, false}: {
			"1-0", "1", "1.0", "first", " First\t", "1:0", "1 - 0", "1–0", "1.0-0.0", "1/0", "1,0",
		},
		{ratings.SecondWins, true, false, false}: {"0-1", "0", "0.0", "second", "SECOND", "0:1", "0 : 1"},
		{ratings.Draw, true, false, false}: {
			"1/2-1/2", "½-½", "0.5-0.5", "0.5", ".5", "1/2", "½", "draw", "Draw ", "0,5", "0,5:0,5", "½ : ½", "1/2 - 1/2", "=", "=-=",
		},
		{ratings.FirstWins, true, false, true}:  {"1-0F", "1-0 f", "1F-0F", "1f", "+ - -", "+:-", "+/-", "1-0 (forfeit)", "1-0 ff"},
		{ratings.SecondWins, true, false, true}: {"0-1F", "0F-1F", "- - +", "-:+"},
		{0, false, true, false}:                 {"bye", "Bye", "1-bye", "½-bye", "(bye)"},
		{}:                                      {"*", "", "  ", "-", "?", "unplayed"},
	} {
		for _, text := range texts {
			if got, ok := parseResult(text); got != want || !ok {
				t.Errorf("%q: %+v, %t; want %+v", text, got, ok, want)
			}
		}
	}
	for _, text := range []string{"2", "1-1", "win", "0-0", "2-0", "1-", "-1", "1-0-0", "0x1", "nan", "NaN-1", "inf", "+1"} {
		if got, ok := parseResult(text); ok && got.played {
			t.Errorf("%q: %+v; want a mistake", text, got)
		}
	}
}

// The notes of each file of testdata, which hold what other programs write.
func TestNotes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{
			"ends", "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n[Termination \"stalled connection\"]\n\n1. e4\n\n[White \"b\"]\n" +
				"[Black \"a\"]\n[Result \"0-1\"]\n[Termination \"time forfeit\"]\n\n1. d4\n",
			"2 of 2 games ended by a stalled connection (1) or on time (1); Spar counts them as played",
		},
		{"an end of the game itself", "white,black,result,reason\na,b,1,connection\n", "No pairs: the file has neither pairs (pair_id) " +
			"nor rounds (Round), so each game is a unit"},
		{"pairs", pgnOf("a b 1-0 1 x", "b a 1-0 1 x", "a b 1-0 2 x"), "Found 1 pair: two games with the same Round and opening (FEN) " +
			"but swapped seats are one unit\n1 game without a pair"},
		{"no pairs", pgnOf("a b 1-0 1 x", "b a 1-0 2 x"), "No pairs: no two games have the same Round and opening (FEN) but swapped seats"},
		{"copies", strings.Repeat(pgnOf("a b 1-0 - f | e4", "b a 1-0 - f | d4"), 20), "Only 2 of 40 games are distinct, too few " +
			"for an interval: Spar rates each distinct game once"},
		{"spellings", "white,black,result\ne\u0301,b,1\n\u00e9,b,1\n", "The file spells \"é\" in two ways that look the same"},
		{"odd", "white,black,result\na,b,3\na,b,4\na,b,1\na,b,5\n,,1\n", "Skipped 4 games that Spar cannot read (line 2: result \"3\": "},
		{"odd", "white,black,result\na,b,3\na,b,4\na,b,1\na,b,5\n,,1\n", "; and 1 more); --strict refuses such a file"},
	} {
		if _, s, _ := read(t, c.in, Options{}); !strings.Contains(strings.Join(s.Notes, "\n"), c.want) {
			t.Errorf("%s: %q, want %q", c.name, s.Notes, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("player_first,player_second,result\na,b,1\n")
	f.Add("white;black;result\n\"a;b;1-0\n\"c\";d;0,5\n")
	f.Add("[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 {x\n\n[Event \"y\"]\n")
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, in string) {
		defer watch()()
		table, sum, err := Read(strings.NewReader(in), Options{})
		if want := sum.Games; err == nil && table.Games() != want && !(sum.Few && table.Games() == sum.Distinct) {
			t.Fatalf("%d games in the table, %d counted", table.Games(), want)
		}
	})
}
