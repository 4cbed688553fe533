package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// articlesText has an article under each heading.
//
//go:embed library/articles.md
var articlesText string

//go:embed library/papers.json
var papersJSON []byte

// A Library is what the agents search. It does not change, so many runs may use it at a time.
type Library struct {
	articles     []article
	articleIndex index
	papers       []Paper
	paperIndex   index
}

// An article is a short text about one subject.
type article struct{ title, body string }

// A Paper is the citation data of a paper.
type Paper struct {
	Title    string   `json:"title"`
	Authors  []string `json:"authors"`
	Year     int      `json:"year"`
	Venue    string   `json:"venue"`
	DOI      string   `json:"doi,omitempty"`
	Abstract string   `json:"abstract"`
}

// String is the paper as one cites it.
func (p Paper) String() string {
	s := fmt.Sprintf("%s (%d). %s. %s.", strings.Join(p.Authors, ", "), p.Year, p.Title, p.Venue)
	if p.DOI != "" {
		s += " https://doi.org/" + p.DOI
	}
	return s
}

// NewLibrary reads the library that is compiled into the program.
func NewLibrary() (*Library, error) {
	articles, err := readArticles(articlesText)
	if err != nil {
		return nil, err
	}
	var papers []Paper
	if err := json.Unmarshal(papersJSON, &papers); err != nil {
		return nil, fmt.Errorf("papers: %w", err)
	}
	l := &Library{articles: articles, papers: papers}
	texts := make([]string, len(articles))
	for i, a := range articles {
		texts[i] = strings.Repeat(a.title+" ", 3) + a.body // a word of the title tells more
	}
	l.articleIndex = newIndex(texts)
	texts = make([]string, len(papers))
	for i, p := range papers {
		texts[i] = strings.Join(append([]string{p.Title, p.Title, p.Venue, p.Abstract}, p.Authors...), " ")
	}
	l.paperIndex = newIndex(texts)
	return l, nil
}

func readArticles(text string) ([]article, error) {
	var articles []article
	for section := range strings.SplitSeq("\n"+text, "\n## ") {
		title, body, ok := strings.Cut(section, "\n")
		if ok && title != "" {
			articles = append(articles, article{title: title, body: strings.Join(strings.Fields(body), " ")})
		}
	}
	if len(articles) == 0 {
		return nil, errors.New("articles: there are none")
	}
	return articles, nil
}
