//go:build js

// Command page is the engine inside the pages that "spar export page" writes. It runs in a web worker of the page,
// receives the page's messages and posts its answers. Build it with GOOS=js GOARCH=wasm.
package main

import (
	"net/url"
	"syscall/js"

	"spar/reports/handover/inpage"
)

func main() {
	type request struct {
		id   js.Value
		what string
		form url.Values
	}
	asked := make(chan request, 64)
	js.Global().Set("sparAsk", js.FuncOf(func(_ js.Value, args []js.Value) any {
		form, err := url.ParseQuery(args[2].String())
		if err != nil {
			form = url.Values{} // the page writes them
		}
		asked <- request{args[0], args[1].String(), form}
		return nil
	}))
	page := &inpage.Page{Rules: inpage.Held}
	for r := range asked {
		answer := ""
		if r.what == "selfplay" {
			answer = inpage.SelfPlayText(r.form)
		} else {
			answer = page.Answer(r.what, r.form)
		}
		js.Global().Call("sparTell", r.id, answer)
	}
}
