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
// The input I is [None], string (the text of the messages), [Message] (the last one), []Message, or any
// other type, which is decoded from the last JSON part or, where there is none, from the text. What does
// not fit is an [*Error] with CodeInvalidInput, and f is not called. An output of type []Message is
// yielded message by message.
func Stream[I, O any](f func(context.Context, *Run, I) iter.Seq2[O, error]) Handler {
	decode := decoder[I]()
	return func(ctx context.Context, run *Run, input []Message) iter.Seq2[any, error] {
		return func(yield func(any, error) bool) {
			in, err := decode(input)
			if err != nil {
				yield(nil, err)
				return
			}
			for out, err := range f(ctx, run, in) {
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

// say yields an output, a list of messages one by one.
func say(out any, yield func(any, error) bool) bool {
	messages, ok := out.([]Message)
	if !ok {
		return yield(out, nil)
	}
	for _, m := range messages {
		if !yield(m, nil) {
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
		choice = lastMessage
	case []Message:
		choice = func(input []Message) ([]Message, error) { return input, nil }
	}
	decode, _ := choice.(func([]Message) (I, error)) // each case has the type of its I
	return decode
}

func lastMessage(input []Message) (Message, error) {
	if len(input) == 0 {
		return Message{}, &Error{Code: CodeInvalidInput, Message: "input: at least one message is needed"}
	}
	return input[len(input)-1], nil
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
	for _, i := range slices.Backward(input) {
		parts := i.Parts
		for _, part := range slices.Backward(parts) {
			if part.Content != nil && isJSON(part.ContentType) {
				return PartBytes(part)
			}
		}
	}
	return []byte(Text(input...)), nil
}
