package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/engine"
	"github.com/cd3b852d/agentgen/agent/internal/web"
	"github.com/cd3b852d/agentgen/agent/store"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// CreateRun runs an agent, and answers when the mode says so.
func (s *Service) CreateRun(ctx context.Context, request agentapi.CreateRunRequestObject) (agentapi.CreateRunResponseObject, error) {
	body := request.Body
	if err := checkCreate(body); err != nil {
		return nil, err
	}
	a, ok := s.registry.Agent(body.AgentName)
	if !ok {
		return nil, web.NotFound("Agent", body.AgentName)
	}
	sessionID, ok := sessionOf(body)
	if !ok {
		return agentapi.CreateRun400JSONResponse{BadRequestJSONResponse: agentapi.BadRequestJSONResponse{
			Code:    agent.CodeInvalidInput,
			Message: "Session ID mismatch",
		}}, nil
	}
	base := web.BaseOf(ctx).URL
	run, err := s.engine.Start(ctx, engine.Request{
		Agent:       a,
		Input:       body.Input,
		SessionID:   sessionID,
		Session:     body.Session,
		ResourceURL: func(id string) string { return base + "/resources/" + id },
	})
	switch {
	case errors.Is(err, engine.ErrBusy), errors.Is(err, engine.ErrClosed):
		return agentapi.CreateRundefaultJSONResponse{
			StatusCode: http.StatusServiceUnavailable,
			Body:       agentapi.Error{Code: agent.CodeServerError, Message: "No run is taken now: " + err.Error()},
		}, nil
	case err != nil:
		return nil, err
	case body.Mode == agentapi.RunModeAsync:
		return agentapi.CreateRun202JSONResponse{
			Headers: agentapi.CreateRun202ResponseHeaders{RunID: run.RunID},
			Body:    run,
		}, nil
	case body.Mode == agentapi.RunModeStream:
		return s.stream(ctx, run.RunID, 0, true), nil
	}
	stopped, err := s.engine.Stopped(ctx, run.RunID, 0)
	return stoppedRun{run.RunID, stopped}, err
}

// sessionOf returns the session for a request, if there is one, and whether the request agrees with itself.
func sessionOf(body *agentapi.RunCreateRequest) (uuid.UUID, bool) {
	var id uuid.UUID
	if body.SessionID != nil {
		id = *body.SessionID
	}
	if body.Session == nil || body.Session.ID == nil {
		return id, true
	}
	return *body.Session.ID, body.SessionID == nil || id == *body.Session.ID
}

// GetRun answers with a run as it is now.
func (s *Service) GetRun(ctx context.Context, request agentapi.GetRunRequestObject) (agentapi.GetRunResponseObject, error) {
	run, err := s.engine.Run(ctx, request.RunID)
	if err != nil {
		return nil, missing(err, "Run", request.RunID)
	}
	return agentapi.GetRun200JSONResponse(run), nil
}

// ResumeRun hands an answer to a run that awaits one.
func (s *Service) ResumeRun(ctx context.Context, request agentapi.ResumeRunRequestObject) (agentapi.ResumeRunResponseObject, error) {
	body := request.Body
	if err := checkResume(body); err != nil {
		return nil, err
	}
	run, after, err := s.engine.Resume(ctx, request.RunID, body.AwaitResume.Message)
	switch {
	case errors.Is(err, engine.ErrNotAwaiting):
		return agentapi.ResumeRun403JSONResponse{ForbiddenJSONResponse: agentapi.ForbiddenJSONResponse{
			Code:    agent.CodeServerError,
			Message: fmt.Sprintf("Run %s has no await request", request.RunID),
		}}, nil
	case err != nil:
		return nil, missing(err, "Run", request.RunID)
	case body.Mode == agentapi.RunModeAsync:
		return agentapi.ResumeRun202JSONResponse(run), nil
	case body.Mode == agentapi.RunModeStream:
		return s.stream(ctx, request.RunID, after, false), nil
	}
	stopped, err := s.engine.Stopped(ctx, request.RunID, after)
	return stoppedRun{uuid.Nil, stopped}, err
}

// CancelRun asks a run to stop.
func (s *Service) CancelRun(ctx context.Context, request agentapi.CancelRunRequestObject) (agentapi.CancelRunResponseObject, error) {
	run, err := s.engine.Cancel(ctx, request.RunID)
	switch {
	case errors.Is(err, engine.ErrEnded):
		return agentapi.CancelRun403JSONResponse{ForbiddenJSONResponse: agentapi.ForbiddenJSONResponse{
			Code:    agent.CodeServerError,
			Message: fmt.Sprintf("Run in terminal status %s can't be cancelled", run.Status),
		}}, nil
	case err != nil:
		return nil, missing(err, "Run", request.RunID)
	}
	return agentapi.CancelRun202JSONResponse(run), nil
}

// ListRunEvents answers with the events so far, or follows them if the client asks for a stream.
func (s *Service) ListRunEvents(ctx context.Context, request agentapi.ListRunEventsRequestObject) (agentapi.ListRunEventsResponseObject, error) {
	var after uint64
	if last := request.Params.LastEventID; last != "" {
		var err error
		if after, err = strconv.ParseUint(last, 10, 64); err != nil {
			return nil, web.Invalid("Last-Event-ID", "%q is the id of no event", last)
		}
	}
	if web.Accepts(ctx, eventStream) {
		if _, err := s.engine.AgentName(ctx, request.RunID); err != nil {
			return nil, missing(err, "Run", request.RunID)
		}
		return s.stream(ctx, request.RunID, after, false), nil
	}
	events, err := s.engine.Events(ctx, request.RunID)
	if err != nil {
		return nil, missing(err, "Run", request.RunID)
	}
	return eventList{events}, nil
}

// GetSession answers with a session.
func (s *Service) GetSession(ctx context.Context, request agentapi.GetSessionRequestObject) (agentapi.GetSessionResponseObject, error) {
	session, err := s.engine.Session(ctx, request.SessionID)
	if err != nil {
		return nil, missing(err, "Session", request.SessionID)
	}
	if session.History == nil {
		session.History = []string{}
	}
	return agentapi.GetSession200JSONResponse(session), nil
}

// GetResource answers with the bytes of a resource.
func (s *Service) GetResource(ctx context.Context, request agentapi.GetResourceRequestObject) (agentapi.GetResourceResponseObject, error) {
	resource, err := s.engine.Resource(ctx, request.ResourceID)
	if err != nil {
		return nil, missing(err, "Resource", request.ResourceID)
	}
	return agentapi.GetResource200ApplicationOctetStreamResponse{
		Body:          bytes.NewReader(resource.Data),
		ContentLength: int64(len(resource.Data)),
	}, nil
}

// missing says in the words of the protocol what the store does not have.
func missing(err error, kind string, id uuid.UUID) error {
	if errors.Is(err, store.ErrNotFound) {
		return web.NotFound(kind, id.String())
	}
	return err
}

// stoppedRun answers with a run that has stopped, as the engine has told of it.
type stoppedRun struct {
	id  uuid.UUID // of a run that the request created
	run json.RawMessage
}

// VisitCreateRunResponse writes the run.
func (r stoppedRun) VisitCreateRunResponse(w http.ResponseWriter) error {
	setRunID(w, r.id)
	return writeJSON(w, r.run)
}

// VisitResumeRunResponse writes the run.
func (r stoppedRun) VisitResumeRunResponse(w http.ResponseWriter) error { return writeJSON(w, r.run) }

// eventList answers with events as the engine has told of them.
type eventList struct {
	Events []json.RawMessage `json:"events"`
}

// VisitListRunEventsResponse writes the events.
func (l eventList) VisitListRunEventsResponse(w http.ResponseWriter) error {
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return writeJSON(w, data)
}

func setRunID(w http.ResponseWriter, id uuid.UUID) { w.Header().Set("Run-ID", id.String()) }

func writeJSON(w http.ResponseWriter, data []byte) error {
	w.Header().Set("Content-Type", web.JSON)
	_, err := w.Write(data)
	return err
}
