package agent

import (
	"context"
	"iter"
	"slices"

	"github.com/cd3b852d/agentgen/agent/internal/schema"
)

// None is the input of an agent that takes none, and the output of one that says none.
type None struct{}

// Handler is the function of an agent, whatever its shape. [Func], [Action] and [Stream] make one; the
// zero value is none. A handler runs concurrently with itself.
type Handler struct {
	prepare       func(input []Message) (Call, error)
	input, output *schema.Schema // of typed values, if they have one
}

// Call executes a run and yields what the agent says, as [Run.Emit] takes it. The sequence ends with the
// first error.
type Call func(ctx context.Context, run *Run) iter.Seq2[any, error]

// Prepare decodes the input of a run. What does not fit is an [*Error] with CodeInvalidInput.
func (h Handler) Prepare(input []Message) (Call, error) { return h.prepare(input) }

// Run prepares the input and executes the run: what doesn't fit is the error that the sequence yields.
func (h Handler) Run(ctx context.Context, run *Run, input []Message) iter.Seq2[any, error] {
	call, err := h.Prepare(input)
	if err != nil {
		return func(yield func(any, error) bool) { yield(nil, err) }
	}
	return call(ctx, run)
}

// Stream makes a handler of a function that answers bit by bit. A nil sequence is an empty one.
//
// The input I is [None], string (the text of the messages), [Message] or [Part] (the last one), a list of
// either, or any other type, which is decoded from the last JSON part or, where there is none, from the
// text. What the function yields is emitted as by [Run.Emit].
func Stream[I, O any](f func(context.Context, *Run, I) iter.Seq2[O, error]) Handler {
	return handler[I, O](func(ctx context.Context, run *Run, in I, yield func(any, error) bool) {
		outputs := f(ctx, run, in)
		if outputs == nil {
			return
		}
		for out, err := range outputs {
			if err == nil {
				err = context.Cause(ctx) // a function that minds no context ends here
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(out, nil) {
				return
			}
		}
	})
}

// Func makes a handler of a function that answers once. Input and output are as in [Stream].
func Func[I, O any](f func(context.Context, *Run, I) (O, error)) Handler {
	return handler[I, O](func(ctx context.Context, run *Run, in I, yield func(any, error) bool) {
		if out, err := f(ctx, run, in); err != nil {
			yield(nil, err)
		} else {
			yield(out, nil)
		}
	})
}

// Action makes a handler of a function that answers nothing. The input is as in [Stream].
func Action[I any](f func(context.Context, *Run, I) error) Handler {
	return handler[I, None](func(ctx context.Context, run *Run, in I, yield func(any, error) bool) {
		if err := f(ctx, run, in); err != nil {
			yield(nil, err)
		}
	})
}

// handler decodes the input before there is a run, so that what does not fit begins none.
func handler[I, O any](execute func(context.Context, *Run, I, func(any, error) bool)) Handler {
	h := Handler{input: schemaOf[I](), output: schemaOf[O]()}
	decode := decoder[I](h.input)
	h.prepare = func(input []Message) (Call, error) {
		in, err := decode(input)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, run *Run) iter.Seq2[any, error] {
			return func(yield func(any, error) bool) {
				execute(ctx, run, in, func(out any, err error) bool {
					if err == nil && h.output != nil {
						out, err = checked(h.output, out)
					}
					return yield(out, err) && err == nil
				})
			}
		}, nil
	}
	return h
}

// decoder chooses how input becomes an I, once for each handler.
func decoder[I any](s *schema.Schema) func([]Message) (I, error) {
	var choice any = func(input []Message) (I, error) { return fromJSON[I](s, input) }
	switch any(*new(I)).(type) {
	case None:
		choice = func([]Message) (None, error) { return None{}, nil }
	case string:
		choice = textOf
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

// textOf returns the text of the messages. Input without any is that of another kind of agent.
func textOf(input []Message) (string, error) {
	given := parts(input)
	for _, p := range given {
		if p.Content != nil && isText(p.ContentType) {
			return Text(input...), nil
		}
	}
	if len(given) == 0 {
		return "", nil
	}
	return "", &Error{Code: CodeInvalidInput, Message: "input: wants a part with text: a content, of a text type such as text/plain"}
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

// jsonContent returns the last JSON part, or else the text.
func jsonContent(input []Message) ([]byte, error) {
	for _, part := range slices.Backward(parts(input)) {
		if part.Content != nil && isJSON(part.ContentType) {
			return PartBytes(part)
		}
	}
	return []byte(Text(input...)), nil
}
