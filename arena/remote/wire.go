// Package remote lets other machines play the games of a study. README.md in this folder describes the set-up and
// the guarantees.
//
// # Terms
//
// The coordinator is the process that has the study open. A worker is a process that plays for it, usually on
// another machine. A lease is one unfinished task, which waits or is held by a worker. The ledger has all leases
// and the state of each worker. A class is the set of tasks with the same needs (programs, memory, time).
// A hint tells a worker that a class has work. The demand is the set of games that no connected worker can play. A
// check plays a game again on another worker; a difference is a dispute, which the coordinator decides by playing
// the game itself.
//
// # Flow
//
// Arena gives tasks to the coordinator, which is a pool. An idle worker pulls a hint from a JetStream stream,
// claims a batch of tasks from the coordinator and submits results. All messages pass through a NATS server, in
// the coordinator's process or elsewhere. Only the coordinator decides which games to play; lost hints cost only
// time.
package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"spar/arena"
)

// protocol is the version of the protocol between coordinator and worker.
const protocol = 1

// Subjects have the form PREFIX.VERB.WORKER. A worker may publish only on those that end in its own name. The
// comments show request -> answer.
const (
	verbHello  = "hello"  // Hello -> Welcome
	verbBeat   = "beat"   // Beat -> State
	verbClaim  = "claim"  // Claim -> Batch
	verbResult = "result" // Results -> Receipt
	verbObject = "object" // Part -> bytes
	verbBye    = "bye"    // empty -> empty: the coordinator takes back the worker's games
	verbTicket = "ticket" // PREFIX.ticket.CLASS carries the hints
)

// Limits on the sizes of messages, in bytes.
const (
	mostMessage = 900 << 10 // size of a message; NATS allows up to 1 MB
	mostPart    = 256 << 10 // size of a part of an object
	mostStream  = 4 << 20   // size of the stream of hints
	mostResults = 400 << 10 // approximate size of the results in one message
)

// Build identifies a program. Coordinator and worker must be the same build, so that they play the same games.
type Build struct {
	Protocol int    `json:"protocol"`
	Program  string `json:"program"` // commit, or the hash of the program if it has uncommitted changes
	Go       string `json:"go"`
	Arch     string `json:"arch"`
}

func (b Build) String() string {
	return fmt.Sprintf("%s, %s, %s, protocol %d", b.Program, b.Go, b.Arch, b.Protocol)
}

// differs returns the reason why two builds cannot play together; empty if they can.
func (b Build) differs(other Build) string {
	if b == other {
		return ""
	}
	return fmt.Sprintf("the coordinator's build differs (%s; this worker: %s); use the same program on both", b, other)
}

// Hello describes a worker.
type Hello struct {
	ID      string   `json:"id"`
	Build   Build    `json:"build"`
	Slots   int      `json:"slots"` // number of games at the same time
	Engines []string `json:"engines,omitempty"`
	Memory  int64    `json:"memory"` // bytes for the agents of all concurrent games; 0 = unknown
	Speed   float64  `json:"speed"`  // random games per second on one core, to scale time budgets
	System  string   `json:"system"` // operating system and processor, only for display
}

// Welcome is the answer to a Hello.
type Welcome struct {
	Run     string `json:"run"` // identifies the process of the coordinator
	Refused string `json:"refused,omitempty"`
	Note    string `json:"note,omitempty"` // which games the worker will not get, and why
	Stream  string `json:"stream"`
	// factor for time budgets: the coordinator's speed divided by the worker's
	Scale float64       `json:"scale"`
	Beat  time.Duration `json:"beat_ns"`
}

// Playing is a game in progress.
type Playing struct {
	arena.Slot
	Plies int    `json:"plies"`
	At    string `json:"at,omitempty"` // latest position as text, if somebody watches
}

// Beat is a regular message of a worker with the games that it plays.
type Beat struct {
	Run     string    `json:"run"`
	Playing []Playing `json:"playing,omitempty"`
}

// State is the answer to a Beat. It names the queues in which the worker can wait for a hint that there is work, or the
// reason why the worker is barred.
type State struct {
	Run       string   `json:"run"`
	Epoch     int64    `json:"epoch"` // number of the current set of tasks; tasks of earlier epochs are obsolete
	Consumers []string `json:"consumers,omitempty"`
	Barred    string   `json:"barred,omitempty"`
	Look      bool     `json:"look,omitempty"` // somebody watches the games in progress
	Wish      string   `json:"wish,omitempty"` // what a worker would need to play the demand
}

// sayHello is the value of the epoch if the coordinator does not know the worker that sent a beat.
const sayHello = -1

// Claim requests tasks.
type Claim struct {
	Run  string `json:"run"`
	Free int    `json:"free"` // number of games that the worker can start now
}

// Batch is a list of tasks. Fields that its tasks have in common are stated only once.
type Batch struct {
	Run      string        `json:"run"`
	Epoch    int64         `json:"epoch"`
	Settings []wireSetting `json:"settings,omitempty"`
	Games    []wireGame    `json:"games,omitempty"`
}

type wireSetting struct {
	arena.Setting
	Objects [2]string `json:"objects"` // objects with the agents' specs
	Object  string    `json:"object"`  // object with the rules
}

type wireGame struct {
	Setting int    `json:"s"`
	Event   int64  `json:"e"`
	Number  int64  `json:"n"`
	Opening string `json:"o,omitempty"`
	Stream  uint64 `json:"r,string"`
}

// Results are finished games.
type Results struct {
	Run     string         `json:"run"`
	Epoch   int64          `json:"epoch"`
	Results []arena.Result `json:"results"`
	Failed  []Failure      `json:"failed,omitempty"`
}

// Failure is a game that a worker could not play, although no agent failed.
type Failure struct {
	arena.Slot
	Why string `json:"why"`
}

// Receipt is the answer to Results.
type Receipt struct {
	Run     string `json:"run"`
	Refused string `json:"refused,omitempty"`
}

// Part requests a part of an object.
type Part struct {
	Object string `json:"object"` // SHA-256, in hexadecimal
	Offset int64  `json:"offset"`
}

// workerSpec is an agent's spec in the form of an object. A net is a separate object, referred to by its hash.
type workerSpec struct {
	Spec json.RawMessage `json:"spec"`
	Net  string          `json:"net,omitempty"` // object with the learned net
}

// encode encodes a message. Messages contain only texts and numbers, so the only possible error is that the
// message is too large.
func encode(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err == nil && len(data) > mostMessage {
		err = fmt.Errorf("a message of %d bytes; the limit is %d", len(data), mostMessage)
	}
	return data, err
}

var errTrailing = errors.New("trailing text")

// decode parses a message. It may come from an attacker.
func decode(data []byte, v any) error {
	if len(data) > mostMessage {
		return fmt.Errorf("a message of %d bytes; the limit is %d", len(data), mostMessage)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errTrailing
	}
	return nil
}

// MostSlots is the maximum number of games that a worker plays at the same time.
const MostSlots = 4096

var workerForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// check returns an error if no real worker would send such a description.
func (h *Hello) check(id string) error {
	switch {
	case h.ID != id || !workerForm.MatchString(h.ID):
		return fmt.Errorf("worker %q", h.ID)
	case h.Slots < 1 || h.Slots > MostSlots:
		return fmt.Errorf("%d games at a time; the limit is %d", h.Slots, MostSlots)
	case len(h.Engines) > 100 || len(strings.Join(h.Engines, ",")) > 4096 || len(h.System) > 200 ||
		len(h.Build.String()) > 400:
		return errors.New("some of its fields are too long")
	case !(h.Speed >= 0 && h.Speed < 1e12) || h.Memory < 0:
		return errors.New("its speed or memory is impossible")
	}
	return nil
}
