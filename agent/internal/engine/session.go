package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/store"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// sessionView is the session of a run as it was when the run began.
type sessionView struct {
	id      uuid.UUID
	history []string
}

// begin finds the session of a request, or begins one.
func (e *Engine) begin(ctx context.Context, r Request) (sessionView, error) {
	view := sessionView{id: r.SessionID}
	if view.id == uuid.Nil {
		view.id = uuid.New()
	}
	err := e.store.UpdateSession(ctx, view.id.String(), func(s *agentapi.Session) error {
		s.ID = &view.id
		if r.Session != nil {
			s.History, s.State = r.Session.History, r.Session.State
		}
		view.history = s.History
		return nil
	})
	return view, err
}

// Session returns a session. The error is [store.ErrNotFound].
func (e *Engine) Session(ctx context.Context, id uuid.UUID) (agentapi.Session, error) {
	return e.store.Session(ctx, id.String())
}

// Resource returns a resource. The error is [store.ErrNotFound].
func (e *Engine) Resource(ctx context.Context, id uuid.UUID) (store.Resource, error) {
	return e.store.Resource(ctx, id.String())
}

// History implements [agent.Host].
func (x *execution) History(ctx context.Context) ([]agent.Message, error) {
	messages := make([]agent.Message, len(x.session.history))
	size, limit := 0, x.engine.limits.Output
	for i, address := range x.session.history {
		data, err := x.engine.load(ctx, address)
		if size += len(data); err == nil && limit >= 0 && size > limit {
			err = fmt.Errorf("it has more than %d bytes", limit) // a client may name one message many times
		}
		if err == nil {
			err = json.Unmarshal(data, &messages[i])
		}
		if err != nil {
			return nil, fmt.Errorf("history of the session: %s: %w", address, err)
		}
	}
	return messages, nil
}

// State implements [agent.Host].
func (x *execution) State(ctx context.Context) ([]byte, error) {
	s, err := x.engine.store.Session(ctx, x.session.id.String())
	if err != nil || s.State == "" {
		return nil, err
	}
	return x.engine.load(ctx, s.State)
}

// SetState implements [agent.Host].
func (x *execution) SetState(ctx context.Context, state []byte) error {
	addresses, err := x.keep(ctx, state)
	if err != nil {
		return err
	}
	return x.engine.store.UpdateSession(ctx, x.session.id.String(), func(s *agentapi.Session) error {
		s.ID, s.State = &x.session.id, addresses[0]
		return nil
	})
}

// remember adds what was said in a run that completes to the history of its session. The run has done its
// work by then, so a failure does not fail it.
func (x *execution) remember() {
	ctx := context.WithoutCancel(x.ctx)
	output, err := marshalEach(x.transcript.run.Output)
	var addresses []string
	if err == nil {
		addresses, err = x.keep(ctx, slices.Concat(x.input, output)...)
	}
	if err == nil {
		err = x.engine.store.UpdateSession(ctx, x.session.id.String(), func(s *agentapi.Session) error {
			s.ID = &x.session.id
			s.History = append(s.History, addresses...)
			return nil
		})
	}
	if err != nil {
		x.engine.logger.ErrorContext(ctx, "history not kept", "run", x.id, "session", x.session.id, "error", err)
	}
}

// keep makes resources of JSON texts and returns their addresses.
func (x *execution) keep(ctx context.Context, texts ...[]byte) ([]string, error) {
	addresses := make([]string, len(texts))
	resources := make([]store.Resource, len(texts))
	for i, text := range texts {
		id := uuid.NewString()
		resources[i] = store.Resource{ID: id, ContentType: "application/json", Data: text}
		addresses[i] = x.request.ResourceURL(id)
	}
	return addresses, x.engine.store.SaveResources(ctx, x.session.id.String(), resources...)
}

func marshalEach(messages []agent.Message) ([][]byte, error) {
	all := make([][]byte, len(messages))
	for i, m := range messages {
		var err error
		if all[i], err = json.Marshal(m); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// load reads a resource of a session: one of ours, whatever name the client knows us by, or another server's.
func (e *Engine) load(ctx context.Context, address string) ([]byte, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if id, err := uuid.Parse(path.Base(u.Path)); err == nil {
		switch resource, err := e.store.Resource(ctx, id.String()); {
		case err == nil:
			return resource.Data, nil
		case !errors.Is(err, store.ErrNotFound):
			return nil, err
		}
	}
	if e.fetch == nil {
		return nil, errors.New("resources of other servers are not read here")
	}
	return e.fetch(ctx, address)
}
