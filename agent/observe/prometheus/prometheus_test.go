package prometheus_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	client "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/observe/prometheus"
	"github.com/cd3b852d/agentgen/agent/server"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// worker uses tokens, fails or awaits an answer, as it is told.
func worker(ctx context.Context, run *agent.Run, task string) (string, error) {
	run.AddUsage(10)
	switch task {
	case "fail":
		return "", errors.New("no")
	case "ask":
		answer, err := run.Await(ctx, agent.TextMessage("Sure?"))
		return agent.Text(answer), err
	}
	return "done", nil
}

// serve serves the worker with an observer, and the metrics beside it.
func serve(t *testing.T, metrics *client.Registry) (*server.Server, string) {
	t.Helper()
	r := agent.NewRegistry()
	err := r.Register(agent.Package{
		Card: agentapi.AgentCard{
			Name: "Workers", Description: "Agents that work.", Version: "1.0.0",
			DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"},
			Skills: []agentapi.AgentSkill{{ID: "worker", Name: "Work", Description: "Works.", Tags: []string{"work"}}},
		},
		Agents: []agent.Agent{{Manifest: agentapi.AgentManifest{
			Name: "worker", Description: "Works.",
			InputContentTypes: []string{"text/plain"}, OutputContentTypes: []string{"text/plain"},
		}, Handler: agent.Func(worker)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	observer, err := prometheus.New(metrics)
	if err != nil {
		t.Fatal(err)
	}
	agents, err := server.Handler(r, server.WithObserver(observer))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", agents)
	mux.Handle("/metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return agents, s.URL
}

// run runs the worker.
func run(t *testing.T, base, task string) {
	t.Helper()
	body := `{"agent_name":"worker","input":[{"role":"user","parts":[{"content":"` + task + `"}]}]}`
	response, err := http.Post(base+"/runs", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		t.Fatal(response.Status)
	}
}

func TestMetricsOfRuns(t *testing.T) {
	metrics := client.NewPedanticRegistry()
	agents, base := serve(t, metrics)
	run(t, base, "ask") // which nobody answers before the server shuts down
	active := func(count string) string {
		return "# HELP agentgen_runs_active Runs that go on, those that await an answer included.\n" +
			"# TYPE agentgen_runs_active gauge\nagentgen_runs_active{agent=\"worker\"} " + count + "\n"
	}
	if err := testutil.GatherAndCompare(metrics, strings.NewReader(active("1")), "agentgen_runs_active"); err != nil {
		t.Error(err)
	}
	for _, task := range []string{"work", "work", "fail"} {
		run(t, base, task)
	}
	if err := agents.Shutdown(t.Context()); err != nil { // which waits for observers
		t.Fatal(err)
	}
	want := active("0") + `# HELP agentgen_runs_total Runs that ended.
# TYPE agentgen_runs_total counter
agentgen_runs_total{agent="worker",status="cancelled"} 0
agentgen_runs_total{agent="worker",status="completed"} 2
agentgen_runs_total{agent="worker",status="failed"} 2
# HELP agentgen_run_tokens_total Tokens that runs which ended have used.
# TYPE agentgen_run_tokens_total counter
agentgen_run_tokens_total{agent="worker"} 40
`
	names := []string{"agentgen_runs_active", "agentgen_runs_total", "agentgen_run_tokens_total"}
	if err := testutil.GatherAndCompare(metrics, strings.NewReader(want), names...); err != nil {
		t.Error(err)
	}
	if problems, err := testutil.GatherAndLint(metrics); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
	response, err := http.Get(base + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	scraped, err := io.ReadAll(response.Body)
	for _, line := range []string{
		`agentgen_runs_total{agent="worker",status="completed"} 2`,
		`agentgen_run_duration_seconds_count{agent="worker"} 4`,
		`agentgen_run_duration_seconds_bucket{agent="worker",le="3600"} 4`,
	} {
		if err != nil || !strings.Contains(string(scraped), line+"\n") {
			t.Errorf("%v: want %s in\n%s", err, line, scraped)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	metrics := client.NewRegistry()
	if _, err := prometheus.New(metrics); err != nil {
		t.Error(err)
	}
	if _, err := prometheus.New(metrics); !errors.As(err, new(client.AlreadyRegisteredError)) {
		t.Errorf("registered twice: %v", err)
	}
	if _, err := prometheus.New(nil); err == nil {
		t.Error("no registerer is no error")
	}
}
