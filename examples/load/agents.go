package main

import (
	"context"
	"iter"
	"strconv"
)

// Echo says the text again.
//
//agent:register
func Echo(text string) (string, error) { return text, nil }

// Count counts from zero until it has said as many numbers as it is told, each as a part of one message.
//
//agent:register
func Count(text string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		n, err := strconv.Atoi(text)
		if err != nil {
			yield("", err)
			return
		}
		for i := range n {
			if !yield(strconv.Itoa(i), nil) {
				return
			}
		}
	}
}

// Sleep says nothing until it is cancelled.
//
//agent:register
func Sleep(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}
