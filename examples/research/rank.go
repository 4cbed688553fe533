package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// The usual parameters of BM25: how soon more of the same word stops counting, and how much a long text
// is held against it.
const (
	saturation = 1.2
	lengthBias = 0.75
)

// An index ranks texts by how well they answer a query (Okapi BM25). It does not change once it is
// built, so many may search at a time.
type index struct {
	postings map[string]map[int]int // how often a term stands in each text that has it
	lengths  []int                  // of the texts, in terms
	average  float64
}

// A hit is a text that has a word of the query.
type hit struct {
	text  int
	score float64
}

func newIndex(texts []string) index {
	x := index{postings: map[string]map[int]int{}, lengths: make([]int, len(texts))}
	for i, text := range texts {
		for _, term := range terms(text) {
			if x.postings[term] == nil {
				x.postings[term] = map[int]int{}
			}
			x.postings[term][i]++
			x.lengths[i]++
		}
		x.average += float64(x.lengths[i]) / float64(len(texts))
	}
	return x
}

// search returns the best texts for the query, at most limit, the best first. Those far behind the
// best are left out.
func (x index) search(query string, limit int) []hit {
	scores := make([]float64, len(x.lengths))
	for _, term := range distinct(terms(query)) {
		posting := x.postings[term]
		n := float64(len(posting))
		rarity := math.Log(1 + (float64(len(x.lengths))-n+0.5)/(n+0.5))
		for i, count := range posting {
			c := float64(count)
			length := 1 - lengthBias + lengthBias*float64(x.lengths[i])/x.average
			scores[i] += rarity * c * (saturation + 1) / (c + saturation*length)
		}
	}
	var hits []hit
	for i, score := range scores {
		if score > 0 {
			hits = append(hits, hit{text: i, score: score})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	hits = hits[:min(limit, len(hits))]
	return slices.DeleteFunc(hits, func(h hit) bool { return h.score < hits[0].score/2 })
}

// terms are the words of a text that tell something, reduced to their stems.
func terms(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	var found []string
	for _, w := range words {
		if !common(w) {
			found = append(found, stem(w))
		}
	}
	return found
}

// common tells whether a word stands in every kind of text, or only says that something is asked.
func common(word string) bool {
	switch word {
	case "a", "about", "an", "and", "are", "as", "at", "be", "but", "by", "can", "current", "did", "do", "does",
		"explain", "find", "for", "from", "give", "has", "have", "how", "i", "in", "is", "it", "its", "me", "more",
		"of", "on", "or", "paper", "papers", "research", "s", "search", "state", "tell", "than", "that", "the",
		"their", "them", "there", "they", "this", "to", "was", "were", "what", "when", "where", "which", "who",
		"why", "will", "with":
		return true
	}
	return false
}

// stem takes the ending off an English word, so that computing, computers and computes are one term.
func stem(word string) string {
	for _, ending := range []string{"ations", "ation", "ings", "ing", "ers", "er", "ies", "ed", "es", "s", "e", "y"} {
		if s, ok := strings.CutSuffix(word, ending); ok && len(s) >= 4 {
			return s
		}
	}
	return word
}

func distinct(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}
