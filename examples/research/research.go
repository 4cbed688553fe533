package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/cd3b852d/agentgen/agent"
)

const (
	maxSources   = 3
	maxSentences = 2 // of each source
	maxPapers    = 5
)

// WebResearch searches the web and returns a structured summary with sources.
//
// The web is a small library of articles here. The summary comes piece by piece: a heading, what each
// source says, and the list of sources.
//
//agent:register
//agent:tags research web summarization
//skill:description "Search the web and return a structured summary with sources. Provide a research question."
//skill:examples "Research the current state of quantum computing"
//skill:inputModes text
//skill:outputModes text
func (l *Library) WebResearch(ctx context.Context, question string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if strings.TrimSpace(question) == "" {
			yield("", invalid("a research question is wanted"))
			return
		}
		hits := l.articleIndex.search(question, maxSources)
		if len(hits) == 0 {
			yield("Nothing in the library answers this question.", nil)
			return
		}
		if !yield("# "+l.articles[hits[0].text].title+"\n", nil) {
			return
		}
		sources := "\n## Sources\n\n"
		for i, h := range hits {
			if err := ctx.Err(); err != nil {
				yield("", err)
				return
			}
			a := l.articles[h.text]
			if !yield(fmt.Sprintf("\n%s [%d]\n", excerpt(a.body, question), i+1), nil) {
				return
			}
			sources += fmt.Sprintf("%d. %s (library/articles.md, score %.2f)\n", i+1, a.title, h.score)
		}
		yield(sources, nil)
	}
}

// AcademicPaperSearch finds papers on a topic. It returns their citation data twice: as text for people,
// and as a JSON list of papers.
//
//agent:register academic-search
//agent:output_content_types text/plain application/json
//agent:tags research academic citations
//skill:name "Academic Paper Search"
//skill:description "Search arXiv and Semantic Scholar for papers on a topic. Returns citation data."
//skill:inputModes text
//skill:outputModes text data
func (l *Library) AcademicPaperSearch(_ context.Context, topic string) (agent.Message, error) {
	if strings.TrimSpace(topic) == "" {
		return agent.Message{}, invalid("a topic is wanted")
	}
	found := []Paper{}
	text := "No paper of the library is about this topic."
	for i, h := range l.paperIndex.search(topic, maxPapers) {
		if i == 0 {
			text = ""
		}
		p := l.papers[h.text]
		found = append(found, p)
		text += fmt.Sprintf("%d. %s\n", i+1, p)
	}
	data, err := json.Marshal(found)
	if err != nil {
		return agent.Message{}, fmt.Errorf("papers: %w", err)
	}
	return agent.Message{Parts: []agent.Part{
		{ContentType: "text/plain", Content: &text},
		{ContentType: "application/json", Content: new(string(data))},
	}}, nil
}

// excerpt is the few sentences of a text that share most words with the question, in their order.
func excerpt(body, question string) string {
	asked := distinct(terms(question))
	sentences := strings.SplitAfter(body, ". ")
	order := make([]int, len(sentences))
	shared := make([]int, len(sentences))
	for i, sentence := range sentences {
		order[i] = i
		for _, term := range distinct(terms(sentence)) {
			if slices.Contains(asked, term) {
				shared[i]++
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(shared[b], shared[a]) })
	order = order[:min(maxSentences, len(order))]
	slices.Sort(order)
	var best strings.Builder
	for _, i := range order {
		best.WriteString(strings.TrimSpace(sentences[i]) + " ")
	}
	return strings.TrimSpace(best.String())
}
