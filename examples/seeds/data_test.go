package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/examples/internal/seedtest"
)

func TestDataAnalyzerAgent(t *testing.T) {
	for _, tt := range []struct{ name, csv, want string }{
		{
			"integers", "n\n1\n2\n6\n",
			`[{"name":"n","type":"integer","count":3,"missing":0,"distinct":3,"min":1,"max":6,"mean":3}]`,
		},
		{
			"integers among numbers", "x\n-1.5\n2\n",
			`[{"name":"x","type":"number","count":2,"missing":0,"distinct":2,"min":-1.5,"max":2,"mean":0.25}]`,
		},
		{
			"numbers whose sum is too large", "x\n1.5e308\n1.5e308\n",
			`[{"name":"x","type":"number","count":2,"missing":0,"distinct":1,"min":1.5e308,"max":1.5e308,"mean":1.5e308}]`,
		},
		{
			"not a number is text", "x\nNaN\n1\n",
			`[{"name":"x","type":"text","count":2,"missing":0,"distinct":2}]`,
		},
		{
			"semicolons, a byte order mark, quotes and gaps", "\ufeffday;\"who; what\"\n2026-01-02;Ada\n;Ada\n",
			`[{"name":"day","type":"date","count":1,"missing":1,"distinct":1},
			  {"name":"who; what","type":"text","count":2,"missing":0,"distinct":1}]`,
		},
		{"nothing but gaps", "a,b\n,1\n", `[{"name":"a","type":"empty","count":0,"missing":1,"distinct":0},
			{"name":"b","type":"integer","count":1,"missing":0,"distinct":1,"min":1,"max":1,"mean":1}]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := DataAnalyzerAgent(t.Context(), []agent.Message{agent.TextMessage(tt.csv)})
			if err != nil {
				t.Fatal(err)
			}
			data := seedtest.Decode[any](t, []byte(*got.Parts[1].Content))
			for _, difference := range seedtest.Differences(seedtest.Decode[any](t, []byte(tt.want)), data) {
				t.Error(difference)
			}
		})
	}
}

func TestDataAnalyzerAgentInWords(t *testing.T) {
	question := agent.Part{ContentType: "text/plain", Content: new("What is in here?")}
	table := agent.Part{ContentType: "text/csv; charset=utf-8", Content: new("city,people\nBerlin,4\nCairo,10\nDelhi,\n")}
	got, err := DataAnalyzerAgent(t.Context(), []agent.Message{{Parts: []agent.Part{question, table}}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "3 rows, 2 columns\n" +
		"city: text, 3 values, 3 distinct\n" +
		"people: integer, 2 values, 2 distinct, from 4 to 10, mean 7, 1 missing"
	if text := agent.Text(got); text != want {
		t.Errorf("text = %q, want %q", text, want)
	}
}

func TestDataAnalyzerAgentRefuses(t *testing.T) {
	for name, part := range map[string]agent.Part{
		"nothing":        {ContentType: "text/csv", Content: new("")},
		"names only":     {ContentType: "text/csv", Content: new("a,b\n")},
		"a ragged table": {ContentType: "text/csv", Content: new("a,b\n1\n")},
		"an address":     {ContentType: "text/csv", ContentURL: "https://example.com/a.csv"},
		"bad base64":     {ContentType: "text/csv", Content: new("!"), ContentEncoding: "base64"},
		"another type":   {ContentType: "image/png", Content: new("")},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := DataAnalyzerAgent(t.Context(), []agent.Message{{Parts: []agent.Part{part}}})
			wantInvalid(t, err)
		})
	}
}

// wantInvalid demands an error that tells the caller to send something else.
func wantInvalid(t *testing.T, err error) {
	t.Helper()
	var e *agent.Error
	if !errors.As(err, &e) || e.Code != agent.CodeInvalidInput || strings.TrimSpace(e.Message) == "" {
		t.Errorf("the error is %v, want one with the code %s", err, agent.CodeInvalidInput)
	}
}
