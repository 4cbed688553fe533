package main

import (
	"reflect"
	"testing"

	"github.com/cd3b852d/agentgen/examples/internal/seedtest"
)

// manifests are what the program says of its agents, by name.
func manifests(t *testing.T) map[string]map[string]any {
	t.Helper()
	byName := map[string]map[string]any{}
	for _, m := range seedtest.JSON[[]map[string]any](t, AgentManifests()) {
		name, _ := m["name"].(string)
		byName[name] = m
	}
	return byName
}

// The complete manifest that the ACP page prints comes out of the comment of Chat.
func TestChatIsTheSeed(t *testing.T) {
	want := seedtest.Load(t, "testdata/agent-manifest.json")
	delete(want, "status") // measured, not written
	got := manifests(t)["chat"]
	for _, difference := range seedtest.Differences(want, got) {
		t.Error(difference)
	}
	for _, surplus := range seedtest.Differences(got, want) {
		t.Error("the other way round:", surplus)
	}
}

// The three functions that the ACP page registers come out with what it says and nothing else.
func TestRegisteredFunctionsAreTheSeed(t *testing.T) {
	anything := []any{"*/*"}
	for _, want := range []map[string]any{
		{
			"name":                 "data-analyzer",
			"description":          "Analyzes datasets and generates insights",
			"input_content_types":  anything,
			"output_content_types": anything,
		},
		{
			"name":                 "image-analyzer",
			"description":          "Analyzes images and provides text descriptions",
			"input_content_types":  []any{"image/png", "image/jpeg"},
			"output_content_types": []any{"text/plain", "application/json"},
		},
		{
			"name":                 "simple-text-agent",
			"description":          "Condenses a text to its most telling sentences.",
			"input_content_types":  anything,
			"output_content_types": anything,
		},
	} {
		name, _ := want["name"].(string)
		if got := manifests(t)[name]; !reflect.DeepEqual(got, want) {
			t.Errorf("the manifest of %s is %v, want %v", name, got, want)
		}
	}
}
