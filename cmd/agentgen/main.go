// Command agentgen makes agents of annotated Go functions: manifests, a card and the code that registers
// them. Run `agentgen --help`.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
)

func main() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(200)         // the process ends soon: rather some memory than the time,
		debug.SetMemoryLimit(110 << 20) // but not all of it
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
