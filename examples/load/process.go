package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// process is a server that runs.
type process struct {
	url   string
	debug string       // where our own server tells about itself
	pid   int          // 0 if it is unknown
	stop  func() error // returns how the process ended
}

// running is the server that somebody else started.
func (o options) running(context.Context) (*process, error) {
	return &process{url: strings.TrimRight(o.url, "/"), pid: o.pid, stop: func() error { return nil }}, nil
}

// own starts this program as a server.
func (o options) own(ctx context.Context) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return launch(ctx, program, "-serve", "-addr", "127.0.0.1:0", "-debug", "127.0.0.1:0")
}

// theReference starts the server of the reference implementation.
func (o options) theReference(ctx context.Context) (*process, error) {
	p, err := launch(ctx, o.reference, o.script)
	if err != nil {
		return nil, err
	}
	stop := p.stop
	p.stop = func() error {
		_ = stop() // it always ends with the signal
		return nil
	}
	return p, nil
}

// launch starts a program, which lives no longer than the context, and waits until it says where it listens.
func launch(ctx context.Context, program string, args ...string) (*process, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{pid: cmd.Process.Pid}
	p.stop = func() error {
		_ = cmd.Process.Signal(os.Interrupt)
		kill := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
		defer kill.Stop()
		return cmd.Wait()
	}
	said := regexp.MustCompile(`(overview|running on|debug)\s+(http://127\.0\.0\.1:\d+)`)
	var all strings.Builder
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		all.WriteString(lines.Text() + "\n")
		switch m := said.FindStringSubmatch(lines.Text()); {
		case m == nil:
		case m[1] == "debug":
			p.debug = m[2]
		default:
			p.url = m[2]
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s does not serve: %w\n%s", program, errors.Join(lines.Err(), p.stop()), all.String())
}

// memory is what a process takes, in bytes. What is unknown is zero.
type memory struct {
	rss uint64
	goMemory
}

// memory measures a server, its resident set first, since that is with the garbage.
func (p *process) memory(ctx context.Context) (m memory, err error) {
	if p.pid != 0 {
		if m.rss, err = residentSet(p.pid); err != nil {
			return m, err
		}
	}
	if p.debug == "" {
		return m, nil
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.debug+"/memory", http.NoBody)
	if err != nil {
		return m, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return m, err
	}
	defer response.Body.Close()
	return m, json.NewDecoder(response.Body).Decode(&m.goMemory)
}

// residentSet reads how much memory a process has; where there is no /proc, it is unknown.
func residentSet(pid int) (uint64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	for line := range strings.Lines(string(status)) {
		if size, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(size), " kB"), 10, 64)
			return n << 10, err
		}
	}
	return 0, errors.Join(err, fmt.Errorf("process %d tells no VmRSS", pid))
}
