package results

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"spar/configs/fuzzlimit"
	"spar/ratings"
)

func TestRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		games    int64
		players  string
		clusters int64
		wins     int64 // of first players
	}{
		{"plain", "player_first,player_second,result\na,b,1\nb,a,0.5\n", 2, "a b", 0, 1},
		{"white and black", "White,Black,Result\na,b,1-0\nb,a,1/2-1/2\n", 2, "a b", 0, 1},
		{"any order", "result,extra,pair_id,player_second,player_first\n1-0,x,7,b,a\n0-1,x,7,a,b\n", 2, "a b", 1, 1},
		{
			"quoted", "player_first,player_second,result\n\"x,y\",\"p\nq\",first\n\"p\nq\",\"x,y\",second\n", 2, "p\nq x,y", 0,
			1,
		},
		{"byte order mark, CRLF", "\ufeffplayer_first,player_second,result\r\na,b,1/2-1/2\r\n", 1, "a b", 0, 0},
		{"unfinished", "player_first,player_second,result\na,b,*\na,b,draw\n", 1, "a b", 0, 0},
		{"header only", "player_first,player_second,result\n", 0, "", 0, 0},
		{"pgn", "[Event \"x\"]\n[White \"A \\\"Q\\\"\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {a [White " +
			"\"no\"]\n[Black \"no\"] comment} e5 1-0\n\n[White \"B\"]\n[Black \"A \\\"Q\\\"\"]\n[Result " +
			"\"1/2-1/2\"]\n\n1/2-1/2\n", 2, "A \"Q\" B", 0, 1},
		{"pgn without moves", "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n[White \"b\"]\n[Black " +
			"\"a\"]\n[Result \"1-0\"]\n", 2, "a b", 0, 2},
		{"pgn with pairs", "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n[PairId \"1\"]\n\n*\n\n[White \"b\"]\n[Black " +
			"\"a\"]\n[Result \"1-0\"]\n[PairId \"1\"]\n\n*\n", 2, "a b", 1, 2},
		{
			"pgn of spar export",
			"%spar {\"kind\":\"study\"}\n\n%spar {\"kind\":\"game\",\"pair\":0,\"detail\":\"{\"}\n[White \"a\"]\n[Black " +
				"\"b\"]\n[Result \"1-0\"]\n\n1. a1 1-0\n\n" +
				"%spar {\"kind\":\"game\",\"pair\":0}\n[White \"b\"]\n[Black \"a\"]\n[Result \"1-0\"]\n\n1-0\n\n%spar " +
				"{\"kind\":\"game\",\"pair\":1}\n[White \"b\"]\n[Black \"a\"]\n[Result \"*\"]\n",
			2, "a b", 1, 2,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table, sum, err := Read(strings.NewReader(tt.in), Options{})
			if err != nil {
				t.Fatal(err)
			}
			clusters, _ := table.Clusters()
			wins := int64(0)
			for _, p := range table.Pairings() {
				wins += p.Wins
			}
			if p := strings.Join(table.Players(), " "); table.Games() != tt.games || sum.Games != tt.games || p != tt.players ||
				clusters != tt.clusters || wins != tt.wins {
				t.Errorf("%d games (%+v), players %q, %d clusters, %d wins", table.Games(), sum, p, clusters, wins)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in, want string
		is             error
	}{
		{"empty", "", "no header", ErrFormat},
		{"one column", "\n\nwho\na\n", "line 3: no column \"player_first\"", ErrFormat},
		{"no result column", "player_first,player_second\na,b\n", `"result"`, ErrFormat},
		{"column twice", "player_first,player_first,player_second,result\n", "twice", ErrFormat},
		{"bad result", "player_first,player_second,result\na,b,2\n", "line 2", ErrFormat},
		{"short row", "player_first,player_second,result\na,b,1\na,b\n", "line 3", ErrFormat},
		{"self-play", "player_first,player_second,result\nann,ann,1\n", `"ann"`, ratings.ErrSelfPlay},
		{"broken quote", "player_first,player_second,result\n\"a,b,1\n", "line 2", ErrFormat},
		{"pgn without Black", "[White \"a\"]\n[Result \"1-0\"]\n\n1-0\n", "black", ErrFormat},
		{"broken line of spar export", "[White \"a\"]\n%spar {\n", "line 2: bad results file: %spar: ", ErrFormat},
		{
			"counts neither yes nor no", "player_first,player_second,result,counts_for_strength\na,b,1,1\na,b,1,maybe\n",
			`line 3: counts_for_strength is "maybe": expected 1 or 0`, ErrFormat,
		},
		{"database", "SQLite format 3\x00\x10\x00", "an SQLite file, as a study is: expected CSV or PGN", ErrFormat},
		{"long header", strings.Repeat("a,", 500), `in the header "` + strings.Repeat("a,", 98) + `a..."`, ErrFormat},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := Read(strings.NewReader(tt.in), Options{})
			if !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
		})
	}
}

// BenchmarkCSV40 is the whole way from text to printed intervals: 40 players,
// 50,000 games in pairs.
func BenchmarkCSV40(b *testing.B) {
	var text strings.Builder
	text.WriteString("pair_id,player_first,player_second,result\n")
	rng := rand.New(rand.NewPCG(1, 1))
	for k := range 25000 {
		x, y := rng.IntN(40), rng.IntN(39)
		if y >= x {
			y++
		}
		fmt.Fprintf(&text, "%d,P%02d,P%02d,%d\n%d,P%02d,P%02d,0.5\n", k, x, y, rng.IntN(2), k, y, x)
	}
	in := text.String()
	for b.Loop() {
		table, _, err := Read(strings.NewReader(in), Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := table.Fit(ratings.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("player_first,player_second,result\na,b,1\n")
	f.Add("[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1-0\n")
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, in string) {
		defer watch()()
		table, sum, err := Read(strings.NewReader(in), Options{})
		if err == nil && table.Games() != sum.Games {
			t.Fatalf("%d games in the table, %d counted", table.Games(), sum.Games)
		}
	})
}
