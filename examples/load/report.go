package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// result is what one load did to one server. What was not measured is zero.
type result struct {
	Server          string  `json:"server"`
	Load            string  `json:"load"`
	Runs            int     `json:"runs"`
	OpenAtOnce      int     `json:"open_at_once,omitempty"` // streams, at most
	Seconds         float64 `json:"seconds,omitempty"`
	RunsPerSecond   float64 `json:"runs_per_second,omitempty"`
	EventsPerSecond float64 `json:"events_per_second,omitempty"`
	P50             float64 `json:"p50_ms,omitempty"` // of the time from the request to the end of the answer
	P99             float64 `json:"p99_ms,omitempty"`
	RSS             float64 `json:"rss_kib_per_stream,omitempty"`
	Heap            float64 `json:"heap_kib_per_stream,omitempty"`
	Stack           float64 `json:"stack_kib_per_stream,omitempty"`
	Lost            int     `json:"lost"`    // parts
	Doubled         int     `json:"doubled"` // parts
	Failed          int     `json:"failed"`  // runs
	Fault           string  `json:"fault,omitempty"`
}

func (r result) faulty() bool { return r.Lost+r.Doubled+r.Failed > 0 }

// ratio is what our server does to what the reference server does, of the same load.
type ratio struct {
	Load       string  `json:"load"`
	Throughput float64 `json:"throughput,omitempty"`
	P50        float64 `json:"p50,omitempty"`
	P99        float64 `json:"p99,omitempty"`
	RSS        float64 `json:"rss,omitempty"`
}

// report is everything that was measured.
type report struct {
	Results    []result `json:"results"`
	Comparison []result `json:"comparison,omitempty"`
	Ratios     []ratio  `json:"ratios,omitempty"`
	reference  int      // how many results at the end of the comparison are of the reference server
}

// compare adds two lists of results of the same loads.
func (r *report) compare(ours, theirs []result) {
	r.Comparison, r.reference = append(append(r.Comparison, ours...), theirs...), len(theirs)
	for i, t := range theirs {
		o := ours[i]
		r.Ratios = append(r.Ratios, ratio{
			Load: o.Load, Throughput: divide(o.RunsPerSecond, t.RunsPerSecond),
			P50: divide(o.P50, t.P50), P99: divide(o.P99, t.P99), RSS: divide(o.RSS, t.RSS),
		})
	}
}

func divide(a, b float64) float64 {
	if a <= 0 || b <= 0 { // as memory can be, when it is little
		return 0
	}
	return a / b
}

// faulty tells whether a server other than the reference server lost anything.
func (r *report) faulty() bool {
	for _, results := range [][]result{r.Results, r.Comparison[:len(r.Comparison)-r.reference]} {
		for _, one := range results {
			if one.faulty() {
				return true
			}
		}
	}
	return false
}

func (r *report) write(w io.Writer, format string) error {
	if format == "json" {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "server\tload\truns\tat once\truns/s\tevents/s\tp50 ms\tp99 ms\tRSS\theap\tstack KiB/stream\tlost\tdoubled\tfailed\t")
	for _, one := range slices.Concat(r.Results, r.Comparison) {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t\n", one.Server, one.Load, one.Runs,
			number(float64(one.OpenAtOnce), 0), number(one.RunsPerSecond, 0), number(one.EventsPerSecond, 0),
			number(one.P50, 1), number(one.P99, 1), number(one.RSS, 1), number(one.Heap, 1), number(one.Stack, 1),
			one.Lost, one.Doubled, one.Failed)
	}
	for _, q := range r.Ratios {
		fmt.Fprintf(t, "ratio\t%s\t\t\t%s\t\t%s\t%s\t%s\t\t\t\t\t\t\n", q.Load,
			number(q.Throughput, 1), number(q.P50, 3), number(q.P99, 3), number(q.RSS, 2))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, one := range slices.Concat(r.Results, r.Comparison) {
		if one.Fault != "" {
			fmt.Fprintf(w, "%s: %s: one of the faults: %s\n", one.Server, one.Load, one.Fault)
		}
	}
	return nil
}

// number is empty for what was not measured.
func number(v float64, digits int) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf("%.*f", digits, v)
}
