package agent_test

import (
	"testing"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

func TestText(t *testing.T) {
	untyped, encoded, broken := "b", "Yw==", "not base64!"
	mixed := agent.Message{Parts: []agent.Part{
		{ContentType: "text/html; charset=utf-8", Content: &untyped},
		{ContentType: "image/png", Content: &encoded},
		{Content: &encoded, ContentEncoding: agentapi.MessagePartContentEncodingBase64},
		{Content: &broken, ContentEncoding: agentapi.MessagePartContentEncodingBase64},
		{ContentType: "text/plain", ContentURL: "https://example.com/"},
	}}
	got := agent.Text(agent.TextMessage("a"), mixed, agent.Message{}, agent.TextMessage(""), agent.TextMessage("d"))
	if want := "a\nbc\n\nd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := agent.Text(); got != "" {
		t.Errorf("got %q of no messages", got)
	}
}

func TestPartBytes(t *testing.T) {
	encoded, broken := "AP8=", "?"
	for name, test := range map[string]struct {
		part agent.Part
		want string
		ok   bool
	}{
		"plain":  {agent.Part{Content: &encoded}, "AP8=", true},
		"base64": {agent.Part{Content: &encoded, ContentEncoding: agentapi.MessagePartContentEncodingBase64}, "\x00\xff", true},
		"broken": {agent.Part{Content: &broken, ContentEncoding: agentapi.MessagePartContentEncodingBase64}, "", false},
		"none":   {agent.Part{ContentURL: "https://example.com/"}, "", true},
	} {
		got, err := agent.PartBytes(test.part)
		if string(got) != test.want || (err == nil) != test.ok {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}
