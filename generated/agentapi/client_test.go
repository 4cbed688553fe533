package agentapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// Servers in the field have agents whose names ours could not have. The client reads and calls them.
func TestM7ClientCallsAgentOfAnyName(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /agents/slow_echo", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"name":"slow_echo","description":"Echoes, late.","input_content_types":["*/*"],"output_content_types":["*/*"],"metadata":null}`))
	})
	mux.HandleFunc("POST /runs", func(w http.ResponseWriter, r *http.Request) {
		var request agentapi.RunCreateRequest
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(agentapi.Run{
			AgentName: request.AgentName, Status: agentapi.RunStatusCompleted, Output: request.Input,
		})
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	client, err := agentapi.NewClientWithResponses(server.URL)
	if err != nil {
		t.Fatal(err)
	}

	manifest, err := client.GetAgentWithResponse(t.Context(), "slow_echo", nil)
	if err != nil || manifest.JSON200 == nil || manifest.JSON200.Name != "slow_echo" {
		t.Fatalf("GetAgent() = %+v, %v", manifest, err)
	}
	run, err := client.CreateRunWithResponse(t.Context(), agentapi.RunCreateRequest{
		AgentName: manifest.JSON200.Name,
		Input:     []agentapi.Message{{Role: "user", Parts: []agentapi.MessagePart{{Content: new("Hello")}}}},
		Mode:      agentapi.RunModeSync,
	})
	if err != nil || run.JSON200 == nil || run.JSON200.AgentName != "slow_echo" {
		t.Fatalf("CreateRun() = %+v, %v", run, err)
	}
	if said := run.JSON200.Output[0].Parts[0].Content; said == nil || *said != "Hello" {
		t.Errorf("the agent says %v", said)
	}
}
