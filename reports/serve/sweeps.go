package serve

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"spar/engines/rules"
	"spar/reports/balance"
	"spar/reports/page"
	"spar/reports/pages"
	"spar/tuning"
	"spar/tuning/variants"
)

// sweepPage shows a sweep or a tuning.
func (s *Server) sweepPage(w http.ResponseWriter, r *http.Request) error {
	o, e, err := s.findEvent(r)
	if err != nil {
		return err
	}
	n, err := o.versions.Now(r.Context())
	if err != nil {
		return err
	}
	name, _, _ := strings.Cut(e.Name, "/plan ")
	b := documentBody{Title: "Sweep " + name}
	build := func() (*page.Document, error) {
		result, err := variants.Recall(s.base, o.db, e, balance.OfVariant, s.library.Files()...)
		if err != nil {
			return nil, err
		}
		return pages.Sweep(result, []page.Command{{
			Text: "spar sweep " + result.Name, Note: "plays the games, or continues",
		}}), nil
	}
	if tuning.Training(e) {
		b.Title = "Tuning " + e.Name
		build = func() (*page.Document, error) {
			t, result, exam, err := tuning.Stored(s.base, o.db, e,
				tuning.Files{Rules: s.library.Files(), Agents: s.library.AgentFiles()})
			if err != nil {
				return nil, err
			}
			return pages.Tuning(pages.Tuned{
				Tuning: t, Result: result, Examination: exam,
				Commands: []page.Command{
					{Text: "spar tune " + t.Name, Note: "makes the tuning"},
					{Text: "spar tune validate " + t.Name, Note: "validates it"},
				},
			}), nil
		}
	} else if e.Purpose != variants.PurposePlan {
		return notFound("%s is a run, not a sweep or a tuning: see /t/%s.", e.Name, r.PathValue("id"))
	}
	topic, since := "sweep:"+r.PathValue("id"), s.hub.now()
	m, ok, err := s.document(topic, fmt.Sprint(n, s.library.Version()), topic, build)
	return s.showDocument(w, r, b, m, ok, err, topic, since)
}

// rulesOf counts the results under each set of rules in a study. The result ok is false while counting is in
// progress; pages that listen to the study are then told when it has finished.
func (s *Server) rulesOf(ctx context.Context, o *opened) (rows []rulesRow, ok bool, err error) {
	version, err := o.versions.Now(ctx)
	if err != nil {
		return nil, false, err
	}
	return made(s, "rules "+o.key, version, promptly, "study:"+o.key,
		func() ([]rulesRow, error) { return s.rulesRows(o) })
}

// counting is the text for a page that is not complete yet.
const counting = "Spar is counting the games."

// playRules returns the address for a new game under rules with a label.
func playRules(label string) string {
	base, set := rules.SplitLabel(label)
	return "/play?" + url.Values{"rules": {base}, "set": rules.Overrides(set)}.Encode()
}

// showDocument shows a document that is made in the background, or what is wrong, or how far it is.
func (s *Server) showDocument(w http.ResponseWriter, r *http.Request, b documentBody, m template.HTML, ok bool, err error,
	topic string, since int64,
) error {
	f := frame{Title: b.Title, Steps: true, Since: since}
	switch {
	case err != nil:
		b.Problem = sentence(err)
	case !ok:
		far, _ := s.reading.Load(topic)
		b.Problem, f.Topics = fmt.Sprint("Spar is making the report", cmp.Or(far, any("")), "."), topic
	}
	b.HTML, f.Body, b.Busy = m, &b, err == nil && !ok
	return s.show(w, r, http.StatusOK, "document.tmpl", f)
}
