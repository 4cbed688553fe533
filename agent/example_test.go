package agent_test

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// A generated RegisterAgents does this for each annotated package.
func ExampleRegistry_Register() {
	shout := func(_ context.Context, _ *agent.Run, text string) (string, error) { return strings.ToUpper(text), nil }
	r := agent.NewRegistry()
	err := r.Register(agent.Package{
		Card: agentapi.AgentCard{Name: "Shouter", Description: "Shouts."},
		Agents: []agent.Agent{{
			Manifest: agentapi.AgentManifest{
				Name: "shout", Description: "Shouts what it is told.",
				InputContentTypes: []string{"text/plain"}, OutputContentTypes: []string{"text/plain"},
			},
			Handler: agent.Func(shout),
		}},
	})
	fmt.Println(err, len(r.Agents()))
	// Output: <nil> 1
}

func ExampleNewRegistry() {
	r := agent.NewRegistry()
	fmt.Println(r.Register(agent.Package{Agents: []agent.Agent{{Manifest: agentapi.AgentManifest{Name: "Shout!"}}}}))
	// Output:
	// agent "Shout!" needs a name of 1 to 63 lower-case letters, digits and inner hyphens (RFC 1123)
	// agent "Shout!" has no description
	// agent "Shout!" lacks an input content type
	// agent "Shout!" lacks an output content type
	// agent "Shout!" has no handler
	// the card has no name
	// the card has no description
}

func ExampleFunc() {
	type order struct {
		Item string `json:"item"`
	}
	price := agent.Func(func(_ context.Context, _ *agent.Run, o order) (map[string]int, error) {
		return map[string]int{o.Item: 3}, nil
	})
	for _, input := range []string{`{"item": "tea"}`, `{"item": 7, "size": 1}`} {
		for output, err := range price.Run(context.Background(), agent.NewRun(agent.RunInfo{}, nil), []agent.Message{agent.TextMessage(input)}) {
			if err != nil {
				fmt.Println(err)
			} else if part, ok := output.(agent.Part); ok {
				fmt.Println(part.ContentType, *part.Content)
			}
		}
	}
	// Output:
	// application/json {"tea":3}
	// input: knows no size; input: /item: wants string, not number
}

func ExampleStream() {
	words := agent.Stream(func(_ context.Context, _ *agent.Run, text string) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			for word := range strings.FieldsSeq(text) {
				if !yield(word, nil) {
					return
				}
			}
		}
	})
	for output, err := range words.Run(context.Background(), agent.NewRun(agent.RunInfo{AgentName: "words"}, nil), []agent.Message{agent.TextMessage("one by one")}) {
		fmt.Println(output, err)
	}
	// Output:
	// one <nil>
	// by <nil>
	// one <nil>
}

func ExampleAction() {
	forget := agent.Action(func(_ context.Context, run *agent.Run, _ agent.None) error {
		fmt.Println(run.AgentName(), "forgets")
		return nil
	})
	for said, err := range forget.Run(context.Background(), agent.NewRun(agent.RunInfo{AgentName: "memory"}, nil), nil) {
		fmt.Println("never reached: an action says nothing", said, err)
	}
	// Output: memory forgets
}

func ExampleText() {
	fmt.Println(agent.Text(agent.TextMessage("Hello,"), agent.TextMessage("agent!")))
	// Output:
	// Hello,
	// agent!
}

func ExampleTextMessage() {
	m := agent.TextMessage("Hello")
	fmt.Println(m.Role, m.Parts[0].ContentType, *m.Parts[0].Content)
	// Output: user text/plain Hello
}
