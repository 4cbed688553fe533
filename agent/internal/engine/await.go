package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/store"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// The types of the entries that tell a run what to do. Clients don't see them.
const (
	signalCancel = "signal.cancel"
	signalResume = "signal.resume"
)

// Await implements [agent.Host].
func (x *execution) Await(ctx context.Context, m agent.Message) (agent.Message, error) {
	frozen, err := freeze(m)
	if err != nil {
		return agent.Message{}, err
	}
	question, _ := frozen.(agent.Message)
	asked, err := x.ask(question)
	if err != nil {
		return agent.Message{}, err
	}
	defer x.clock.resume()
	var expired <-chan time.Time
	limit := x.engine.limits.AwaitTime
	if limit >= 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		expired = timer.C
	}
	select {
	case answer := <-x.answer:
		return answer, nil
	case <-expired:
		err = fmt.Errorf("nobody answered within %v", limit)
	case <-ctx.Done(): // which most often is the run's, or derived from it
		err = context.Cause(ctx)
	case <-x.ctx.Done():
	}
	if over := context.Cause(x.ctx); over != nil {
		return agent.Message{}, over
	}
	return x.withdraw(asked, err)
}

// ask tells what the run awaits and returns the length of its log then.
func (x *execution) ask(m agent.Message) (uint64, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch cause := context.Cause(x.ctx); {
	case cause != nil:
		return 0, cause
	case x.ended:
		return 0, ErrEnded
	case x.noAwait:
		return 0, errShutdown
	case x.awaiting:
		return 0, errors.New("the run awaits an answer already")
	}
	asked, err := x.record(store.Anywhere, func() ([]agentapi.Event, error) {
		return []agentapi.Event{x.transcript.await(m)}, nil
	})
	if err != nil {
		return 0, err
	}
	x.awaiting = true
	x.clock.stop(untilResume)
	return asked, nil
}

// withdraw goes on without an answer, unless somebody has given one meanwhile.
func (x *execution) withdraw(asked uint64, reason error) (agent.Message, error) {
	switch answered, err := x.goOn(asked); {
	case err != nil:
		return agent.Message{}, err
	case !answered:
		return agent.Message{}, reason
	}
	select {
	case answer := <-x.answer:
		return answer, nil
	case <-x.ctx.Done():
		return agent.Message{}, context.Cause(x.ctx)
	}
}

// goOn tells that the run awaits no more, unless its log has an answer after a position.
func (x *execution) goOn(asked uint64) (answered bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for {
		since, err := x.engine.store.Read(context.WithoutCancel(x.ctx), x.id, asked)
		if err != nil {
			return false, err
		}
		for _, entry := range since {
			if entry.Type == signalResume {
				return true, nil
			}
			asked = entry.Seq
		}
		_, err = x.record(asked, func() ([]agentapi.Event, error) {
			return []agentapi.Event{x.transcript.become(agentapi.RunStatusInProgress)}, nil
		})
		if errors.Is(err, store.ErrConflict) {
			continue
		}
		if err == nil {
			x.awaiting = false
		}
		return false, err
	}
}

// resumed hands an answer over. The entry comes from Resume, which appends one for each question.
func (x *execution) resumed(entry store.Entry) {
	var answer agent.Message
	if err := json.Unmarshal(entry.Data, &answer); err != nil {
		x.cancel(fmt.Errorf("the answer can't be read: %w", err))
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.awaiting {
		return
	}
	x.awaiting = false
	x.transcript.run.Status = agentapi.RunStatusInProgress
	x.answer <- answer
}

// refuseAwait ends a run that awaits an answer, and lets it await no more.
func (x *execution) refuseAwait() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.noAwait = true
	if x.awaiting {
		x.cancel(errShutdown)
	}
}

// Resume hands an answer to a run that awaits one. It returns the run as it goes on, and the position in
// its log after which that is told. The errors are [ErrNotAwaiting] and [store.ErrNotFound].
func (e *Engine) Resume(ctx context.Context, id uuid.UUID, answer agent.Message) (agentapi.Run, uint64, error) {
	data, err := json.Marshal(answer)
	if err != nil {
		return agentapi.Run{}, 0, err
	}
	for {
		run, position, err := e.resume(ctx, id, data)
		switch {
		case errors.Is(err, store.ErrConflict):
			continue // somebody was faster, with an answer or with something that doesn't matter here
		case errors.Is(err, store.ErrEnded):
			err = ErrNotAwaiting
		}
		return run, position, err
	}
}

func (e *Engine) resume(ctx context.Context, id uuid.UUID, answer []byte) (agentapi.Run, uint64, error) {
	entries, err := e.store.Read(ctx, id.String(), 0)
	if err != nil {
		return agentapi.Run{}, 0, err
	}
	run, err := fold(entries)
	if err != nil {
		return agentapi.Run{}, 0, err
	}
	if run.Status != agentapi.RunStatusAwaiting {
		return agentapi.Run{}, 0, ErrNotAwaiting
	}
	run.Status = agentapi.RunStatusInProgress
	told, err := encode(agentapi.Event{Type: agentapi.EventTypeRunInProgress, Run: &run})
	if err != nil {
		return agentapi.Run{}, 0, err
	}
	known := uint64(len(entries))
	told = append([]store.Entry{{Type: signalResume, Data: answer, Signal: true}}, told...)
	if _, err := e.store.Append(ctx, id.String(), known, told...); err != nil {
		return agentapi.Run{}, 0, err
	}
	return run, known + 1, nil
}

// Cancel asks a run to stop, and returns it as it is then. The errors are [ErrEnded], with the run, and
// [store.ErrNotFound].
func (e *Engine) Cancel(ctx context.Context, id uuid.UUID) (agentapi.Run, error) {
	run, err := e.Run(ctx, id)
	if err != nil || run.Status == agentapi.RunStatusCancelling {
		return run, err
	}
	switch _, err := e.store.Append(ctx, id.String(), store.Anywhere, store.Entry{Type: signalCancel, Signal: true}); {
	case errors.Is(err, store.ErrEnded):
		run, err := e.Run(ctx, id)
		return run, errors.Join(ErrEnded, err)
	case err != nil:
		return agentapi.Run{}, err
	}
	run.Status = agentapi.RunStatusCancelling
	return run, nil
}
