package main

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// settle is how long a server may tidy up before its memory is measured.
const settle = 500 * time.Millisecond

// streams follows n streams at once.
func (c *client) streams(ctx context.Context, n, events int) result {
	var open, peak atomic.Int64
	opened := func() (closed func()) {
		now := open.Add(1)
		for seen := peak.Load(); now > seen && !peak.CompareAndSwap(seen, now); seen = peak.Load() {
			continue
		}
		return func() { open.Add(-1) }
	}
	r := each(n, n, func(int) outcome { return c.stream(ctx, events, opened) })
	r.OpenAtOnce = int(peak.Load())
	return r
}

// runs has n texts echoed.
func (c *client) runs(ctx context.Context, n, workers int) result {
	return each(n, workers, func(i int) outcome { return c.sync(ctx, "text "+strconv.Itoa(i)) })
}

// idle measures the memory of a server before and while n streams are open.
func (c *client) idle(ctx context.Context, n int) result {
	time.Sleep(settle)
	before, err := c.server.memory(ctx)
	if err != nil {
		return result{Runs: n, Failed: n, Fault: err.Error()}
	}
	var (
		during  memory
		failure error
		waiting sync.WaitGroup
		release = make(chan struct{})
	)
	waiting.Add(n)
	go func() {
		defer close(release)
		waiting.Wait()
		time.Sleep(settle)
		during, failure = c.server.memory(ctx)
	}()
	r := each(n, n, func(int) outcome { return outcome{err: c.sleep(ctx, waiting.Done, release)} })
	<-release
	r.OpenAtOnce, r.P50, r.P99, r.Seconds, r.RunsPerSecond = n-r.Failed, 0, 0, 0, 0 // how long it slept says nothing
	if failure != nil {
		r.Failed, r.Fault = n, failure.Error()
	}
	r.RSS = perStream(before.rss, during.rss, n)
	r.Heap = perStream(before.Heap, during.Heap, n)
	r.Stack = perStream(before.Stack, during.Stack, n)
	return r
}

// perStream is in KiB.
func perStream(before, during uint64, n int) float64 {
	return (float64(during) - float64(before)) / 1024 / float64(n)
}

// each does something n times, by so many workers at once, and sums it up.
func each(n, workers int, do func(int) outcome) result {
	outcomes := make([]outcome, n)
	var next atomic.Int64
	var all sync.WaitGroup
	start := time.Now()
	for range min(workers, n) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				begun := time.Now()
				outcomes[i] = do(i)
				outcomes[i].took = time.Since(begun)
			}
		})
	}
	all.Wait()
	return sum(outcomes, time.Since(start))
}

func sum(outcomes []outcome, total time.Duration) result {
	r := result{Runs: len(outcomes), Seconds: total.Seconds()}
	times := make([]time.Duration, 0, len(outcomes))
	events := 0
	for _, o := range outcomes {
		times = append(times, o.took)
		events += o.events
		r.Lost += o.lost
		r.Doubled += o.doubled
		if o.err != nil {
			r.Failed++
			r.Fault = o.err.Error()
		}
	}
	slices.Sort(times)
	r.P50, r.P99 = quantile(times, 0.50), quantile(times, 0.99)
	r.RunsPerSecond = float64(len(outcomes)-r.Failed) / total.Seconds()
	r.EventsPerSecond = float64(events) / total.Seconds()
	return r
}

// quantile is in milliseconds.
func quantile(sorted []time.Duration, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return float64(sorted[int(q*float64(len(sorted)-1))].Microseconds()) / 1000
}
