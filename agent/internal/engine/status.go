package engine

import (
	"sync"
	"sync/atomic"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// statusBook counts how the runs of each agent ended.
type statusBook struct {
	revision atomic.Uint64
	mu       sync.Mutex
	agents   map[string]*tally
}

type tally struct {
	completed, failed int
	seconds           float64
	tokens            int
	metered           int // runs that counted tokens
}

// add counts a run. Those that somebody cancelled say nothing about the agent.
func (b *statusBook) add(name string, result agent.RunResult) {
	if result.Status == agentapi.RunStatusCancelled {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.agents == nil {
		b.agents = map[string]*tally{}
	}
	t, ok := b.agents[name]
	if !ok {
		t = &tally{}
		b.agents[name] = t
	}
	if result.Status == agentapi.RunStatusCompleted {
		t.completed++
	} else {
		t.failed++
	}
	t.seconds += result.Duration.Seconds()
	if result.Tokens > 0 {
		t.tokens += result.Tokens
		t.metered++
	}
	b.revision.Add(1)
}

// Status returns what the runs of an agent say about it, nil before the first has ended (ACP, Agent Status).
func (e *Engine) Status(name string) *agentapi.AgentStatus {
	b := &e.status
	b.mu.Lock()
	defer b.mu.Unlock()
	t, ok := b.agents[name]
	if !ok {
		return nil
	}
	runs := float64(t.completed + t.failed)
	seconds, rate := t.seconds/runs, 100*float64(t.completed)/runs
	status := &agentapi.AgentStatus{AvgRunTimeSeconds: &seconds, SuccessRate: &rate}
	if t.metered > 0 {
		tokens := float64(t.tokens) / float64(t.metered)
		status.AvgRunTokens = &tokens
	}
	return status
}

// StatusRevision rises whenever a status changes.
func (e *Engine) StatusRevision() uint64 { return e.status.revision.Load() }
