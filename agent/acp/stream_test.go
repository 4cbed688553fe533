package acp

import (
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cd3b852d/agentgen/agent/store"
)

// Comments keep a silent stream alive, and stop with it.
func TestKeepAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		out := newEventWriter(w)
		time.Sleep(keepAlive / 2)
		if err := out.write(store.Entry{Seq: 7, Data: []byte(`{"type":"x"}`)}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2*keepAlive + time.Second)
		out.close()
		time.Sleep(time.Hour)
		if got, want := w.Body.String(), "id: 7\ndata: {\"type\":\"x\"}\n\n: keep-alive\n\n: keep-alive\n\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if !w.Flushed {
			t.Error("not sent at once")
		}
	})
}
