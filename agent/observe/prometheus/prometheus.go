// Package prometheus counts and times runs for Prometheus.
//
// Not its job: to serve what it measures; package promhttp of the client library does.
//
// The metrics, where agent is the name of the agent:
//
//   - agentgen_runs_total{agent, status}, a counter: the runs that ended, with status completed, failed or cancelled.
//   - agentgen_runs_active{agent}, a gauge: the runs that go on, those that await an answer included.
//   - agentgen_run_duration_seconds{agent}, a histogram: how long a run worked, in seconds, what it awaited not counted.
//   - agentgen_run_tokens_total{agent}, a counter: the tokens that runs which ended have used, as [agent.Run.AddUsage] counted them.
package prometheus

import (
	"context"
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

const (
	agentLabel  = "agent"
	statusLabel = "status"
)

// observer is an [agent.Observer], and a collector of what it has seen.
type observer struct {
	ended    *prometheus.CounterVec
	active   *prometheus.GaugeVec
	duration *prometheus.HistogramVec
	tokens   *prometheus.CounterVec
}

// New returns an observer whose metrics are registered, for server.WithObserver. The error says that the
// registerer is nil, or has metrics of these names already: one observer serves several servers.
func New(registerer prometheus.Registerer) (agent.Observer, error) {
	if registerer == nil {
		return nil, errors.New("prometheus: the registerer is nil: want one, such as prometheus.DefaultRegisterer")
	}
	o := &observer{
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agentgen_runs_total", Help: "Runs that ended.",
		}, []string{agentLabel, statusLabel}),
		active: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "agentgen_runs_active", Help: "Runs that go on, those that await an answer included.",
		}, []string{agentLabel}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "agentgen_run_duration_seconds", Help: "How long runs worked, what they awaited not counted.",
			// From a lookup to what a model thinks about for an hour, the default limit.
			Buckets: []float64{.01, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600},
		}, []string{agentLabel}),
		tokens: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agentgen_run_tokens_total", Help: "Tokens that runs which ended have used.",
		}, []string{agentLabel}),
	}
	if err := registerer.Register(o); err != nil {
		return nil, fmt.Errorf("prometheus: %w", err)
	}
	return o, nil
}

// RunStarted implements [agent.Observer].
func (o *observer) RunStarted(ctx context.Context, run agent.RunInfo) context.Context {
	// Counters begin at zero, or rates would miss the first run that ends.
	for _, status := range []agentapi.RunStatus{agentapi.RunStatusCompleted, agentapi.RunStatusFailed, agentapi.RunStatusCancelled} {
		o.ended.WithLabelValues(run.AgentName, string(status))
	}
	o.tokens.WithLabelValues(run.AgentName)
	o.active.WithLabelValues(run.AgentName).Inc()
	return ctx
}

// RunEnded implements [agent.Observer].
func (o *observer) RunEnded(_ context.Context, run agent.RunInfo, result agent.RunResult) {
	o.active.WithLabelValues(run.AgentName).Dec()
	o.ended.WithLabelValues(run.AgentName, string(result.Status)).Inc()
	o.duration.WithLabelValues(run.AgentName).Observe(result.Duration.Seconds())
	if result.Tokens > 0 {
		o.tokens.WithLabelValues(run.AgentName).Add(float64(result.Tokens))
	}
}

// Describe implements [prometheus.Collector].
func (o *observer) Describe(descriptions chan<- *prometheus.Desc) {
	for _, c := range o.collectors() {
		c.Describe(descriptions)
	}
}

// Collect implements [prometheus.Collector].
func (o *observer) Collect(metrics chan<- prometheus.Metric) {
	for _, c := range o.collectors() {
		c.Collect(metrics)
	}
}

func (o *observer) collectors() []prometheus.Collector {
	return []prometheus.Collector{o.ended, o.active, o.duration, o.tokens}
}
