package agent

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
)

// None is the input of an agent that takes none.
type None struct{}

// Handler runs an agent on the messages that a caller sent and yields what the agent says: text as a
// string, a [Message], a [Part], or any other value that JSON holds. The sequence ends with the first error.
// A handler runs concurrently with itself.
type Handler func(ctx context.Context, run *Run, input []Message) iter.Seq2[any, error]

// Stream makes a handler of a function that answers bit by bit.
//
// The input I is [None], string (the text of the messages), [Message] or [Part] (the last one), a list of
// either, or any other type, which is decoded from the last JSON part or, where there is none, from the
// text. What does not fit is an [*Error] with CodeInvalidInput, and f is not called. A list of messages or
// parts is yielded one by one. A nil sequence is an empty one: the agent says nothing.
func Stream[I, O any](f func(context.Context, *Run, I) iter.Seq2[O, error]) Handler {
	decode := decoder[I]()
	return func(ctx context.Context, run *Run, input []Message) iter.Seq2[any, error] {
		return func(yield func(any, error) bool) {
			in, err := decode(input)
			if err != nil {
				yield(nil, err)
				return
			}
			said := f(ctx, run, in)
			if said == nil {
				return
			}
			for out, err := range said {
				if err != nil {
					yield(nil, err)
					return
				}
				if !say(out, yield) {
					return
				}
			}
		}
	}
}

// Func makes a handler of a function that answers once. Input and output are as in [Stream].
func Func[I, O any](f func(context.Context, *Run, I) (O, error)) Handler {
	return Stream(func(ctx context.Context, run *Run, in I) iter.Seq2[O, error] {
		return func(yield func(O, error) bool) { yield(f(ctx, run, in)) }
	})
}

// Action makes a handler of a function that answers nothing. The input is as in [Stream].
func Action[I any](f func(context.Context, *Run, I) error) Handler {
	return Stream(func(ctx context.Context, run *Run, in I) iter.Seq2[None, error] {
		return func(yield func(None, error) bool) {
			if err := f(ctx, run, in); err != nil {
				yield(None{}, err)
			}
		}
	})
}

// say yields an output, a list of messages or parts one by one.
func say(out any, yield func(any, error) bool) bool {
	switch out := out.(type) {
	case []Message:
		return sayAll(out, yield)
	case []Part:
		return sayAll(out, yield)
	}
	return yield(out, nil)
}

func sayAll[T any](list []T, yield func(any, error) bool) bool {
	for _, element := range list {
		if !yield(element, nil) {
			return false
		}
	}
	return true
}

// decoder chooses how input becomes an I, once for each handler.
func decoder[I any]() func([]Message) (I, error) {
	var choice any = fromJSON[I]
	switch any(*new(I)).(type) {
	case None:
		choice = func([]Message) (None, error) { return None{}, nil }
	case string:
		choice = func(input []Message) (string, error) { return Text(input...), nil }
	case Message:
		choice = func(input []Message) (Message, error) { return last(input, "message") }
	case []Message:
		choice = func(input []Message) ([]Message, error) { return input, nil }
	case Part:
		choice = func(input []Message) (Part, error) { return last(parts(input), "part") }
	case []Part:
		choice = func(input []Message) ([]Part, error) { return parts(input), nil }
	}
	decode, _ := choice.(func([]Message) (I, error)) // each case has the type of its I
	return decode
}

// last returns the last element of what the input holds.
func last[T any](list []T, what string) (T, error) {
	if len(list) == 0 {
		var none T
		return none, &Error{Code: CodeInvalidInput, Message: "input: at least one " + what + " is needed"}
	}
	return list[len(list)-1], nil
}

// parts returns the parts of all messages.
func parts(input []Message) []Part {
	var all []Part
	for _, m := range input {
		all = append(all, m.Parts...)
	}
	return all
}

func fromJSON[I any](input []Message) (I, error) {
	var in I
	content, err := jsonContent(input)
	if err == nil {
		err = json.Unmarshal(content, &in)
	}
	if err != nil {
		return in, &Error{Code: CodeInvalidInput, Message: "input: " + err.Error()}
	}
	return in, nil
}

// jsonContent returns the last JSON part, or else the text.
func jsonContent(input []Message) ([]byte, error) {
	for _, part := range slices.Backward(parts(input)) {
		if part.Content != nil && isJSON(part.ContentType) {
			return PartBytes(part)
		}
	}
	return []byte(Text(input...)), nil
}
