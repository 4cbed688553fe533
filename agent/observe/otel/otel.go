// Package otel traces runs with OpenTelemetry.
//
// Not its job: to export spans, which the tracer provider does, and to read the trace from a request:
// wrap the server's handler with otelhttp.NewHandler, or with what sets the span of the request's context.
//
// A run is one span named `run <agent>`, a child of the span in the context of the request that asked for
// it, or else the root of a trace. The span may end long after its parent, as a run outlives its request.
// The context of the agent's function carries it: what the function calls are its children. The attributes
// are those of the semantic conventions for generative AI where these have one, and agentgen's own:
//
//   - gen_ai.operation.name: invoke_agent
//   - gen_ai.agent.name: the name of the agent
//   - gen_ai.conversation.id: the session, a UUID
//   - agentgen.run.id: the run, a UUID
//   - agentgen.run.status: completed, failed or cancelled
//   - agentgen.run.tokens: the tokens that [agent.Run.AddUsage] counted, if any. The conventions have a
//     count of those read and one of those written, and none of both together.
//   - error.type: the code of the error, such as server_error, if the run failed
//
// The status of the span of a failed run is an error with the run's message. That of others is unset, also
// if somebody cancelled the run.
package otel

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// scope names what makes the spans.
const scope = "github.com/cd3b852d/agentgen/agent/observe/otel"

type observer struct {
	tracer trace.Tracer
}

// New returns an observer that makes a span of each run, for server.WithObserver. Without a provider, nil,
// it is the global one.
func New(provider trace.TracerProvider) agent.Observer {
	if provider == nil {
		provider = otel.GetTracerProvider()
	}
	return observer{provider.Tracer(scope)}
}

// RunStarted implements [agent.Observer].
func (o observer) RunStarted(ctx context.Context, run agent.RunInfo) context.Context {
	ctx, _ = o.tracer.Start(ctx, "run "+run.AgentName, trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "invoke_agent"),
		attribute.String("gen_ai.agent.name", run.AgentName),
		attribute.String("gen_ai.conversation.id", run.SessionID),
		attribute.String("agentgen.run.id", run.ID),
	))
	return ctx
}

// RunEnded implements [agent.Observer].
func (o observer) RunEnded(ctx context.Context, _ agent.RunInfo, result agent.RunResult) {
	span := trace.SpanFromContext(ctx)
	defer span.End()
	span.SetAttributes(attribute.String("agentgen.run.status", string(result.Status)))
	if result.Tokens > 0 {
		span.SetAttributes(attribute.Int("agentgen.run.tokens", result.Tokens))
	}
	if result.Status == agentapi.RunStatusFailed && result.Error != nil {
		span.SetAttributes(attribute.String("error.type", result.Error.Code))
		span.SetStatus(codes.Error, result.Error.Message)
	}
}
