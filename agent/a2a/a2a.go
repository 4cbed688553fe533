// Package a2a is the view of a registry that Agent2Agent clients have: its cards.
//
// Not its job: HTTP (the generated server and package server do it), and calls of agents. Their handlers
// belong at [RootPath] and [AgentPath], which the cards name.
//
// Invariants: the same card satisfies readers of A2A 0.2, 0.3 and 1.0; its addresses are those under which
// its reader sees the server; a list in it is never null.
package a2a

import (
	"context"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/internal/web"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// Service implements A2A's part of [agentapi.StrictServerInterface].
type Service struct {
	registry *agent.Registry
	cards    web.Latest[cardKey]
}

// cardKey tells the cards of one revision of a registry apart. No agent means the card of them all.
type cardKey struct {
	base  web.Base
	agent string
}

// New returns the view of a registry.
func New(r *agent.Registry) *Service { return &Service{registry: r} }

// GetCard answers with the card of all agents.
func (s *Service) GetCard(ctx context.Context, _ agentapi.GetCardRequestObject) (agentapi.GetCardResponseObject, error) {
	card, err := s.rootCard(web.BaseOf(ctx))
	if err != nil {
		return nil, err
	}
	return web.Answer(ctx, card), nil
}

// GetLegacyCard answers with the same document as [Service.GetCard].
func (s *Service) GetLegacyCard(ctx context.Context, _ agentapi.GetLegacyCardRequestObject) (agentapi.GetLegacyCardResponseObject, error) {
	card, err := s.rootCard(web.BaseOf(ctx))
	if err != nil {
		return nil, err
	}
	return web.Answer(ctx, card), nil
}

// GetAgentCard answers with the card of one agent.
func (s *Service) GetAgentCard(ctx context.Context, request agentapi.GetAgentCardRequestObject) (agentapi.GetAgentCardResponseObject, error) {
	base := web.BaseOf(ctx)
	card, err := s.cards.Get(s.registry, cardKey{base, request.Name}, func() (*web.Document, error) {
		card, ok := s.registry.AgentCard(request.Name)
		if !ok {
			return nil, web.NotFound("Agent", request.Name)
		}
		return web.NewJSON(web.JSON, compose(card, agentEndpoint(base, card.URL, request.Name)))
	})
	if err != nil {
		return nil, err
	}
	return web.Answer(ctx, card), nil
}

func (s *Service) rootCard(base web.Base) (*web.Document, error) {
	return s.cards.Get(s.registry, cardKey{base: base}, func() (*web.Document, error) {
		card, ok := s.registry.Card()
		if !ok {
			return nil, &agent.Error{Code: agent.CodeNotFound, Message: "No agent is registered, so there is no card"}
		}
		return web.NewJSON(web.JSON, compose(card, rootEndpoint(base, card.URL)))
	})
}
