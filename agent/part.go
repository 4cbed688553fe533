package agent

import (
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// Part is a piece of a message: content with its media type, or the address of it.
type Part = agentapi.MessagePart

// Metadata says what stands behind a part: a citation or a step of the agent's work (ACP, Message Metadata).
type Metadata = agentapi.PartMetadata

// TextPart returns a part with the text.
func TextPart(text string) Part { return Part{ContentType: textPlain, Content: &text} }

// JSONPart returns a part with the JSON of a value, or the error of [json.Marshal].
func JSONPart(value any) (Part, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return Part{}, err
	}
	return NewPart(applicationJSON, data), nil
}

// NewPart returns a part with the content, in base64 unless it is text or JSON.
func NewPart(contentType string, content []byte) Part {
	p := Part{ContentType: contentType}
	text := string(content)
	if !isText(contentType) && !isJSON(contentType) || !utf8.Valid(content) {
		text = base64.StdEncoding.EncodeToString(content)
		p.ContentEncoding = agentapi.MessagePartContentEncodingBase64
	}
	p.Content = &text
	return p
}

// Artifact returns a part with a name, such as that of a file.
func Artifact(name, contentType string, content []byte) Part {
	p := NewPart(contentType, content)
	p.Name = &name
	return p
}

// Citation says where something comes from. Set StartIndex and EndIndex to say which text of the message it
// is about, counted in characters over the text parts.
func Citation(url, title string) Metadata {
	return Metadata{Kind: agentapi.PartMetadataKindCitation, URL: url, Title: title}
}

// Trajectory says what the agent thought or did. Set ToolName, ToolInput and ToolOutput to tell of a tool.
func Trajectory(message string) Metadata {
	return Metadata{Kind: agentapi.PartMetadataKindTrajectory, Message: message}
}

// PartBytes returns the content of a part, decoded if it is base64, and nil for a part without content.
func PartBytes(p Part) ([]byte, error) {
	if p.Content == nil {
		return nil, nil
	}
	if p.ContentEncoding == agentapi.MessagePartContentEncodingBase64 {
		return base64.StdEncoding.DecodeString(*p.Content)
	}
	return []byte(*p.Content), nil
}
