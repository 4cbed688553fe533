package agent

import (
	"context"
	"time"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// Observer is told of runs, for metrics and traces. The packages below agent/observe have some. Its methods
// are called concurrently and return soon.
//
// Whatever an observer does, a run ends as its function says: a panic of the observer is logged. One that is
// slow delays the function, or keeps the run among those that go on, which are limited and which a server
// that shuts down waits for. Clients that wait for the end of a run don't wait for RunEnded.
type Observer interface {
	// RunStarted is called before the function of the agent. The context carries the values of the request's.
	// The one that is returned is that of the next observer, and the last one is the function's.
	RunStarted(ctx context.Context, run RunInfo) context.Context
	// RunEnded is called once for each run whose RunStarted returned, after the run has its final status; the
	// observer that was told first of the start is told last of the end. The context carries the values of
	// the one that the observer's RunStarted returned, and does not end with the run.
	RunEnded(ctx context.Context, run RunInfo, result RunResult)
}

// RunResult is how a run ended.
type RunResult struct {
	// Status is completed, failed or cancelled.
	Status agentapi.RunStatus
	// Duration is how long the run worked, what it awaited not counted.
	Duration time.Duration
	// Tokens are those that [Run.AddUsage] counted.
	Tokens int
	// Error is why the run failed, nil if it did not.
	Error *agentapi.Error
}
