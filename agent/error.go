package agent

// The codes of the protocol. Clients know no others.
const (
	// CodeNotFound says that there is no such agent, run, session or resource.
	CodeNotFound = "not_found"
	// CodeInvalidInput says that the caller has to change the request.
	CodeInvalidInput = "invalid_input"
	// CodeServerError says that the fault is not the caller's.
	CodeServerError = "server_error"
)

// Error is a failure that the caller may read. A function that returns one, wrapped or not, decides what
// its run fails with; any other error is a CodeServerError with the error's text.
type Error struct {
	// Code is one of the constants above.
	Code string
	// Message is written for people.
	Message string
	// Data is anything else that a program can use. It must be marshallable as JSON.
	Data map[string]any
}

// Error returns the message.
func (e *Error) Error() string {
	if e == nil {
		return "a nil *agent.Error"
	}
	return e.Message
}
