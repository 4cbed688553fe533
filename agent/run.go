package agent

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
)

// Run is one execution of an agent, as the function that does the work sees it. Its methods may be called
// concurrently. Once the run has ended they fail with the reason.
type Run struct {
	info RunInfo
	host Host
}

// RunInfo tells which run it is.
type RunInfo struct {
	// ID identifies the run. It is a UUID.
	ID string
	// AgentName is the name of the agent that runs.
	AgentName string
	// SessionID identifies the conversation to which the run belongs. It is a UUID.
	SessionID string
	// Caller is who asked for the run.
	Caller Caller
	// Logger is where what the run tells is logged. Nil means [slog.Default].
	Logger *slog.Logger
}

// Caller is who asked for a run, as far as the server has verified it. The zero value is nobody known.
type Caller struct {
	// Scheme is the security scheme of the card whose credential was valid.
	Scheme string
	// Subject is who it belongs to.
	Subject string
	// Claims are what else the credential says.
	Claims map[string]any
}

// Host does for a run what takes more than a function. The engine of the server is one.
type Host interface {
	// Emit adds to the output of the run.
	Emit(value any) error
	// Update tells those who follow the run.
	Update(value map[string]any) error
	// Await waits for the answer to a message.
	Await(ctx context.Context, message Message) (Message, error)
	// AddUsage counts tokens.
	AddUsage(tokens int)
	// History returns the messages of the session.
	History(ctx context.Context) ([]Message, error)
	// State returns what SetState kept in the session last, or nil.
	State(ctx context.Context) ([]byte, error)
	// SetState keeps JSON in the session.
	SetState(ctx context.Context, state []byte) error
}

// NewRun returns a run that a host executes. Without one, nil, only what the info tells can be asked for.
func NewRun(info RunInfo, host Host) *Run { return &Run{info, host} }

var errNoHost = errors.New("agent: nothing executes this run")

// ID identifies the run. It is a UUID.
func (r *Run) ID() string { return r.info.ID }

// AgentName is the name of the agent that runs.
func (r *Run) AgentName() string { return r.info.AgentName }

// Caller is who asked for the run.
func (r *Run) Caller() Caller { return r.info.Caller }

// Logger returns a logger whose records carry the run, its agent and its session.
func (r *Run) Logger() *slog.Logger {
	logger := r.info.Logger
	if logger == nil {
		logger = slog.Default()
	}
	return logger.With("run", r.info.ID, "agent", r.info.AgentName, "session", r.info.SessionID)
}

// Emit adds to the output of the run, at once for those who follow it.
//
// Text and each [Part] join the message that is being said, or begin one. [Metadata] is a part without
// content. A [Message] is complete by itself; its role becomes the agent's. The elements of a list of
// messages or parts follow one another. Nil ends the message that is being said. Any other value is a part
// with its JSON. The error says that the value is no JSON, that the output has grown beyond what the
// server allows, or that the run has ended.
func (r *Run) Emit(value any) error {
	if r.host == nil {
		return errNoHost
	}
	return r.host.Emit(value)
}

// Update tells those who follow the run how it goes, without adding to its output. The value is an object
// in JSON: a struct or a map (ACP, generic event).
func (r *Run) Update(value any) error {
	if r.host == nil {
		return errNoHost
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil || object == nil {
		return errors.New("agent: an update is an object, such as a struct or a map")
	}
	return r.host.Update(object)
}

// Await asks the caller something and returns the answer (ACP, Await). Meanwhile the run takes no time of
// its limit. The error says that the context or the run has ended, that nobody answered within the time
// that the server allows, or that the run awaits something else already.
func (r *Run) Await(ctx context.Context, message Message) (Message, error) {
	if r.host == nil {
		return Message{}, errNoHost
	}
	return r.host.Await(ctx, message)
}

// AddUsage counts tokens of a language model that the run has used. They show in the status of the agent's
// manifest.
func (r *Run) AddUsage(tokens int) {
	if r.host != nil {
		r.host.AddUsage(tokens)
	}
}

// Session returns the conversation to which the run belongs.
func (r *Run) Session() *Session { return &Session{r.info.SessionID, r.host} }

// Session is a conversation that spans several runs, of one agent or more.
type Session struct {
	id   string
	host Host
}

// ID identifies the session. It is a UUID.
func (s *Session) ID() string { return s.id }

// History returns what was said in the session before this run: the input and the output of each run that
// completed, in order.
func (s *Session) History(ctx context.Context) ([]Message, error) {
	if s.host == nil {
		return nil, errNoHost
	}
	return s.host.History(ctx)
}

// State decodes what the agents of the session remember, and reports whether there is anything.
func (s *Session) State(ctx context.Context, into any) (bool, error) {
	if s.host == nil {
		return false, errNoHost
	}
	state, err := s.host.State(ctx)
	if err != nil || state == nil {
		return false, err
	}
	return true, json.Unmarshal(state, into)
}

// SetState remembers a value, which JSON holds, for later runs of the session. Of two runs that do so at
// once the later wins.
func (s *Session) SetState(ctx context.Context, value any) error {
	if s.host == nil {
		return errNoHost
	}
	state, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return s.host.SetState(ctx, state)
}
