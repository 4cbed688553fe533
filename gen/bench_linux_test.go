package gen_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// BenchmarkCommand is what a person waits for: the whole command, with the start of its process, the go
// command that it asks for the packages, and what it writes. The peak is that of the larger of the two
// processes. On a machine that does other things besides, the time of the processors tells more than the
// clock does.
func BenchmarkCommand(b *testing.B) {
	command := filepath.Join(b.TempDir(), "agentgen")
	if out, err := exec.Command("go", "build", "-o", command, "../cmd/agentgen").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, n := range sizes() {
		dir := synthetic(b, n)
		b.Run(fmt.Sprintf("%d/cold", n), func(b *testing.B) {
			measure(b, command, dir, n, func() { removeGenerated(b, dir) })
		})
		b.Run(fmt.Sprintf("%d/warm", n), func(b *testing.B) {
			measure(b, command, dir, n, func() {})
		})
	}
}

func measure(b *testing.B, command, dir string, n int, prepare func()) {
	peak := int64(0) // KiB
	var cpu time.Duration
	for b.Loop() {
		b.StopTimer()
		prepare()
		cmd := exec.CommandContext(b.Context(), command, "generate", "./...")
		cmd.Dir = dir
		b.StartTimer()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			peak = max(peak, usage.Maxrss)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/run")
	b.ReportMetric(float64(cpu.Milliseconds())/float64(b.N), "cpu-ms/run")
	b.ReportMetric(float64(peak)/1024, "peak-MiB")
	perFunc(b, n)
}
