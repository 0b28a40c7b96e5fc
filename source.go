//go:build !release

// Package spar holds the sources of the engine in the pages that "spar export page" writes, so that a program builds the
// engine from its own sources and from no others, wherever it runs. It stands here because go:embed reads only the
// folders below its file. Release builds hold the compiled engine instead.
package spar

import "embed"

// Source has the packages that command page needs. Tests and some other packages of their folders come along.
//
//go:embed go.mod go.sum cmd/page/*.go agents/*.go agents/*/*.go configs/*.go configs/*/*.go ratings/*.go
//go:embed engines/*.go engines/*/*.go engines/*/*/*.go reports/handover/inpage/*.go
//go:embed reports/board/*.go reports/playing/*.go reports/review/*.go reports/screen/*.go
var Source embed.FS
