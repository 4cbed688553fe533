package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	shared "github.com/cd3b852d/agentgen/internal/contract"
)

// contract checks answers against the OpenAPI document.
type contract struct{ shared.Contract }

func loadContract(t testing.TB) contract {
	t.Helper()
	return contract{shared.Load(t)}
}

// check fails unless the document allows the answer of the operation.
func (c contract) check(t testing.TB, operation *openapi3.Operation, a answer) {
	t.Helper()
	c.Check(t, operation, a.Response, a.body)
}

const someUUID = "0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f0"

// TestEveryReadFitsTheDocument calls each GET operation of the document: one that has no handler fails.
func TestEveryReadFitsTheDocument(t *testing.T) {
	c := loadContract(t)
	always := map[string]bool{"ping": true, "listAgents": true, "getAPICatalog": true, "getOpenAPIJSON": true, "getOpenAPIYAML": true}
	withAgents := map[string]bool{"getAgent": true, "getAgentCard": true, "getCard": true, "getLegacyCard": true, "getManifestFile": true}
	for _, names := range [][]string{nil, {"chat"}, {"chat", "slow-echo", "third"}} {
		base := serve(t, registry(t, names...))
		for path, item := range c.Paths.Map() {
			if item.Get == nil {
				continue
			}
			t.Run(item.Get.OperationID, func(t *testing.T) {
				url := base + strings.NewReplacer("{name}", "chat", "{run_id}", someUUID, "{session_id}", someUUID, "{resource_id}", someUUID).Replace(path)
				a := get(t, url)
				want := http.StatusNotFound
				if always[item.Get.OperationID] || len(names) > 0 && withAgents[item.Get.OperationID] {
					want = http.StatusOK
				}
				if a.StatusCode != want || a.body == notRouted {
					t.Errorf("got %d %s, want %d", a.StatusCode, a.body, want)
				}
				c.check(t, item.Get, a)
				head := call(t, http.MethodHead, url, "")
				if head.StatusCode != a.StatusCode || head.body != "" || head.Header.Get("Etag") == "" && a.StatusCode == 200 && path != "/ping" {
					t.Errorf("HEAD: got %d %q %v", head.StatusCode, head.body, head.Header)
				}
			})
		}
	}
}

const notRouted = `{"code":"not_found","message":"Not Found"}`

// TestErrorsFitTheDocument has a request for each way to be refused.
func TestErrorsFitTheDocument(t *testing.T) {
	c := loadContract(t)
	base := serve(t, registry(t, "chat"))
	run := "/runs/" + someUUID
	for _, test := range []struct {
		method, path, body string
		status             int
		code, message      string
	}{
		{"GET", "/agents?limit=0", "", 422, "invalid_input", "limit: must be at least 1"},
		{"GET", "/agents?limit=1001", "", 422, "invalid_input", "limit: must be at most 1000"},
		{"GET", "/agents?offset=-1", "", 422, "invalid_input", "offset: must be at least 0"},
		{"GET", "/agents/nobody", "", 404, "not_found", "Agent nobody not found"},
		{"GET", "/agents/nobody/.well-known/agent-card.json", "", 404, "not_found", "Agent nobody not found"},
		{"GET", run, "", 404, "not_found", "Run " + someUUID + " not found"},
		{"GET", run + "/events", "", 404, "not_found", "Run " + someUUID + " not found"},
		{"GET", "/sessions/" + someUUID, "", 404, "not_found", "Session " + someUUID + " not found"},
		{"GET", "/resources/" + someUUID, "", 404, "not_found", "Resource " + someUUID + " not found"},
		{"POST", "/runs", `{"agent_name":"nobody","input":[]}`, 404, "not_found", "Agent nobody not found"},
		{"POST", "/runs", `{"input":[]}`, 422, "invalid_input", "/agent_name: is required"},
		{"POST", run, `{"await_resume":{"type":"message","message":{"parts":[]}},"mode":"sync"}`, 404, "not_found", "Run " + someUUID + " not found"},
		{"POST", run + "/cancel", "", 404, "not_found", "Run " + someUUID + " not found"},
	} {
		t.Run(test.method+test.path, func(t *testing.T) {
			a := call(t, test.method, base+test.path, test.body)
			a.wantError(t, test.status, test.code, test.message)
			c.check(t, c.operation(t, test.method, test.path), a)
		})
	}
	for path, method := range map[string]string{"/agents?limit=ten": "GET", "/runs/1": "GET", "/sessions/1": "GET", "/runs/1/cancel": "POST"} {
		a := call(t, method, base+path, "")
		a.wantStatus(t, http.StatusUnprocessableEntity, "invalid_input")
		c.check(t, c.operation(t, method, path), a)
	}
}

// operation finds the operation of a path that is filled in.
func (c contract) operation(t testing.TB, method, path string) *openapi3.Operation {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	segments := strings.Split(path, "/")
	for template, item := range c.Paths.Map() {
		pattern := strings.Split(template, "/")
		matches := len(pattern) == len(segments)
		for i := 0; matches && i < len(pattern); i++ {
			matches = pattern[i] == segments[i] || strings.HasPrefix(pattern[i], "{")
		}
		if matches {
			return item.GetOperation(method)
		}
	}
	t.Fatalf("the document has no %s", path)
	return nil
}
