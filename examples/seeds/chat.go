package main

import (
	"context"
	_ "embed"
	"encoding/csv"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // the time zones of places.csv, wherever the program runs
	"unicode"

	"github.com/cd3b852d/agentgen/agent"
)

// placesCSV has a time zone and the usual temperature of each month, in °C, for a few cities.
//
//go:embed places.csv
var placesCSV string

// Chat talks about the time and the usual weather in a few cities. It streams its answer sentence by
// sentence, and remembers what was said before in the session.
//
// The directives below are the complete example of the protocol's page, to show how each field is
// written. They promise more than this small function does.
//
//agent:register
//agent:description "Conversational agent with memory, supporting real-time search, Wikipedia lookups, and weather updates through integrated tools"
//agent:input_content_types "<string>"
//agent:output_content_types "<string>"
//agent:annotations `{}`
//agent:documentation "The agent is a conversational system designed to process user messages, maintain context, and generate..."
//agent:license Apache-2.0
//agent:programming_language Python
//agent:natural_languages en
//agent:framework BeeAI
//agent:capabilities "Conversational AI" "Handles multi-turn conversations with memory."
//agent:capabilities "Vacation Request" "Handles submission and tracking of vacation requests."
//agent:domains finance healthcare supply-chain
//agent:tags Chat
//agent:created_at 2023-11-07T05:31:56Z
//agent:updated_at 2023-11-07T05:31:56Z
//agent:contributors "John Smith" jsmith@example.com https://example.com
//agent:links source-code https://github.com/i-am-bee/beeai-platform.git
//agent:links homepage https://agentcommunicationprotocol.dev
//agent:dependencies tool weather
//agent:recommended_models llama3.3:70b-instruct-fp16 llama3.3
//skill:inputModes text/plain
//skill:outputModes text/plain
func Chat(ctx context.Context, run *agent.Run, input []agent.Message) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		known, err := places()
		if err != nil {
			yield("", err)
			return
		}
		history, err := run.Session().History(ctx)
		if err != nil {
			yield("", err)
			return
		}
		for i, sentence := range reply(append(history, input...), known, time.Now()) {
			if i > 0 {
				sentence = " " + sentence
			}
			if !yield(sentence, nil) {
				return
			}
		}
	}
}

// A place is a row of places.csv.
type place struct {
	name         string
	zone         *time.Location
	temperatures []string // by month
}

func places() ([]place, error) {
	rows, err := csv.NewReader(strings.NewReader(placesCSV)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("places: %w", err)
	}
	var known []place
	for _, row := range rows[1:] {
		zone, err := time.LoadLocation(row[1])
		if err != nil {
			return nil, fmt.Errorf("places: %w", err)
		}
		known = append(known, place{name: row[0], zone: zone, temperatures: row[2:]})
	}
	return known, nil
}

// reply answers the last message. What it leaves open, the place or the matter, the earlier ones tell.
func reply(input []agent.Message, known []place, now time.Time) []string {
	var matter, where string
	understood := false
	for _, m := range input {
		if m.Role != "" && m.Role != "user" {
			continue
		}
		m, w := understand(agent.Text(m), known)
		understood = m != "" || w != ""
		if m != "" {
			matter = m
		}
		if w != "" {
			where = w
		}
	}
	at := slices.IndexFunc(known, func(p place) bool { return p.name == where })
	switch {
	case !understood || (matter != "greeting" && at < 0):
		return help(known)
	case matter == "greeting":
		return append([]string{"Hello!"}, help(known)...)
	}
	p, local := known[at], now.In(known[at].zone)
	if matter == "weather" {
		return []string{
			fmt.Sprintf("In %s it is %s.", p.name, local.Month()),
			fmt.Sprintf("The usual temperature of that month is about %s °C.", p.temperatures[local.Month()-1]),
		}
	}
	return []string{
		fmt.Sprintf("In %s it is %s.", p.name, local.Format("15:04 on Monday, 2 January 2006")),
		fmt.Sprintf("The time zone is %s.", local.Format("MST, UTC-07:00")),
	}
}

// help says what can be asked.
func help(known []place) []string {
	names := make([]string, len(known))
	for i, p := range known {
		names[i] = p.name
	}
	return []string{
		"Ask me for the time or the weather in one of these cities.",
		strings.Join(names, ", ") + ".",
	}
}

// understand finds what a text is about, and which place, as far as it says.
func understand(text string, known []place) (matter, where string) {
	text = " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r)
	}), " ") + " "
	for _, p := range known {
		if strings.Contains(text, " "+strings.ToLower(p.name)+" ") {
			where = p.name
		}
	}
	for _, m := range []struct{ matter, words string }{
		{"greeting", "hello hi hey"},
		{"time", "time clock hour date day late"},
		{"weather", "weather temperature temperatures warm cold hot climate"},
	} {
		if slices.ContainsFunc(strings.Fields(m.words), func(w string) bool { return strings.Contains(text, " "+w+" ") }) {
			matter = m.matter
		}
	}
	return matter, where
}
