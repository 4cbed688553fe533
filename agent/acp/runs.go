package acp

import (
	"context"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/web"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// CreateRun refuses to run an agent, and says so only of agents that exist.
func (s *Service) CreateRun(_ context.Context, request agentapi.CreateRunRequestObject) (agentapi.CreateRunResponseObject, error) {
	name := request.Body.AgentName
	if name == "" {
		return nil, web.Invalid("agent_name", "is required")
	}
	if _, ok := s.registry.Agent(name); !ok {
		return nil, web.NotFound("Agent", name)
	}
	return agentapi.CreateRun501JSONResponse{NotImplementedJSONResponse: agentapi.NotImplementedJSONResponse{
		Code:    agent.CodeServerError,
		Message: "This server does not run agents yet",
	}}, nil
}

// GetRun finds no run.
func (s *Service) GetRun(_ context.Context, request agentapi.GetRunRequestObject) (agentapi.GetRunResponseObject, error) {
	return nil, web.NotFound("Run", request.RunID.String())
}

// ResumeRun finds no run.
func (s *Service) ResumeRun(_ context.Context, request agentapi.ResumeRunRequestObject) (agentapi.ResumeRunResponseObject, error) {
	return nil, web.NotFound("Run", request.RunID.String())
}

// CancelRun finds no run.
func (s *Service) CancelRun(_ context.Context, request agentapi.CancelRunRequestObject) (agentapi.CancelRunResponseObject, error) {
	return nil, web.NotFound("Run", request.RunID.String())
}

// ListRunEvents finds no run.
func (s *Service) ListRunEvents(_ context.Context, request agentapi.ListRunEventsRequestObject) (agentapi.ListRunEventsResponseObject, error) {
	return nil, web.NotFound("Run", request.RunID.String())
}

// GetSession finds no session.
func (s *Service) GetSession(_ context.Context, request agentapi.GetSessionRequestObject) (agentapi.GetSessionResponseObject, error) {
	return nil, web.NotFound("Session", request.SessionID.String())
}

// GetResource finds no resource.
func (s *Service) GetResource(_ context.Context, request agentapi.GetResourceRequestObject) (agentapi.GetResourceResponseObject, error) {
	return nil, web.NotFound("Resource", request.ResourceID.String())
}
