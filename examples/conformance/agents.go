package main

import (
	"context"
	_ "embed"
	"iter"
	"time"

	"github.com/cd3b852d/agentgen/agent"
)

// picture is a PNG of one pixel.
//
//go:embed dot.png
var picture []byte

// Echo says each message again.
//
//agent:register
func Echo(input []agent.Message) ([]agent.Message, error) { return input, nil }

// SlowEcho says each message again, a second later.
//
//agent:register
func SlowEcho(ctx context.Context, input []agent.Message) iter.Seq2[agent.Message, error] {
	return func(yield func(agent.Message, error) bool) {
		for _, message := range input {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
				yield(message, ctx.Err())
				return
			}
			if !yield(message, nil) {
				return
			}
		}
	}
}

// HistoryEcho says again what was said in the session, and then each message.
//
//agent:register
func HistoryEcho(ctx context.Context, run *agent.Run, input []agent.Message) ([]agent.Message, error) {
	history, err := run.Session().History(ctx)
	if err != nil {
		return nil, err
	}
	return append(history, input...), nil
}

// Awaiter waits for any answer, and then says so.
//
//agent:register
func Awaiter(ctx context.Context, run *agent.Run) (string, error) {
	if _, err := run.Await(ctx, agent.Message{Parts: []agent.Part{}}); err != nil {
		return "", err
	}
	return "empty", nil
}

// Failer fails while it streams.
//
//agent:register
func Failer() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) { yield("", wrongQuestion()) }
}

// Raiser fails before it says anything.
//
//agent:register
func Raiser() error { return wrongQuestion() }

func wrongQuestion() error {
	return &agent.Error{Code: agent.CodeInvalidInput, Message: "Wrong question buddy!"}
}

// Sessioner says which session it runs in.
//
//agent:register
func Sessioner(run *agent.Run) (string, error) { return run.Session().ID(), nil }

// MimeTypes answers with a part of each of the types that a browser reads.
//
//agent:register
//agent:input_content_types text/plain application/json
//agent:output_content_types text/html application/json application/javascript text/css
func MimeTypes() ([]agent.Part, error) {
	part := func(contentType, content string) agent.Part {
		return agent.Part{ContentType: contentType, Content: &content}
	}
	return []agent.Part{
		part("text/html", "<h1>HTML Content</h1>"),
		part("application/json", `{"key": "value"}`),
		part("application/javascript", "console.log('Hello');"),
		part("text/css", "body { color: red; }"),
	}, nil
}

// Base64Encoding answers with a picture and a text in one message.
//
//agent:register
//agent:output_content_types image/png text/plain
func Base64Encoding() (agent.Message, error) {
	return agent.Message{Parts: []agent.Part{
		agent.NewPart("image/png", picture), agent.TextPart("This is plain text"),
	}}, nil
}

// ArtifactProducer makes three files of different types.
//
//agent:register
//agent:output_content_types text/plain application/json image/png
func ArtifactProducer() ([]agent.Part, error) {
	return []agent.Part{
		agent.TextPart("Processing with artifacts"),
		agent.Artifact("text-result.txt", "text/plain", []byte("This is a text artifact result")),
		agent.Artifact("data.json", "application/json", []byte(`{"results": [1, 2, 3], "status": "complete"}`)),
		agent.Artifact("image.png", "image/png", picture),
	}, nil
}
