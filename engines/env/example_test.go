package env_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"spar/configs"
	"spar/engines"
	"spar/engines/env"
)

// A client plays two games of tic-tac-toe by action numbers.
func ExampleServer() {
	file, data, err := configs.Read(configs.Games, "classic")
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := engines.Load(file, data)
	if err != nil {
		fmt.Println(err)
		return
	}
	requests := strings.NewReader(`{"do":"reset","games":2}
{"do":"step","actions":[4,0],"silent":true}
{"do":"observe","index":[1],"as":"text"}
`)
	if err := env.NewServer(g).Serve(context.Background(), requests, os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"to_move":[0,0],"rewards":[[0,0],[0,0]],"legal":[[0,1,2,3,4,5,6,7,8],[0,1,2,3,4,5,6,7,8]],"action_code":2}
	// {"to_move":[1,1],"rewards":[[0,0],[0,0]]}
	// {"observations":["X../.../... O 1 last=a1"]}
}
