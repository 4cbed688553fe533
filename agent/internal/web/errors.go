package web

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// maxEcho is how much of what a client sent an error repeats.
const maxEcho = 100

// NotFound says that there is no such thing, in the words that clients of the protocol know.
func NotFound(kind, id string) *agent.Error {
	return &agent.Error{Code: agent.CodeNotFound, Message: fmt.Sprintf("%s %s not found", kind, Short(id))}
}

// Short cuts a text of the client's to what an error may repeat of it.
func Short(text string) string {
	if runes := []rune(text); len(runes) > maxEcho {
		return string(runes[:maxEcho]) + "…"
	}
	return text
}

// Invalid says what is wrong with a part of the request.
func Invalid(where, format string, args ...any) *agent.Error {
	return &agent.Error{Code: agent.CodeInvalidInput, Message: where + ": " + fmt.Sprintf(format, args...)}
}

// Status is the HTTP status of an error with the code.
func Status(code string) int {
	switch code {
	case agent.CodeNotFound:
		return http.StatusNotFound
	case agent.CodeInvalidInput:
		return http.StatusUnprocessableEntity
	default:
		return http.StatusInternalServerError
	}
}

// WriteError answers with the protocol's error body.
func WriteError(w http.ResponseWriter, status int, e *agent.Error) {
	body, err := json.Marshal(agentapi.Error{Code: e.Code, Message: e.Message, Data: e.Data})
	if err != nil { // the data is not JSON; the message still says what is wrong
		body, _ = json.Marshal(agentapi.Error{Code: e.Code, Message: e.Message})
	}
	w.Header().Set("Content-Type", JSON)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
