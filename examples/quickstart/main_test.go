package main

import (
	"strings"
	"testing"
)

func TestReadingTime(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", "0 words, 0 min"},
		{"only space", " \n\t ", "0 words, 0 min"},
		{"a word", "Hello", "1 words, 1 min"},
		{"a full minute", strings.Repeat("word ", 200), "200 words, 1 min"},
		{"just over a minute", strings.Repeat("word\n", 201), "201 words, 2 min"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReadingTime(t.Context(), tt.text)
			if err != nil || got != tt.want {
				t.Errorf("ReadingTime() = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}
