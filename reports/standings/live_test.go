package standings

import (
	"strings"
	"testing"

	"spar/arena/evidence"
	"spar/engines"
	"spar/ratings"
)

// The live view counts finished pairs, from the view of the plan's first agent whoever sat first, and leaves half pairs
// out of the ratings. Three pairs of 2, 1 and 2 points of 2 are 5 of 6: 83.3 %.
func TestLiveStandings(t *testing.T) {
	t.Parallel()
	l := NewLive("a", &ratings.SPRT{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05})
	win := engines.FirstWins
	loss := engines.SecondWins
	fault := evidence.Forfeit
	for _, g := range []LiveGame{
		{Rules: "classic", First: "a", Second: "b", Pair: 0, Result: win, Plies: 5, Marks: 0},
		{Rules: "classic", First: "b", Second: "a", Pair: 0, Result: loss, Plies: 7, Marks: 0},
		{Rules: "classic", First: "b", Second: "a", Pair: 1, Result: win, Plies: 9, Marks: 0},
		{Rules: "classic", First: "a", Second: "b", Pair: 2, Result: win, Plies: 5, Marks: fault},
		{Rules: "classic", First: "b", Second: "a", Pair: 2, Result: loss, Plies: 5, Marks: fault},
		{Rules: "classic", First: "a", Second: "b", Pair: 1, Result: win, Plies: 5, Marks: 0},
		{Rules: "classic", First: "a", Second: "b", Pair: 3, Result: loss, Plies: 6, Marks: 0}, // its other half is missing
		{Rules: "classic", First: "a", Second: "b", Pair: 4, Result: loss, Plies: 6, Marks: evidence.Surplus},
		{Rules: "classic", First: "b", Second: "a", Pair: 4, Result: win, Plies: 6, Marks: evidence.Surplus},
	} {
		l.Add(g)
	}
	text := l.Text()
	for _, want := range []string{
		"1  a ", "83.3 %", "16.7 %", "mean length 6.0 plies, faults: 2",
		"pairs of 0, ½, 1, 1½, 2 points: 0 0 1 0 2", "sequential test of Elo 0 against 50: LLR ",
		"a is ahead by +280 Elo (-267 to 1529, 3 pairs)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if empty := NewLive("a", nil); empty.Text() != "" || empty.Health() != "mean length 0.0 plies, faults: 0" {
		t.Errorf("before the first game: %q, %q", empty.Text(), empty.Health())
	}
}

// A game that is not judged is no part of the ratings until it is, and then by what it counts for; its length is that
// of a game at once.
func TestPendingGamesWait(t *testing.T) {
	t.Parallel()
	l := NewLive("a", &ratings.SPRT{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05})
	game := func(number int64, m evidence.Marks) LiveGame {
		g := LiveGame{
			Number: number, Rules: "x", First: "a", Second: "b", Pair: number / 2, Result: engines.FirstWins,
			Plies: 6, Marks: m,
		}
		if number%2 == 1 {
			g.First, g.Second, g.Result = g.Second, g.First, engines.SecondWins
		}
		return g
	}
	pairs := func(want string) {
		t.Helper()
		if got := l.Test(); !strings.HasSuffix(got, want) && got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	l.Add(game(0, 0))
	for number := int64(1); number < 6; number++ {
		l.Add(game(number, evidence.Pending))
	}
	pairs("2 points: 0 0 0 0 0")
	if got := l.Health(); got != "mean length 6.0 plies, faults: 0" || l.Text() != "" {
		t.Errorf("%s\n%s", got, l.Text())
	}
	l.Judge(1, 0)
	l.Judge(1, 0) // once is enough
	l.Judge(9, 0) // not there
	pairs("2 points: 0 0 0 0 1")
	for number, m := range map[int64]evidence.Marks{
		2: evidence.Repeated, 3: evidence.Repeated, 4: evidence.Surplus,
		5: evidence.Surplus,
	} {
		l.Judge(number, m)
	}
	pairs("2 points: 0 0 0 0 1")
}

// A run says once, and not before the twentieth pair, that the seat decides most pairs of a game. Of ctor's pairs it
// decides one in three.
func TestLiveTellsOfSplitPairs(t *testing.T) {
	t.Parallel()
	l := NewLive("a", nil)
	said := map[int64][]string{}
	for i := range int64(120) {
		for j, rules := range []string{"checkerboard", "ctor"} {
			second := engines.SecondWins // a wins from both seats
			if rules == "checkerboard" && i%10 != 0 || i%3 == 0 {
				second = engines.FirstWins
			}
			pair := 2*i + int64(j)
			l.Add(LiveGame{Rules: rules, First: "a", Second: "b", Pair: pair, Result: engines.FirstWins})
			l.Add(LiveGame{Rules: rules, First: "b", Second: "a", Pair: pair, Result: second})
			if news := l.News(); len(news) > 0 {
				said[i+1] = append(said[i+1], news...)
			}
		}
	}
	if len(said) != 1 || len(said[20]) != 1 || !strings.HasPrefix(said[20][0], "checkerboard: in 95 % of 20 pairs (") {
		t.Errorf("%v", said)
	}
}
