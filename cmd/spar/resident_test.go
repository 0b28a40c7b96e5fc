package main

import (
	"encoding/gob"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// residentOf names, in the environment, a process that answers one call of spar after the other, each in the folder that
// it names. A script has one, since to start a process takes longer than most calls.
const residentOf = "SPAR_TEST_RESIDENT"

type resident struct {
	env   []string
	input string // of the next call
	calls *gob.Encoder
	said  *gob.Decoder
}

// reside answers calls until there will be no more, even while one is being answered.
func reside() {
	calls, said, orders := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout), make(chan []string)
	_ = os.Unsetenv(residentOf) // processes that it starts are none
	go func() {
		for o := range orders {
			var stdout, stderr strings.Builder
			os.Args = append(os.Args[:1:1], o[2:]...) // studies keep it
			if err := os.Chdir(o[0]); err != nil {
				panic(err)
			}
			code := call(o[2:], strings.NewReader(o[1]), &stdout, &stderr)
			if said.Encode([]string{strconv.Itoa(code), stdout.String(), stderr.String()}) != nil {
				os.Exit(1)
			}
		}
	}()
	for {
		var o []string // the folder, the input, the arguments
		if calls.Decode(&o) != nil {
			os.Exit(0)
		}
		orders <- o
	}
}

func residentIn(ts *testscript.TestScript) *resident { return ts.Value(residentOf).(*resident) }

// call returns the exit code of a call, whose output the script sees.
func (r *resident) call(ts *testscript.TestScript, args []string) int {
	if r.calls == nil {
		c := exec.Command("spar")
		c.Env = append(r.env, residentOf+"=yes")
		in, err := c.StdinPipe()
		ts.Check(err)
		out, err := c.StdoutPipe()
		ts.Check(err)
		c.Stderr = os.Stderr
		ts.Check(c.Start())
		ts.Defer(func() { in.Close(); _ = c.Wait() })
		r.calls, r.said = gob.NewEncoder(in), gob.NewDecoder(out)
	}
	ts.Check(r.calls.Encode(append([]string{ts.MkAbs("."), r.input}, args...)))
	r.input = ""
	var a []string
	ts.Check(r.said.Decode(&a))
	io.WriteString(ts.Stdout(), a[1])
	io.WriteString(ts.Stderr(), a[2])
	code, err := strconv.Atoi(a[0])
	ts.Check(err)
	return code
}

func scriptSpar(ts *testscript.TestScript, neg bool, args []string) {
	if code := residentIn(ts).call(ts, args); (code != 0) != neg {
		ts.Fatalf("exit code %d", code)
	}
}
