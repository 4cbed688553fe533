package acp

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/web"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// validRole tells whether a role is one that the protocol knows: user, agent, or agent/NAME with a name of
// letters, digits, _ and - (ACP, Message Structure).
func validRole(role string) bool {
	const inName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	name, named := strings.CutPrefix(role, "agent/")
	return role == "user" || role == "agent" || named && name != "" && strings.Trim(name, inName) == ""
}

// checkCreate finds what the models can't say about a request for a run, and fills in its defaults.
func checkCreate(body *agentapi.RunCreateRequest) error {
	switch {
	case body.AgentName == "":
		return web.Invalid("/agent_name", "is required")
	case body.Input == nil:
		return web.Invalid("/input", "is required")
	case body.Mode != "" && !body.Mode.Valid():
		return web.Invalid("/mode", "%q is not sync, async or stream", body.Mode)
	}
	for i := range body.Input {
		if err := checkMessage(fmt.Sprintf("/input/%d", i), &body.Input[i]); err != nil {
			return err
		}
	}
	if body.Session != nil {
		for i, address := range body.Session.History {
			if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
				return web.Invalid(fmt.Sprintf("/session/history/%d", i), "%q is no http or https URL", web.Short(address))
			}
		}
	}
	return nil
}

// checkResume does the same for an answer.
func checkResume(body *agentapi.RunResumeRequest) error {
	switch {
	case body.Mode == "":
		return web.Invalid("/mode", "is required: sync, async or stream")
	case !body.Mode.Valid():
		return web.Invalid("/mode", "%q is not sync, async or stream", body.Mode)
	case body.AwaitResume.Message.Parts == nil:
		return web.Invalid("/await_resume", `is required, as {"type":"message","message":{"parts":[{"content":"the answer"}]}}`)
	case body.AwaitResume.Type != "" && !body.AwaitResume.Type.Valid():
		return web.Invalid("/await_resume/type", "%q is not message", body.AwaitResume.Type)
	}
	return checkMessage("/await_resume/message", &body.AwaitResume.Message)
}

func checkMessage(at string, m *agent.Message) error {
	if m.Role == "" {
		m.Role = "user"
	}
	if !validRole(m.Role) {
		return web.Invalid(at+"/role", "%q is not user, agent or agent/NAME", web.Short(m.Role))
	}
	if m.Parts == nil {
		return web.Invalid(at+"/parts", "is required")
	}
	m.CreatedAt = m.CreatedAt.UTC() // some clients read no other zone
	if m.CompletedAt != nil {
		m.CompletedAt = new(m.CompletedAt.UTC())
	}
	for i, part := range m.Parts {
		if err := checkPart(fmt.Sprintf("%s/parts/%d", at, i), part); err != nil {
			return err
		}
	}
	return nil
}

func checkPart(at string, part agent.Part) error {
	switch {
	case part.Content != nil && part.ContentURL != "":
		return web.Invalid(at, "Only one of content or content_url can be provided")
	case part.ContentURL != "" && !absolute(part.ContentURL):
		return web.Invalid(at+"/content_url", "%q is no absolute URL", web.Short(part.ContentURL))
	case part.ContentEncoding != "" && !part.ContentEncoding.Valid():
		return web.Invalid(at+"/content_encoding", "%q is not plain or base64", part.ContentEncoding)
	case part.Metadata != nil && !part.Metadata.Kind.Valid():
		return web.Invalid(at+"/metadata/kind", "%q is not citation or trajectory", part.Metadata.Kind)
	}
	return nil
}

func absolute(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.IsAbs()
}
