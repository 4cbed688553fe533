package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cd3b852d/agentgen/agent"
)

// DataAnalyzerAgent tells what the columns of a CSV table hold. The directive says it in other words and wins.
//
//agent:register data-analyzer
//agent:description "Analyzes datasets and generates insights"
func DataAnalyzerAgent(_ context.Context, input []agent.Message) (agent.Message, error) {
	tables, err := contents(input, func(mediaType string) bool { return mediaType == "text/csv" })
	if err == nil && len(tables) == 0 {
		tables, err = contents(input, func(mediaType string) bool { return strings.HasPrefix(mediaType, "text/") })
	}
	if err != nil {
		return agent.Message{}, err
	}
	rows, err := readTable(bytes.Join(tables, []byte("\n")))
	if err != nil {
		return agent.Message{}, err
	}
	header, rows := rows[0], rows[1:]
	columns := make([]Column, len(header))
	text := fmt.Sprintf("%d rows, %d columns", len(rows), len(columns))
	for i, name := range header {
		values := make([]string, len(rows))
		for j, row := range rows {
			values[j] = strings.TrimSpace(row[i])
		}
		columns[i] = describeColumn(name, values)
		text += "\n" + columns[i].String()
	}
	return report(text, columns)
}

// A Column is what the values of one column have in common.
type Column struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"` // integer, number, date, text, or empty
	Count    int      `json:"count"`
	Missing  int      `json:"missing"`
	Distinct int      `json:"distinct"`
	Min      *float64 `json:"min,omitempty"`
	Max      *float64 `json:"max,omitempty"`
	Mean     *float64 `json:"mean,omitempty"`
}

// String is the column in words.
func (c Column) String() string {
	s := fmt.Sprintf("%s: %s, %d values, %d distinct", c.Name, c.Type, c.Count, c.Distinct)
	if c.Mean != nil {
		s += fmt.Sprintf(", from %.6g to %.6g, mean %.6g", *c.Min, *c.Max, *c.Mean)
	}
	if c.Missing > 0 {
		s += fmt.Sprintf(", %d missing", c.Missing)
	}
	return s
}

// readTable reads CSV whose first row has the names. The separator is the one that the first row has most of.
func readTable(data []byte) ([][]string, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	first, _, _ := bytes.Cut(data, []byte("\n"))
	r := csv.NewReader(bytes.NewReader(data))
	for _, separator := range ";\t|" {
		if bytes.Count(first, []byte(string(separator))) > bytes.Count(first, []byte(string(r.Comma))) {
			r.Comma = separator
		}
	}
	rows, err := r.ReadAll()
	if err != nil {
		return nil, invalid("this is not a CSV table: %v", err)
	}
	if len(rows) < 2 {
		return nil, invalid("a CSV table is wanted: a row of names and at least one row of values")
	}
	return rows, nil
}

// describeColumn finds the narrowest type that all values have.
func describeColumn(name string, values []string) Column {
	c := Column{Name: name, Type: "empty"}
	distinct := map[string]bool{}
	var lowest, highest, mean float64
	for _, v := range values {
		if v == "" {
			c.Missing++
			continue
		}
		c.Count++
		distinct[v] = true
		t, x := typeOf(v)
		c.Type = widen(c.Type, t)
		if c.Count == 1 {
			lowest, highest = x, x
		}
		n := float64(c.Count)
		lowest, highest, mean = min(lowest, x), max(highest, x), mean-mean/n+x/n // a sum could overflow
	}
	c.Distinct = len(distinct)
	if c.Type == "integer" || c.Type == "number" {
		c.Min, c.Max, c.Mean = &lowest, &highest, &mean
	}
	return c
}

// typeOf is the type of one value, and the value itself when it is a number.
func typeOf(value string) (string, float64) {
	if _, err := strconv.ParseInt(value, 10, 64); err == nil {
		x, _ := strconv.ParseFloat(value, 64)
		return "integer", x
	}
	if x, err := strconv.ParseFloat(value, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return "number", x
	}
	for _, layout := range []string{time.DateOnly, time.DateTime, time.RFC3339} {
		if _, err := time.Parse(layout, value); err == nil {
			return "date", 0
		}
	}
	return "text", 0
}

// widen is the type that holds values of both.
func widen(a, b string) string {
	switch {
	case a == b || a == "empty":
		return b
	case a == "integer" && b == "number", a == "number" && b == "integer":
		return "number"
	}
	return "text"
}
