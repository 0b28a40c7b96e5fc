module spar

go 1.26.0

require (
	github.com/invopop/jsonschema v0.14.0 // makes the schemas of rules, agents and plans from the Go types
	github.com/jedib0t/go-pretty/v6 v6.8.3 // tables on the terminal
	github.com/mattn/go-sqlite3 v1.14.52 // a study is one SQLite file
	github.com/mitchellh/go-wordwrap v1.0.1 // wraps text for the terminal
	github.com/nats-io/nats-server/v2 v2.15.2 // the server that a coordinator runs in its own process
	github.com/nats-io/nats.go v1.55.0 // coordinator and workers talk through it
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // tests check the shipped files by the schemas
	github.com/spf13/cobra v1.10.2 // commands and flags
	go.yaml.in/yaml/v4 v4.0.0 // reads YAML strictly: all errors, with line and column
	golang.org/x/image v0.30.0 // fonts and drawing of figures
	golang.org/x/sync v0.24.0 // errgroup: groups of goroutines that end together
	golang.org/x/term v0.47.0 // tells terminals from files, and their width
	golang.org/x/text v0.43.0 // normal forms of Unicode in names
	gonum.org/v1/gonum v0.17.0 // optimisation, linear algebra and distributions of the statistics
	gonum.org/v1/plot v0.17.0 // figures as SVG, PNG and PDF
	pgregory.net/rapid v1.3.0 // property tests
)

require modernc.org/sqlite v1.62.0

require (
	codeberg.org/go-fonts/liberation v0.5.0 // indirect
	codeberg.org/go-latex/latex v0.2.0 // indirect
	codeberg.org/go-pdf/fpdf v0.11.1 // indirect
	git.sr.ht/~sbinet/gg v0.7.0 // indirect
	github.com/ajstarks/svgo v0.0.0-20211024235047-1546f124cd8b // indirect
	github.com/antithesishq/antithesis-sdk-go v0.8.0-default-no-op // indirect
	github.com/dustin/go-humanize v1.1.0 // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	github.com/google/go-tpm v0.9.8 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/minio/highwayhash v1.0.4 // indirect
	github.com/nats-io/jwt/v2 v2.8.2 // indirect
	github.com/nats-io/nkeys v0.4.16 // indirect
	github.com/nats-io/nuid v1.0.1 // indirect
	github.com/ncruces/go-strftime v1.1.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/time v0.16.0 // indirect
	modernc.org/libc v1.80.1 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)

require (
	github.com/bahlo/generic-list-go v0.2.0 // indirect
	github.com/buger/jsonparser v1.1.2 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/google/go-cmp v0.7.0 // differences in tests
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/mattn/go-runewidth v0.0.24 // indirect
	github.com/pb33f/ordered-map/v2 v2.3.1 // indirect
	github.com/rogpeppe/go-internal v1.16.0 // testscript: the command line is specified in scripts
	github.com/spf13/pflag v1.0.9 // the flags of cobra, where their types are named
	go.uber.org/goleak v1.3.0 // tests that no goroutine is left behind
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)
