package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cd3b852d/agentgen/agent"
)

const maxSentences = 3

// SimpleTextAgent condenses a text to its most telling sentences.
//
//agent:register
func SimpleTextAgent(_ context.Context, input []agent.Message) (agent.Message, error) {
	found := sentences(agent.Text(input...))
	if len(found) == 0 {
		return agent.Message{}, invalid("a text is wanted")
	}
	return say(strings.Join(telling(found), " ")), nil
}

// sentences splits at the end of lines, and at the marks that end a sentence when white space follows.
func sentences(text string) []string {
	var found []string
	for line := range strings.Lines(text) {
		var sentence []string
		for word := range strings.FieldsSeq(line) {
			sentence = append(sentence, word)
			if strings.ContainsAny(word[len(word)-1:], ".!?") {
				found, sentence = append(found, strings.Join(sentence, " ")), nil
			}
		}
		if len(sentence) > 0 {
			found = append(found, strings.Join(sentence, " "))
		}
	}
	return found
}

// telling are the few sentences whose words the text uses most, in the order of the text.
func telling(found []string) []string {
	counts := map[string]int{}
	for _, sentence := range found {
		for _, word := range longWords(sentence) {
			counts[word]++
		}
	}
	type rated struct {
		at    int
		score float64
	}
	ratings := make([]rated, len(found))
	for i, sentence := range found {
		ratings[i] = rated{at: i}
		words := longWords(sentence)
		for _, word := range words {
			ratings[i].score += float64(counts[word]) / float64(len(words)+3) // a very short one says little
		}
	}
	slices.SortStableFunc(ratings, func(a, b rated) int { return cmp.Compare(b.score, a.score) })
	ratings = ratings[:min(maxSentences, len(ratings))]
	slices.SortFunc(ratings, func(a, b rated) int { return cmp.Compare(a.at, b.at) })
	best := make([]string, len(ratings))
	for i, r := range ratings {
		best[i] = found[r.at]
	}
	return best
}

// longWords leaves out the little words that every text has most of.
func longWords(sentence string) []string {
	words := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.DeleteFunc(words, func(w string) bool { return utf8.RuneCountInString(w) < 4 })
}
