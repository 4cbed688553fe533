package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/examples/internal/seedtest"
)

func newTestLibrary(t *testing.T) *Library {
	t.Helper()
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestWebResearch(t *testing.T) {
	l := newTestLibrary(t)
	for question, title := range map[string]string{
		"Research the current state of quantum computing": "Quantum computing",
		"How do databases answer queries?":                "Relational databases",
		"why do plants look green":                        "Photosynthesis",
		"Which codes repair errors?":                      "Error-correcting codes",
		"TCP congestion":                                  "The Internet protocol suite",
	} {
		t.Run(title, func(t *testing.T) {
			text := strings.Join(heard(t, l, question), "")
			if !strings.HasPrefix(text, "# "+title+"\n") || !strings.Contains(text, "\n1. "+title+" (library/articles.md") {
				t.Errorf("the answer is %q, want one from %s", text, title)
			}
			if strings.Count(text, " [1]\n") != 1 {
				t.Errorf("the answer is %q, want one passage of source 1", text)
			}
		})
	}
	if got := heard(t, l, "zzz"); len(got) != 1 || !strings.HasPrefix(got[0], "Nothing") {
		t.Errorf("the answer to a question about nothing is %q", got)
	}
}

// heard is the answer in the pieces in which it comes.
func heard(t *testing.T, l *Library, question string) []string {
	t.Helper()
	var pieces []string
	for piece, err := range l.WebResearch(t.Context(), question) {
		if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, piece)
	}
	return pieces
}

func TestWebResearchRefuses(t *testing.T) {
	var last error
	for _, err := range newTestLibrary(t).WebResearch(t.Context(), " ") {
		last = err
	}
	wantInvalid(t, last)
}

func TestAcademicPaperSearch(t *testing.T) {
	l := newTestLibrary(t)
	for topic, title := range map[string]string{
		"factoring numbers with quantum computers": "Algorithms for Quantum Computation: Discrete Logarithms and Factoring",
		"papers by Lamport":                        "Time, Clocks, and the Ordering of Events in a Distributed System",
		"transformer":                              "Attention Is All You Need",
		"ranking web pages":                        "The Anatomy of a Large-Scale Hypertextual Web Search Engine",
	} {
		t.Run(topic, func(t *testing.T) {
			got, err := l.AcademicPaperSearch(t.Context(), topic)
			if err != nil {
				t.Fatal(err)
			}
			papers := seedtest.Decode[[]Paper](t, []byte(*got.Parts[1].Content))
			if len(papers) == 0 || papers[0].Title != title {
				t.Fatalf("found %v, want %q first", papers, title)
			}
			if text := agent.Text(got); !strings.HasPrefix(text, "1. "+papers[0].String()+"\n") {
				t.Errorf("text = %q, want it to begin with %s", text, papers[0])
			}
		})
	}
	got, err := l.AcademicPaperSearch(t.Context(), "zzz")
	if err != nil || *got.Parts[1].Content != "[]" {
		t.Errorf("a topic of no paper gives %v, %v, want an empty list", got, err)
	}
	_, err = l.AcademicPaperSearch(t.Context(), "")
	wantInvalid(t, err)
}

func TestLibraryIsComplete(t *testing.T) {
	l := newTestLibrary(t)
	for _, a := range l.articles {
		if a.title == "" || len(a.body) < 100 {
			t.Errorf("article %+v is too short", a)
		}
	}
	for _, p := range l.papers {
		if p.Title == "" || len(p.Authors) == 0 || p.Year == 0 || p.Venue == "" || p.Abstract == "" {
			t.Errorf("paper %+v lacks something", p)
		}
	}
}

func TestSearchRanks(t *testing.T) {
	x := newIndex([]string{"common rare", "common as the common", "common", "other"})
	hits := x.search("the rare common", 2)
	if len(hits) == 0 || len(hits) > 2 || hits[0].text != 0 {
		t.Errorf("hits = %v, want the text with the rare word first", hits)
	}
	if got := newIndex(nil).search("common", 3); len(got) != 0 {
		t.Errorf("an empty index found %v", got)
	}
}

func TestStem(t *testing.T) {
	want := stem("compute")
	for _, word := range []string{"computing", "computer", "computers", "computes", "computed", "computation"} {
		if got := stem(word); got != want {
			t.Errorf("stem(%q) = %q, want %q", word, got, want)
		}
	}
	if got := stem("red"); got != "red" {
		t.Errorf("stem of a short word = %q", got)
	}
}

// wantInvalid demands an error that tells the caller to send something else.
func wantInvalid(t *testing.T, err error) {
	t.Helper()
	var e *agent.Error
	if !errors.As(err, &e) || e.Code != agent.CodeInvalidInput {
		t.Errorf("the error is %v, want one with the code %s", err, agent.CodeInvalidInput)
	}
}
