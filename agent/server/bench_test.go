package server_test

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cd3b852d/agentgen/agent/server"
)

// benchmarkPath reads a document over a kept-alive loopback connection, from a handler that does nothing
// but write the same headers and body, and from ours.
func benchmarkPath(b *testing.B, path string) {
	handler, err := server.Handler(registry(b, "chat", "slow-echo", "third"))
	if err != nil {
		b.Fatal(err)
	}
	ours := httptest.NewServer(handler)
	defer ours.Close()
	answer := get(b, ours.URL+path, "Accept-Encoding: identity")
	body := []byte(answer.body)
	bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), answer.Header)
		_, _ = w.Write(body)
	}))
	defer bare.Close()
	b.Run("bare", func(b *testing.B) { readRepeatedly(b, bare.URL+path, len(body)) })
	b.Run("agentgen", func(b *testing.B) { readRepeatedly(b, ours.URL+path, len(body)) })
}

func readRepeatedly(b *testing.B, url string, size int) {
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		response, err := client.Get(url)
		if err != nil {
			b.Fatal(err)
		}
		n, err := io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if err != nil || n != int64(size) {
			b.Fatalf("read %d of %d bytes: %v", n, size, err)
		}
	}
}

func BenchmarkListAgents(b *testing.B) { benchmarkPath(b, "/agents") }

func BenchmarkCard(b *testing.B) { benchmarkPath(b, "/.well-known/agent-card.json") }
