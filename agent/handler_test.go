package agent_test

import (
	"context"
	"encoding/base64"
	"errors"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// collect runs a handler and returns what it yields.
func collect(h agent.Handler, input ...agent.Message) (outputs []any, err error) {
	for output, e := range h.Run(context.Background(), agent.NewRun(agent.RunInfo{AgentName: "tested"}, nil), input) {
		if e != nil {
			return outputs, e
		}
		outputs = append(outputs, output)
	}
	return outputs, nil
}

// same returns its input.
func same[I any](_ context.Context, _ *agent.Run, in I) (I, error) { return in, nil }

func content(contentType, text string) agent.Message {
	return agent.Message{Parts: []agent.Part{{ContentType: contentType, Content: &text}}}
}

type query struct {
	Topic string `json:"topic"`
}

func TestInputs(t *testing.T) {
	hello, world := agent.TextMessage("hello"), agent.TextMessage("world")
	encoded := content("application/json", base64.StdEncoding.EncodeToString([]byte(`{"topic":"b64"}`)))
	encoded.Parts[0].ContentEncoding = agentapi.MessagePartContentEncodingBase64
	for name, test := range map[string]struct {
		handler agent.Handler
		input   []agent.Message
		want    []any
	}{
		"none":          {agent.Func(same[agent.None]), []agent.Message{hello}, []any{agent.None{}}},
		"text":          {agent.Func(same[string]), []agent.Message{hello, world}, []any{"hello\nworld"}},
		"no text":       {agent.Func(same[string]), nil, []any{""}},
		"message":       {agent.Func(same[agent.Message]), []agent.Message{hello, world}, []any{world}},
		"messages":      {agent.Func(same[[]agent.Message]), []agent.Message{hello, world}, []any{[]agent.Message{hello, world}}},
		"no messages":   {agent.Func(same[[]agent.Message]), nil, []any{[]agent.Message(nil)}},
		"part":          {agent.Func(same[agent.Part]), []agent.Message{hello, world}, []any{world.Parts[0]}},
		"parts":         {agent.Func(same[[]agent.Part]), []agent.Message{hello, world}, []any{[]agent.Part{hello.Parts[0], world.Parts[0]}}},
		"struct":        {agent.Func(same[query]), []agent.Message{content("application/json", `{"topic":"a"}`)}, []any{content("application/json", `{"topic":"a"}`).Parts[0]}},
		"pointer":       {agent.Func(same[*query]), []agent.Message{content("application/json", `{"topic":"a"}`)}, []any{content("application/json", `{"topic":"a"}`).Parts[0]}},
		"JSON as text":  {agent.Func(same[query]), []agent.Message{agent.TextMessage(`{"topic":"a"}`)}, []any{content("application/json", `{"topic":"a"}`).Parts[0]}},
		"JSON last":     {agent.Func(same[query]), []agent.Message{content("application/x+json; v=1", `{"topic":"a"}`), content("application/json", `{"topic":"b"}`), hello}, []any{content("application/json", `{"topic":"b"}`).Parts[0]}},
		"base64":        {agent.Func(same[query]), []agent.Message{encoded}, []any{content("application/json", `{"topic":"b64"}`).Parts[0]}},
		"list":          {agent.Func(same[[]int]), []agent.Message{content("application/json", `[1,2]`)}, []any{content("application/json", `[1,2]`).Parts[0]}},
		"anything":      {agent.Func(same[any]), []agent.Message{content("application/json", `{"x":true}`)}, []any{map[string]any{"x": true}}},
		"number":        {agent.Func(same[float64]), []agent.Message{agent.TextMessage("1.5")}, []any{content("application/json", `1.5`).Parts[0]}},
		"nothing said":  {agent.Action(func(context.Context, *agent.Run, string) error { return nil }), nil, nil},
		"stream of run": {agent.Stream(spell), nil, []any{"tested", "!"}},
		"nil stream":    {agent.Stream(func(context.Context, *agent.Run, agent.None) iter.Seq2[string, error] { return nil }), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := collect(test.handler, test.input...)
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Error(err, diff)
			}
		})
	}
}

func spell(_ context.Context, run *agent.Run, _ agent.None) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) { _ = yield(run.AgentName(), nil) && yield("!", nil) }
}

func TestInputsThatDoNotFit(t *testing.T) {
	for name, test := range map[string]struct {
		handler agent.Handler
		input   []agent.Message
	}{
		"JSON for text":     {agent.Func(same[string]), []agent.Message{content("application/json", "{}")}},
		"no content":        {agent.Func(same[string]), []agent.Message{{Parts: []agent.Part{{}}}}},
		"no message":        {agent.Func(same[agent.Message]), nil},
		"no part":           {agent.Func(same[agent.Part]), []agent.Message{{}}},
		"no JSON":           {agent.Func(same[query]), []agent.Message{agent.TextMessage("hello")}},
		"another type":      {agent.Func(same[query]), []agent.Message{content("application/json", `[]`)}},
		"more than a value": {agent.Func(same[query]), []agent.Message{content("application/json", `{} {}`)}},
		"empty":             {agent.Func(same[int]), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := collect(test.handler, test.input...)
			var fault *agent.Error
			if !errors.As(err, &fault) || fault.Code != agent.CodeInvalidInput || got != nil {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}

func TestErrorsEndTheSequence(t *testing.T) {
	broken := errors.New("broken")
	stream := agent.Stream(func(context.Context, *agent.Run, agent.None) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) { _ = yield(1, nil) && yield(2, broken) && yield(3, nil) }
	})
	for name, test := range map[string]struct {
		handler agent.Handler
		want    []any
	}{
		"func":   {agent.Func(func(context.Context, *agent.Run, agent.None) (string, error) { return "lost", broken }), nil},
		"action": {agent.Action(func(context.Context, *agent.Run, agent.None) error { return broken }), nil},
		"stream": {stream, []any{content("application/json", `1`).Parts[0]}},
	} {
		got, err := collect(test.handler)
		if diff := cmp.Diff(test.want, got); diff != "" || !errors.Is(err, broken) {
			t.Error(name, err, diff)
		}
	}
}

func TestConsumersMayStop(t *testing.T) {
	messages := []agent.Message{agent.TextMessage("1"), agent.TextMessage("2")}
	for _, handler := range []agent.Handler{agent.Func(same[[]agent.Message]), agent.Stream(spell)} {
		seen := 0
		for _, err := range handler.Run(context.Background(), agent.NewRun(agent.RunInfo{AgentName: "x"}, nil), messages) {
			if err != nil {
				t.Error(err)
			}
			seen++
			break
		}
		if seen != 1 {
			t.Errorf("saw %d outputs", seen)
		}
	}
}
