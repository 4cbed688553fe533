package otel_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	api "go.opentelemetry.io/otel/trace"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/observe/otel"
	"github.com/cd3b852d/agentgen/agent/server"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// newRegistry has an agent of the name worker.
func newRegistry(work func(context.Context, *agent.Run, string) (string, error)) (*agent.Registry, error) {
	r := agent.NewRegistry()
	return r, r.Register(agent.Package{
		Card: agentapi.AgentCard{
			Name: "Workers", Description: "Agents that work.", Version: "1.0.0",
			DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"},
			Skills: []agentapi.AgentSkill{{ID: "worker", Name: "Work", Description: "Works.", Tags: []string{"work"}}},
		},
		Agents: []agent.Agent{{Manifest: agentapi.AgentManifest{
			Name: "worker", Description: "Works.",
			InputContentTypes: []string{"text/plain"}, OutputContentTypes: []string{"text/plain"},
		}, Handler: agent.Func(work)}},
	})
}

// traced does what otelhttp does for the context of a request: the span of the caller becomes the parent.
func traced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

const (
	traceID    = "0af7651916cd43dd8448eb211c80319c"
	callerSpan = "b7ad6b7169203331"
)

// post runs the worker, as a caller that is traced does.
func post(base, task, mode string) error {
	body := `{"agent_name":"worker","input":[{"role":"user","parts":[{"content":"` + task + `"}]}],"mode":"` + mode + `"}`
	request, err := http.NewRequest(http.MethodPost, base+"/runs", strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Traceparent", "00-"+traceID+"-"+callerSpan+"-01")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return errors.New(response.Status)
	}
	return nil
}

// spanOf runs the worker and returns the span of the run, and those that its function began.
func spanOf(t *testing.T, task, mode string) (trace.ReadOnlySpan, []trace.ReadOnlySpan) {
	t.Helper()
	recorder := tracetest.NewSpanRecorder()
	provider := trace.NewTracerProvider(trace.WithSpanProcessor(recorder))
	r, err := newRegistry(func(ctx context.Context, run *agent.Run, task string) (string, error) {
		_, span := provider.Tracer("worker").Start(ctx, "think")
		defer span.End()
		switch task {
		case "fail":
			return "", &agent.Error{Code: agent.CodeInvalidInput, Message: "no such thing"}
		case "panic":
			panic("secret") //nolint:forbidigo // what the test is about
		case "think":
			run.AddUsage(42)
		}
		return "done", nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// Each of two observers ends its own span.
	agents, err := server.Handler(r, server.WithObserver(otel.New(provider)), server.WithObserver(otel.New(trace.NewTracerProvider())))
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(traced(agents))
	defer s.Close()
	if err := post(s.URL, task, mode); err != nil {
		t.Fatal(err)
	}
	if err := agents.Shutdown(t.Context()); err != nil { // which waits for observers
		t.Fatal(err)
	}
	ended := recorder.Ended()
	if len(ended) == 0 {
		t.Fatal("no span has ended")
	}
	return ended[len(ended)-1], ended[:len(ended)-1]
}

func TestSpanOfARun(t *testing.T) {
	for name, test := range map[string]struct {
		task, mode string
		attributes map[attribute.Key]string // empty for a UUID
		status     trace.Status
	}{
		"completed": {"think", "sync", map[attribute.Key]string{
			"agentgen.run.status": "completed", "agentgen.run.tokens": "42",
		}, trace.Status{}},
		"no tokens, after the request": {"rest", "async", map[attribute.Key]string{
			"agentgen.run.status": "completed",
		}, trace.Status{}},
		"failed": {"fail", "sync", map[attribute.Key]string{
			"agentgen.run.status": "failed", "error.type": "invalid_input",
		}, trace.Status{Code: codes.Error, Description: "no such thing"}},
		"panicked": {"panic", "sync", map[attribute.Key]string{
			"agentgen.run.status": "failed", "error.type": "server_error",
		}, trace.Status{Code: codes.Error, Description: "An unexpected error occurred"}},
	} {
		t.Run(name, func(t *testing.T) {
			span, children := spanOf(t, test.task, test.mode)
			if span.Name() != "run worker" || span.SpanKind() != api.SpanKindInternal || span.Status() != test.status {
				t.Errorf("got %s, %v, %+v", span.Name(), span.SpanKind(), span.Status())
			}
			parent := span.Parent()
			if span.SpanContext().TraceID().String() != traceID || parent.SpanID().String() != callerSpan || !parent.IsRemote() {
				t.Errorf("the parent is %v, in %v", parent, span.SpanContext().TraceID())
			}
			test.attributes["gen_ai.operation.name"] = "invoke_agent"
			test.attributes["gen_ai.agent.name"] = "worker"
			test.attributes["gen_ai.conversation.id"] = ""
			test.attributes["agentgen.run.id"] = ""
			for _, a := range span.Attributes() {
				want, ok := test.attributes[a.Key]
				got := a.Value.String()
				if !ok || want != "" && got != want || want == "" && len(got) != 36 {
					t.Errorf("%s is %q, want %q", a.Key, got, want)
				}
				delete(test.attributes, a.Key)
			}
			if len(test.attributes) > 0 {
				t.Errorf("missing: %v", test.attributes)
			}
			if len(children) != 1 || children[0].SpanContext().TraceID().String() != traceID {
				t.Errorf("the function began %d spans", len(children))
			}
		})
	}
}

// The function's spans are children of the run's.
func TestSpansOfTheFunction(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	provider := trace.NewTracerProvider(trace.WithSpanProcessor(recorder))
	o := otel.New(provider)
	ctx := o.RunStarted(t.Context(), agent.RunInfo{AgentName: "worker"})
	_, child := provider.Tracer("worker").Start(ctx, "think")
	child.End()
	o.RunEnded(ctx, agent.RunInfo{AgentName: "worker"}, agent.RunResult{Status: agentapi.RunStatusCancelled})
	spans := recorder.Ended()
	if len(spans) != 2 || spans[0].Parent().SpanID() != spans[1].SpanContext().SpanID() || spans[1].Status().Code != codes.Unset {
		t.Errorf("got %d spans: %+v", len(spans), spans)
	}
}

// Without a provider it is the global one, which does nothing until somebody sets it.
func TestNoProvider(t *testing.T) {
	o := otel.New(nil)
	o.RunEnded(o.RunStarted(t.Context(), agent.RunInfo{}), agent.RunInfo{}, agent.RunResult{})
}
