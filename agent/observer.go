package agent

import (
	"context"
	"time"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// Observer is told of runs, for metrics and traces. Its methods are called concurrently and return soon.
type Observer interface {
	// RunStarted is called before the function of the agent. The context it returns is the function's.
	RunStarted(ctx context.Context, run RunInfo) context.Context
	// RunEnded is called once for each run that started.
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
