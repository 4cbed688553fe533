package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// TestMain is the program itself where a test starts it as a server.
func TestMain(m *testing.M) {
	if os.Getenv("LOAD_IS_A_SERVER") != "" {
		main()
		return
	}
	m.Run() // whose result the test's main function exits with
}

// TestLoad runs a small load, with the server in a process of its own.
func TestLoad(t *testing.T) {
	t.Setenv("LOAD_IS_A_SERVER", "yes")
	t.Setenv("GORACE", "atexit_sleep_ms=0") // the server finds its races before its end, and then ends with an error
	for _, format := range []string{"table", "json"} {
		var out bytes.Buffer
		err := run(t.Context(), []string{"-streams", "10", "-runs", "100", "-workers", "8", "-idle", "10", "-o", format}, &out, t.Output())
		if err != nil {
			t.Fatalf("%v\n%s", err, out.Bytes())
		}
		t.Logf("%s", out.Bytes())
		if format == "json" {
			checkReport(t, out.Bytes())
		}
	}
}

func checkReport(t *testing.T, data []byte) {
	t.Helper()
	var got report
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Results) != 3 {
		t.Fatalf("%d results, want 3", len(got.Results))
	}
	streams, runs, idle := got.Results[0], got.Results[1], got.Results[2]
	if streams.Runs != 10 || streams.EventsPerSecond < 100*streams.RunsPerSecond || streams.OpenAtOnce < 1 || streams.P50 <= 0 {
		t.Errorf("streams: %+v", streams)
	}
	if runs.Runs != 100 || runs.RunsPerSecond <= 0 || runs.P50 <= 0 || runs.P99 < runs.P50 {
		t.Errorf("runs: %+v", runs)
	}
	if idle.OpenAtOnce != 10 || idle.Heap <= 0 {
		t.Errorf("idle: %+v", idle)
	}
}

// TestLosses has a server lose things, and wants each of them told.
func TestLosses(t *testing.T) {
	for name, test := range map[string]struct {
		numbers               string // that a stream of four says
		ending                string
		lost, doubled, failed int
	}{
		"nothing":      {numbers: "0123"},
		"a part":       {numbers: "013", lost: 1, failed: 0},
		"the last one": {numbers: "012", lost: 1},
		"twice":        {numbers: "01123", doubled: 1},
		"disorder":     {numbers: "0213", lost: 1, doubled: 1},
		"the end":      {numbers: "0123", ending: "none", failed: 1},
		"failed":       {numbers: "0123", ending: `data: {"type":"run.failed","run":{"status":"failed"}}`, failed: 1},
		"other output": {numbers: "0123", ending: end("012"), failed: 1},
		"no number":    {numbers: "012x", lost: 1, failed: 1},
	} {
		t.Run(name, func(t *testing.T) {
			if test.ending == "" {
				test.ending = end("0123")
			}
			c := served(t, func(w http.ResponseWriter, _ *http.Request) {
				for _, number := range test.numbers {
					fmt.Fprintf(w, "data: {\"type\":\"message.part\",\"part\":{\"content\":%q}}\n\n", string(number))
				}
				fmt.Fprintf(w, "%s\n\n", strings.Replace(test.ending, "none", "", 1))
			})
			got := c.streams(t.Context(), 3, 4)
			if got.Lost != 3*test.lost || got.Doubled != 3*test.doubled || got.Failed != 3*test.failed {
				t.Errorf("got %d lost, %d doubled, %d failed (%s), want 3 times %+v", got.Lost, got.Doubled, got.Failed, got.Fault, test)
			}
		})
	}
}

// TestWrongAnswer wants what is answered wrongly to fail the program.
func TestWrongAnswer(t *testing.T) {
	c := served(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"status":"completed","output":[{"parts":[{"content":"text 0"}]}]}`)
	})
	if got := c.runs(t.Context(), 2, 1); got.Failed != 1 {
		t.Errorf("%d runs failed, want 1 of 2: %s", got.Failed, got.Fault)
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-url", c.server.url, "-streams", "1", "-runs", "0", "-idle", "0", "-workers", "1"}, &out, t.Output()); err == nil {
		t.Errorf("the program ends well:\n%s", out.Bytes())
	}
}

// TestArguments wants other machines left alone.
func TestArguments(t *testing.T) {
	for _, args := range [][]string{
		{"-url", "http://example.com"},
		{"-serve", "-addr", ":8000"},
		{"-serve", "-debug", "0.0.0.0:1"},
		{"-o", "xml"},
		{"-workers", "0"},
		{"more"},
	} {
		if err := run(t.Context(), args, t.Output(), t.Output()); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

// end is the event of a completed run that said some numbers.
func end(numbers string) string {
	parts := make([]string, 0, len(numbers))
	for _, number := range numbers {
		parts = append(parts, fmt.Sprintf(`{"content":%q}`, string(number)))
	}
	return `data: {"type":"run.completed","run":{"status":"completed","output":[{"parts":[` + strings.Join(parts, ",") + `]}]}}`
}

func served(t *testing.T, handler http.HandlerFunc) *client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return newClient(&process{url: server.URL, stop: func() error { return nil }})
}
