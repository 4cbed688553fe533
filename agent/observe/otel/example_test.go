package otel_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/observe/otel"
	"github.com/cd3b852d/agentgen/agent/server"
)

// In a program, otelhttp.NewHandler(agents, "agents") takes the place of traced, and an exporter that of
// the recorder.
func ExampleNew() {
	recorder := tracetest.NewSpanRecorder()
	provider := trace.NewTracerProvider(trace.WithSpanProcessor(recorder))
	r, err := newRegistry(func(_ context.Context, _ *agent.Run, task string) (string, error) { return task, nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	agents, err := server.Handler(r, server.WithObserver(otel.New(provider)))
	if err != nil {
		fmt.Println(err)
		return
	}
	s := httptest.NewServer(traced(agents))
	defer s.Close()
	fmt.Println(post(s.URL, "work", "sync"), agents.Shutdown(context.Background()))
	for _, span := range recorder.Ended() {
		fmt.Println(span.Name(), "in", span.SpanContext().TraceID(), "called by", span.Parent().SpanID())
	}
	// Output:
	// <nil> <nil>
	// run worker in 0af7651916cd43dd8448eb211c80319c called by b7ad6b7169203331
}
