package fetch

import "testing"

func TestNewTakesHosts(t *testing.T) {
	for _, host := range []string{
		"localhost", "localhost:8000", "agents.example.com", "Agents.Example.COM:443", "*.example.com", "*.example.com:8000", "*.com",
		"127.0.0.1", "127.0.0.1:8000", "::1", "[::1]", "[::1]:8000", "fe80::1%eth0", "my_agents", "münchen.example",
	} {
		if _, err := New(host); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// Some of these are hosts for a URL. With them the list would hold more than it seems to, or nothing.
func TestNewRefusesOtherTexts(t *testing.T) {
	for _, text := range []string{
		"", "*", "*.", "*.*", "*.*.com", "**.com", "*example.com", "a.*.com", "*:80", "*.:80", ":80", ".", ".com", "*..com", "a..b", "a.",
		"http://a.example", "a.example/", "a.example/path", "a.example?q", "a.example#f", "me@a.example", "a b", "a,b", "a;b", "a%20b",
		"a:", "a:b", "a:0", "a:65536", "a:99999", "a:80:80", "*.127.0.0.1", "*.0.0.1:80:80", "*.::1", "*.[::1]:80", "[::1", "[a]", "[::1]:",
		"2001:db8::1:x", "a.example\n", "a\x00b",
	} {
		if _, err := New("good.example.com", text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
