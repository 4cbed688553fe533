package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/cd3b852d/agentgen/gen"
	"github.com/cd3b852d/agentgen/gen/diag"
)

func (a *app) generate() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "generate [PACKAGE...]",
		Short: "Write agents.gen.go for annotated packages",
		Long: `generate reads the annotated functions of the packages and writes agents.gen.go beside them. Packages
are named as the go command names them; without any, it is the one in this folder, which under go generate
is the folder of the //go:generate line.

Nothing is written when anything is wrong, and no file is touched that is up to date. The file of a package
that has no annotated function left is removed.`,
		Example: `  agentgen generate
  agentgen generate ./...
  agentgen generate -C service ./agents`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			packages, err := a.make(cmd.Context(), gen.Options{Patterns: args, Force: force})
			if err != nil {
				return err
			}
			files := 0
			for _, p := range packages {
				if p.File.Old == nil && p.File.Content == nil {
					continue
				}
				files++
				if err := a.write(p); err != nil {
					return err
				}
			}
			if files == 0 {
				a.say("%s", noAgents(args))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "overwrite an agents.gen.go that was edited or is not ours")
	return cmd
}

// write makes one package's file what it should be, and says so.
func (a *app) write(p gen.Package) error {
	stale := p.File.Stale()
	if err := p.File.Write(); err != nil {
		return err
	}
	path := short(p.File.Path)
	switch {
	case !stale:
		a.say("%s is up to date (%s)", path, count(len(p.Manifests), "agent"))
	case p.File.Content == nil:
		a.say("removed %s: the package has no annotated function", path)
	default:
		a.say("wrote %s (%s)", path, count(len(p.Manifests), "agent"))
	}
	return nil
}

// count is 1 thing or n things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func (a *app) check() *cobra.Command {
	return &cobra.Command{
		Use:   "check [PACKAGE...]",
		Short: "Tell whether agents.gen.go is up to date",
		Long: `check does what generate does, but writes nothing: it exits with 1 and shows the difference if a file is
not what generate would make it. Meant for continuous integration.`,
		Example: `  agentgen check ./...`,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			packages, err := a.make(cmd.Context(), gen.Options{Patterns: args})
			if err != nil {
				return err
			}
			files, stale := 0, 0
			for _, p := range packages {
				if p.File.Old != nil || p.File.Content != nil {
					files++
				}
				if p.File.Stale() {
					stale++
					a.diff(p.File)
				}
			}
			switch {
			case stale > 0:
				again := strings.Join(append([]string{"agentgen generate"}, args...), " ")
				fmt.Fprintf(a.stderr, "agentgen: %d of %s not up to date; run %s\n", stale, count(files, "file"), again)
				return errReported
			case files == 0:
				a.say("%s", noAgents(args))
			default:
				a.say("up to date: %s", count(files, "file"))
			}
			return nil
		},
	}
}

// diff shows how a file differs from what it should be.
func (a *app) diff(f gen.File) {
	path := short(f.Path)
	added, removed := paint(a.stdout, color.FgGreen), paint(a.stdout, color.FgRed)
	for line := range lines(udiff.Unified(path, path+" (generated)", string(f.Old), string(f.Content))) {
		switch line[0] {
		case '+':
			line = added(line)
		case '-':
			line = removed(line)
		}
		fmt.Fprintln(a.stdout, line)
	}
}

// make generates. What is wrong with the source it says itself.
func (a *app) make(ctx context.Context, opts gen.Options) ([]gen.Package, error) {
	opts.Dir = a.dir
	packages, err := gen.Run(ctx, opts)
	var faults diag.List
	if !errors.As(err, &faults) {
		return packages, err
	}
	a.report(faults)
	return nil, errReported
}

// report says what is wrong with the source, and where as seen from the working directory.
func (a *app) report(faults diag.List) {
	red := paint(a.stderr, color.FgRed, color.Bold)
	for _, d := range faults {
		where := ""
		if d.Pos.Filename != "" {
			d.Pos.Filename = short(d.Pos.Filename)
			where = d.Pos.String() + ": "
		}
		if wd, err := os.Getwd(); err == nil {
			// A message that compares two places names the other one.
			d.Message = strings.ReplaceAll(d.Message, wd+string(filepath.Separator), "")
		}
		fmt.Fprintln(a.stderr, where+red("error")+": "+d.Message)
	}
	for _, note := range faults.Notes() {
		fmt.Fprintln(a.stderr, note)
	}
}

// short is a path relative to the working directory if it is below.
func short(path string) string {
	wd, err := os.Getwd()
	if err != nil || path == "" {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
