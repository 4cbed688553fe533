package main

import (
	"encoding/json"
	"net/http/httptest"
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/cd3b852d/agentgen/agent"
	"github.com/cd3b852d/agentgen/agent/server"
	"github.com/cd3b852d/agentgen/generated/agentapi"
)

// inSession runs an agent to its end in a session, of which only the id is sent.
func (c client) inSession(id uuid.UUID, agentName string, input ...agent.Message) agentapi.Run {
	c.t.Helper()
	return c.create(agentapi.RunCreateRequest{AgentName: agentName, Input: input, SessionID: &id})
}

func (c client) session(id uuid.UUID) agentapi.Session {
	c.t.Helper()
	response, err := c.GetSessionWithResponse(c.t.Context(), id)
	if err != nil || response.JSON200 == nil {
		c.t.Fatalf("GetSession() = %+v, %v", response, err)
	}
	return *response.JSON200
}

func TestSessions(t *testing.T) {
	c := serve(t)
	t.Run("a session remembers input and output", func(t *testing.T) {
		c, id := c.with(t), uuid.New()
		for _, want := range []string{"one", "one|one|two"} {
			said := want[len(want)-3:]
			if run := c.inSession(id, HistoryEchoName, says(said)); contents(run.Output...) != want || *run.SessionID != id {
				t.Errorf("%s: %+v", said, run)
			}
		}
	})
	t.Run("a run without a session begins one", func(t *testing.T) {
		first, second := c.with(t).run(EchoName, agentapi.RunModeSync), c.with(t).run(EchoName, agentapi.RunModeSync)
		if *first.SessionID == *second.SessionID {
			t.Error("two runs share a session")
		}
	})
	t.Run("the agent knows the session", func(t *testing.T) {
		id := uuid.New()
		if run := c.with(t).inSession(id, SessionerName); contents(run.Output...) != id.String() {
			t.Errorf("run = %+v", run)
		}
	})
}

func TestKnownSessions(t *testing.T) {
	c := serve(t)
	t.Run("history has an address for each message, which is at it", func(t *testing.T) {
		c, id := c.with(t), uuid.New()
		given := says("one")
		run := c.inSession(id, EchoName, given)
		var loaded []agent.Message
		for _, address := range c.session(id).History {
			response, err := c.GetResourceWithResponse(t.Context(), uuid.MustParse(path.Base(address)))
			if err != nil {
				t.Fatal(err)
			}
			var m agent.Message
			if err := json.Unmarshal(response.Body, &m); err != nil {
				t.Fatalf("%v in %s", err, response.Body)
			}
			loaded = append(loaded, m)
		}
		if diff := cmp.Diff([]agent.Message{given, run.Output[0]}, loaded); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a session is there before its run ends", func(t *testing.T) {
		run := c.with(t).run(SlowEchoName, agentapi.RunModeAsync, says("one"))
		if session := c.with(t).session(*run.SessionID); session.ID == nil || *session.ID != *run.SessionID || len(session.History) != 0 {
			t.Errorf("session = %+v", session)
		}
	})
	t.Run("the session that a client brings replaces the one known", func(t *testing.T) {
		c, id := c.with(t), uuid.New()
		c.inSession(id, HistoryEchoName, says("one"))
		run := c.create(agentapi.RunCreateRequest{
			AgentName: HistoryEchoName, Input: []agent.Message{says("two")}, Session: &agentapi.Session{ID: &id},
		})
		if got := contents(run.Output...); got != "two" {
			t.Errorf("the agent says %q", got)
		}
	})
	t.Run("failed and cancelled runs are not remembered", func(t *testing.T) {
		c, id := c.with(t), uuid.New()
		c.inSession(id, FailerName, says("one"))
		run := c.inSession(id, AwaiterName, says("two"))
		c.cancel(run.RunID)
		c.until(run.RunID, agentapi.RunStatusCancelled)
		if history := c.session(id).History; len(history) != 0 {
			t.Errorf("history = %v", history)
		}
	})
}

func TestSessionBetweenServers(t *testing.T) {
	first, second := httptest.NewUnstartedServer(nil), httptest.NewUnstartedServer(nil)
	one := serveAt(t, first, server.WithForeignResources(second.Listener.Addr().String()))
	two := serveAt(t, second, server.WithForeignResources(first.Listener.Addr().String()))
	stranger := serve(t)
	id := uuid.New()
	session := agentapi.Session{ID: &id}
	moveTo := func(c client) agentapi.Run {
		return c.create(agentapi.RunCreateRequest{AgentName: HistoryEchoName, Input: []agent.Message{says()}, Session: &session})
	}
	for i, c := range []client{one, two, one} {
		run := moveTo(c)
		if want := []int{1, 3, 7}[i]; len(run.Output) != want {
			t.Errorf("run %d has %d messages, want %d: %+v", i, len(run.Output), want, run.Error)
		}
		session = c.session(id)
	}
	t.Run("a server that does not know the others fails the run", func(t *testing.T) {
		if run := moveTo(stranger); run.Status != agentapi.RunStatusFailed || run.Error.Code != agent.CodeServerError {
			t.Errorf("run = %+v", run)
		}
	})
}
