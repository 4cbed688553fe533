package engine

import (
	"sync"
	"time"
)

// stopwatch measures how long a run works, and tells when that is too long.
type stopwatch struct {
	mu    sync.Mutex
	limit time.Duration
	past  time.Duration // before since
	since time.Time     // zero while it stands still
	timer *time.Timer
	done  bool
}

// How long a stopwatch stands still.
const (
	untilResume = false
	forGood     = true
)

// start begins to measure. The function is called once if the time reaches the limit, unless that is negative.
func (s *stopwatch) start(limit time.Duration, late func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit, s.since = limit, time.Now()
	if limit >= 0 {
		s.timer = time.AfterFunc(limit, late)
	}
}

// stop stands still, until resume or for good.
func (s *stopwatch) stop(done bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = s.done || done
	if s.since.IsZero() {
		return
	}
	s.past += time.Since(s.since)
	s.since = time.Time{}
	if s.timer != nil {
		s.timer.Stop()
	}
}

// resume goes on after stop.
func (s *stopwatch) resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done || !s.since.IsZero() {
		return
	}
	s.since = time.Now()
	if s.timer != nil {
		s.timer.Reset(max(0, s.limit-s.past))
	}
}

// elapsed is how long it has measured.
func (s *stopwatch) elapsed() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.since.IsZero() {
		return s.past
	}
	return s.past + time.Since(s.since)
}
