package engine

import (
	"context"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/cd3b852d/agentgen/agent"
)

// watch tells the observers of one run. What they do to it is at most a delay: a panic of theirs is logged.
type watch struct {
	began chan struct{} // closed when all were told of the start
	seen  []witness
	ended sync.Once
}

// witness is an observer that was told of the start, and the context that it returned.
type witness struct {
	observer agent.Observer
	ctx      context.Context //nolint:containedctx // the observer's own, kept until it is told of the end
}

// observeStart tells the observers that the run starts, and returns the context of the function.
func (x *execution) observeStart() context.Context {
	defer close(x.watch.began)
	ctx, info := x.ctx, x.info()
	for _, o := range x.engine.observers {
		x.guard("RunStarted", func() {
			if own := o.RunStarted(ctx, info); own != nil {
				ctx = own
			}
			x.watch.seen = append(x.watch.seen, witness{o, ctx})
		})
	}
	return ctx
}

// observeEnd tells the observers how the run ended, the last one first. It returns once they know.
func (x *execution) observeEnd(result agent.RunResult) {
	x.watch.ended.Do(func() {
		<-x.watch.began
		info := x.info()
		for _, w := range slices.Backward(x.watch.seen) {
			x.guard("RunEnded", func() { w.observer.RunEnded(context.WithoutCancel(w.ctx), info, result) })
		}
	})
}

// guard calls an observer.
func (x *execution) guard(method string, call func()) {
	defer func() {
		if p := recover(); p != nil {
			x.engine.logger.ErrorContext(x.ctx, "observer panicked", "method", method, "run", x.id,
				"agent", x.request.Agent.Manifest.Name, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	call()
}
