// Command load runs many agents at once on a server of the Agent Communication Protocol, counts what gets lost
// and measures the rest: how many runs and events a second, how long they take, and the memory of a stream in
// which nothing happens.
//
// Without -url it starts the server as a process of its own, a fresh one for each load. With -reference it
// gives both its own server and the protocol's reference server a smaller load, for a comparison.
// It exits with 1 if anything was lost; losses of the reference server are only told.
//
//card:name Load
//card:description "Agents that answer at once, count, and sleep."
//card:version 1.0.0
//card:capabilities streaming=true
package main

//go:generate go run github.com/cd3b852d/agentgen/cmd/agentgen generate

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		log.Fatal(err) //nolint:gocritic // the context ends with the process
	}
}

// sizes are how much load a server gets. A load of the size zero is left out.
type sizes struct{ streams, runs, idle int }

// options are what the flags say.
type options struct {
	url, addr, debug, output string
	reference, script        string
	serve                    bool
	pid, events, workers     int
	timeout                  time.Duration
	full, small              sizes
	stderr                   io.Writer
}

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{stderr: stderr}
	f := flag.NewFlagSet("load", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.url, "url", "", "the `URL` of a server on this machine that has the agents (default: one of our own)")
	f.IntVar(&o.pid, "pid", 0, "the process of that server, to measure its memory (Linux)")
	f.IntVar(&o.full.streams, "streams", 1000, "how many streams at once")
	f.IntVar(&o.events, "events", 100, "how many parts in each stream")
	f.IntVar(&o.full.runs, "runs", 50_000, "how many sync runs")
	f.IntVar(&o.workers, "workers", 64, "how many sync runs at once")
	f.IntVar(&o.full.idle, "idle", 1000, "how many streams in which nothing happens")
	f.DurationVar(&o.timeout, "timeout", 2*time.Minute, "how long each load may take")
	f.StringVar(&o.output, "o", "table", "what to print: table or json")
	f.StringVar(&o.reference, "reference", "", "the `python` that has what testdata/reference/requirements.txt lists")
	f.StringVar(&o.script, "reference-script", "examples/load/testdata/reference/server.py", "the reference server")
	f.IntVar(&o.small.streams, "reference-streams", 50, "how many streams at once for the comparison")
	f.IntVar(&o.small.runs, "reference-runs", 500, "how many sync runs for the comparison")
	f.IntVar(&o.small.idle, "reference-idle", 200, "how many idle streams for the comparison")
	f.BoolVar(&o.serve, "serve", false, "be the server")
	f.StringVar(&o.addr, "addr", "127.0.0.1:8000", "the address to listen on, with -serve")
	f.StringVar(&o.debug, "debug", "", "the `address` for the memory and the profiles of the process, with -serve")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 || o.output != "table" && o.output != "json" || o.events < 1 || o.workers < 1 {
		return o, errors.New("want -o table or json, -events and -workers of at least 1, and no arguments")
	}
	return o, o.local()
}

// local refuses servers on other machines.
func (o options) local() error {
	for _, address := range []string{o.addr, o.debug} {
		if host, _, err := net.SplitHostPort(address); address != "" && (err != nil || !loopback(host)) {
			return fmt.Errorf("%s: want a loopback address and a port", address)
		}
	}
	if u, err := url.Parse(o.url); err != nil || o.url != "" && !loopback(u.Hostname()) {
		return fmt.Errorf("%s: want a server on this machine, such as http://127.0.0.1:8000", o.url)
	}
	return nil
}

func loopback(host string) bool { return host == "localhost" || net.ParseIP(host).IsLoopback() }

// run does what the arguments say.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.serve {
		return serve(ctx, o.addr, o.debug, stderr)
	}
	var all report
	if o.url != "" {
		all.Results, err = o.measure(ctx, "server at -url", o.full, o.running)
	} else {
		all.Results, err = o.measure(ctx, "agentgen", o.full, o.own)
	}
	if err == nil && o.reference != "" {
		err = o.compare(ctx, &all)
	}
	if all.faulty() {
		err = errors.Join(err, errors.New("something was lost"))
	}
	return errors.Join(all.write(stdout, o.output), err)
}

// compare gives a smaller load to our server and to the reference server.
func (o options) compare(ctx context.Context, all *report) error {
	ours, err := o.measure(ctx, "agentgen", o.small, o.own)
	if err != nil {
		return err
	}
	theirs, err := o.measure(ctx, "reference", o.small, o.theReference)
	all.compare(ours, theirs)
	return err
}

// measure puts each load on a server. What goes wrong with the load itself stands in the results.
func (o options) measure(ctx context.Context, name string, n sizes, start func(context.Context) (*process, error)) ([]result, error) {
	var results []result
	for _, l := range []struct {
		name string
		size int
		do   func(*client, context.Context, int) result
	}{
		{"streams", n.streams, func(c *client, ctx context.Context, n int) result { return c.streams(ctx, n, o.events) }},
		{"runs", n.runs, func(c *client, ctx context.Context, n int) result { return c.runs(ctx, n, o.workers) }},
		{"idle", n.idle, (*client).idle},
	} {
		if l.size == 0 {
			continue
		}
		fmt.Fprintf(o.stderr, "%s: %s of %d\n", name, l.name, l.size)
		r, err := o.put(ctx, start, l.size, l.do)
		if err != nil {
			return results, fmt.Errorf("%s: %s: %w", name, l.name, err)
		}
		r.Server, r.Load = name, l.name
		results = append(results, r)
	}
	return results, nil
}

// put puts one load on a server that is started for it.
func (o options) put(
	ctx context.Context, start func(context.Context) (*process, error), n int, do func(*client, context.Context, int) result,
) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	p, err := start(ctx)
	if err != nil {
		return result{}, err
	}
	c := newClient(p)
	r := c.runs(ctx, o.workers, o.workers) // which starts what starts with the first request
	if r.faulty() {
		return result{}, fmt.Errorf("the server does not answer well: %w", errors.Join(errors.New(r.Fault), p.stop()))
	}
	c.http.CloseIdleConnections() // so that each stream pays for its own
	r = do(c, ctx, n)
	c.http.CloseIdleConnections()
	if err := p.stop(); err != nil {
		r.Failed, r.Fault = r.Failed+1, fmt.Sprintf("the server ends with %v; %s", err, r.Fault)
	}
	return r, nil
}
