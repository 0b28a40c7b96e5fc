package main

import (
	"spar/agents/bench"
	"spar/agents/book"
	"spar/agents/chooser"
	"spar/arena"
	"spar/arena/transfer"
	"spar/engines"
	"spar/engines/bulk"
	"spar/engines/coverage"
	"spar/engines/env"
	"spar/engines/explain"
	"spar/engines/solve/suite"
	"spar/reports/accuracy"
	"spar/reports/balance"
	"spar/reports/record"
	"spar/reports/review"
	"spar/reports/standings"
	"spar/reports/trial"
	"spar/reports/watch"
	"spar/tuning"
	"spar/tuning/predict"
	"spar/tuning/sweep"
)

// jsonKinds lists every kind that a command prints, by name. A test compares it with the output of all test
// scripts.
func jsonKinds() []jsonKind {
	return []jsonKind{
		{"ablation", "spar ablate", []any{trial.AblationResult{}}},
		{"ablation_plan", "spar ablate --dry-run", []any{ablationPlan{}}},
		{"accuracy", "spar accuracy", []any{accuracy.Result{}}},
		{"action", "spar env --actions", []any{env.Action{}}},
		{"agent", "spar agents list, spar agents show", []any{shownAgent{}}},
		{"agreement", "spar predict MATCHES", []any{predict.Score{}}},
		{"answer", "spar solve --query", []any{queryAnswer{}}},
		{"balance_plan", "spar balance --dry-run", []any{balancePlan{}}},
		{"barred", "spar run, spar match", []any{watch.Barred{}}},
		{"book", "spar book", []any{book.View{}}},
		{"build", "spar version", []any{programBuild{}}},
		{"citation", "spar cite", []any{record.Citation{}}},
		{"comparison", "spar report --compare", []any{balance.Comparison{}}},
		{"coverage", "spar rules coverage", []any{coverage.Entry{}}},
		{"diagram", "spar diagram", []any{drawnDiagram{}}},
		{"rules_sheet", "spar rules sheet", []any{writtenSheet{}}},
		{"evaluation", "spar analyze --parts", []any{evaluation{}, bulk.Asked{}}},
		{"examination", "spar tune validate", []any{tuning.Examination{}}},
		{"exported_page", "spar export page", []any{exportedPage{}}},
		{"figure", "spar plot", []any{drawnFigure{}}},
		{"fit", "spar tune fit", []any{tuning.StudyFit{}}},
		{"forecast", "spar predict GAMES", []any{predict.Forecast{}}},
		{"game", "spar games, spar play, spar show, spar export", append(transfer.Lines(transfer.KindGame), playedGame{})},
		{"hint", "spar analyze --best", []any{review.Hint{}, bulk.Asked{}}},
		{"import", "spar import", []any{importedGames{}}},
		{"learned", "spar learn", []any{learnedNet{}, learnedSoFar{}}},
		{
			"learned_evaluation", "spar analyze --parts with an agent whose evaluation is learned",
			[]any{learnedEvaluation{}, bulk.Asked{}},
		},
		{"learned_report", "spar learn report", []any{learnedReport{}}},
		{"learned_validation", "spar learn validate", []any{learnedValidation{}}},
		{"lines", "spar export", transfer.Lines(transfer.KindLines)},
		{"listed_rules", "spar rules list", []any{listedRules{}}},
		{"match_plan", "spar plan", []any{trial.Plan{}}},
		{"move", "spar choose", []any{chooser.Choice{}}},
		{"move_proof", "spar solve --prove --each-move", []any{moveProof{}}},
		{"opinion", "spar export", transfer.Lines(transfer.KindOpinion)},
		{"pair", "spar run, spar match", []any{watch.Pair{}}},
		{"perft", "spar perft", []any{perftCount{}}},
		{"playouts", "spar bench playouts", []any{bench.Playouts{}}},
		{"person_fit", "spar tune person", []any{predict.Fitted{}}},
		{"position", "spar export --positions", transfer.Lines(transfer.KindPosition)},
		{"proof", "spar solve --prove", []any{proof{}}},
		{"published", "spar solve --suite", []any{suite.Result{}}},
		{"rating", "spar rate", []any{standings.Rating{}}},
		{"record", "spar study", []any{record.Record{}}},
		{"replay", "spar replay", []any{bulk.Replayed{}}},
		{"report", "spar report, spar balance", []any{balance.Report{}}},
		{"review", "spar analyze", []any{review.Game{}}},
		{"rules", "spar rules show", []any{engines.Rules{}}},
		{"rules_check", "spar rules check", []any{checkedRules{}}},
		{"rules_text", "spar rules explain", []any{explain.Rules{}}},
		{"run_plan", "spar run --dry-run, spar match --dry-run", []any{arena.Preview{}}},
		{"search_depth", "spar bench depth", []any{bench.Depth{}}},
		{"search_speed", "spar bench search", []any{bench.Searches{}}},
		{"solution", "spar solve", []any{solution{}}},
		{"sprt", "spar sprt, spar match --sprt over several rules", []any{trial.Verdict{}}},
		{"standings", "spar standings, spar run, spar match", []any{standings.Standings{}}},
		{"state_count", "spar solve --count", []any{stateCount{}}},
		{"study", "spar export (first line)", transfer.Lines(transfer.KindStudy)},
		{"summary", "spar run, spar match; and every command that ends before its work is finished", []any{summary{}}},
		{"sweep", "spar sweep, spar balance search", []any{sweepResult{}}},
		{"sweep_plan", "spar sweep --dry-run, spar balance search --dry-run", []any{sweep.Outlook{}}},
		{"table", "spar export", transfer.Lines(transfer.KindTable)},
		{"tuning", "spar tune", []any{tuningResult{}}},
		{"tuning_plan", "spar tune --dry-run", []any{tuningPlan{}}},
		{"tuning_report", "spar tune report", []any{tuningReport{}}},
		{"values", "spar export (last lines)", transfer.Lines(transfer.KindValues)},
		{"verification", "spar verify", []any{verification{}}},
		{"worker", "spar workers, spar standings", []any{standings.Worker{}}},
		{"written_plan", "spar study --write-plan, one for each event with games", []any{record.Written{}}},
	}
}
