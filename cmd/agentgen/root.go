package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/fatih/color"
	"github.com/spf13/cobra"
)

// Exit codes. Scripts tell by them what happened.
const (
	exitOK     = 0 // done
	exitFault  = 1 // the source, or what was generated from it, is not as it should be
	exitMisuse = 2 // the command was not called as its help says
)

// errReported ends the command with exitFault; what is wrong has been said.
var errReported = errors.New("reported")

// app is what all commands share.
type app struct {
	dir    string // -C
	quiet  bool
	stdout *output
	stderr io.Writer
}

// run is the command: arguments in, exit code out.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &output{Writer: stdout}
	a := &app{stdout: out, stderr: stderr}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if out.err != nil {
		err = out.err
	}
	var wrong misuse
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errReported):
		return exitFault
	case errors.As(err, &wrong):
		fmt.Fprintf(stderr, "agentgen: %v\nSee %s --help.\n", err, called(root, args))
		return exitMisuse
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	fmt.Fprintf(stderr, "agentgen: %v\n", err)
	return exitFault
}

// output remembers that something could not be written, so that no command has to ask each time.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("the output is not complete: %w", err)
	}
	return n, err
}

// called is the command that the arguments name.
func called(root *cobra.Command, args []string) string {
	if cmd, _, err := root.Find(args); err == nil {
		return cmd.CommandPath()
	}
	return root.CommandPath()
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "agentgen",
		Short: "Make agents of annotated Go functions, for every ACP and A2A client",
		Long: `agentgen reads Go functions with a doc comment and a directive, and writes the code that makes
agents of them: manifests for ACP, a card for A2A, and their registration.

	// Chat answers questions about the weather.
	//
	//agent:register
	//agent:tags chat weather
	func Chat(ctx context.Context, question string) (string, error) { ... }`,
		Example: `  agentgen generate            # the package in this folder, as in //go:generate go tool agentgen generate
  agentgen check ./...         # exit 1 and a diff if something is not up to date
  agentgen manifest            # what ACP clients will read
  agentgen card                # what A2A clients will read
  agentgen directives agent    # all that may stand in a comment`,
		Args:              oneOfCommands,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.enter() },
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.PersistentFlags().StringVarP(&a.dir, "chdir", "C", "", "change to `folder` before doing anything")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "say only what is wrong")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(a.generate(), a.check(), a.manifest(), a.card(), a.directives(), a.version())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = helpTopic
			cmd.Example = "  agentgen help generate"
		case "completion":
			cmd.Args = oneOfCommands
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
			cmd.Example = "  source <(agentgen completion bash)"
		}
	}
	asMisuse(root)
	return root
}

// enter checks the folder of -C, so that what comes next need not.
func (a *app) enter() error {
	if a.dir == "" {
		return nil
	}
	if info, err := os.Stat(a.dir); err != nil || !info.IsDir() {
		return misuse{fmt.Errorf("-C: there is no folder %s", a.dir)}
	}
	return nil
}

// say tells what was done, unless nobody wants to know.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.stdout, format+"\n", args...)
	}
}

// paint is a colour if the writer is a terminal and nobody objects (NO_COLOR).
func paint(w io.Writer, attributes ...color.Attribute) func(string) string {
	if out, ok := w.(*output); ok {
		w = out.Writer
	}
	c := color.New(attributes...)
	if file, ok := w.(*os.File); !ok || color.NoColor || !isTerminal(file) {
		c.DisableColor()
	}
	return func(s string) string { return c.Sprint(s) }
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
