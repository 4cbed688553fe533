package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/pprof"
	"runtime"
	"time"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
)

// serve is the server, until the context ends.
func serve(ctx context.Context, addr, debug string, stderr io.Writer) error {
	r := agent.NewRegistry()
	if err := RegisterAgents(r); err != nil {
		return err
	}
	if debug != "" {
		stop, err := serveDebug(ctx, debug, stderr)
		if err != nil {
			return err
		}
		defer stop()
	}
	return server.ListenAndServe(ctx, addr, r, server.WithBanner(stderr))
}

// serveDebug tells about the process itself: its memory, and the profiles of net/http/pprof.
func serveDebug(ctx context.Context, addr string, stderr io.Writer) (stop func(), err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /memory", serveMemory)
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	s := &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	go func() { _ = s.Serve(listener) }()
	fmt.Fprintf(stderr, "debug http://%s/\n", listener.Addr())
	return func() { _ = s.Close() }, nil
}

// goMemory is what the Go runtime says is in use once the garbage is collected.
type goMemory struct {
	Heap  uint64 `json:"heap"`
	Stack uint64 `json:"stack"`
}

func serveMemory(w http.ResponseWriter, _ *http.Request) {
	runtime.GC()
	runtime.GC() // the first one leaves what pools hold
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	_ = json.NewEncoder(w).Encode(goMemory{m.HeapAlloc, m.StackInuse}) // whoever asked is gone
}
