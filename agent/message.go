package agent

import (
	"mime"
	"strings"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// Message is what a user or an agent says: a list of parts.
type Message = agentapi.Message

const (
	textPlain       = "text/plain"
	applicationJSON = "application/json"
)

// TextMessage returns a message of the user with the text as its only part.
func TextMessage(text string) Message {
	return Message{Role: "user", Parts: []Part{TextPart(text)}}
}

// Text returns the text in the messages: the content of the parts whose media type is text or absent,
// joined as it stands within a message and by a line break between messages. A part with unreadable
// base64 counts as empty; [PartBytes] tells why.
func Text(messages ...Message) string {
	texts := make([]string, 0, len(messages))
	for _, m := range messages {
		if text, ok := messageText(m); ok {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// messageText returns the text of one message and whether there is any, be it empty.
func messageText(m Message) (string, bool) {
	var text strings.Builder
	found := false
	for _, p := range m.Parts {
		if p.Content == nil || !isText(p.ContentType) {
			continue
		}
		content, err := PartBytes(p)
		if err == nil {
			text.Write(content)
			found = true
		}
	}
	return text.String(), found
}

// isText tells whether a part of this content type is text. ACP's default is text/plain.
func isText(contentType string) bool {
	return contentType == "" || strings.HasPrefix(mediaType(contentType), "text/")
}

// isJSON tells whether a part of this content type is JSON (RFC 6839, section 3.1).
func isJSON(contentType string) bool {
	t := mediaType(contentType)
	return t == applicationJSON || strings.HasSuffix(t, "+json")
}

// mediaType drops the parameters of a content type, also where they are malformed.
func mediaType(contentType string) string {
	t, _, _ := mime.ParseMediaType(contentType)
	return t
}
