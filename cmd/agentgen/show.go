package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cd3b852d/agentgen/agent/a2a"
	"github.com/cd3b852d/agentgen/gen"
	"github.com/cd3b852d/agentgen/generated/agentapi"
	"github.com/cd3b852d/agentgen/internal/jsonyaml"
	"github.com/cd3b852d/agentgen/internal/suggest"
)

func (a *app) manifest() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "manifest [PACKAGE] [NAME]",
		Short: "Show the ACP manifests of a package",
		Long: `manifest shows what ACP clients will read about the annotated functions of a package: all of them as
GET /agents lists them, or the one with that name. Without a package it is the one in this folder; a word
with neither a dot nor a slash is a name. Nothing is written.`,
		Example: `  agentgen manifest
  agentgen manifest chat
  agentgen manifest ./examples/seeds chat -o yaml > agent.yml`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			patterns, name := operands(args)
			packages, err := a.describe(cmd.Context(), patterns)
			if err != nil {
				return a.orFolder(err, name, args)
			}
			list := agentapi.AgentList{Agents: []agentapi.AgentManifest{}}
			for _, p := range packages {
				list.Agents = append(list.Agents, p.Manifests...)
			}
			if name == "" {
				return a.print(format, list)
			}
			var names []string
			for _, m := range list.Agents {
				if m.Name == name {
					return a.print(format, m)
				}
				names = append(names, m.Name)
			}
			return a.orFolder(fmt.Errorf("no agent is called %q%s", name, suggest.Hint(name, names)), name, args)
		},
	}
	return withFormat(cmd, &format)
}

// operands tells a package from the name of an agent, which has neither a dot nor a slash.
func operands(args []string) (patterns []string, name string) {
	switch {
	case len(args) == 2:
		return args[:1], args[1]
	case len(args) == 1 && !strings.ContainsAny(args[0], `./\`):
		return nil, args[0]
	}
	return args, ""
}

// orFolder adds to an error how to name the package in a folder, if there is one and it was taken for an agent.
func (a *app) orFolder(err error, name string, args []string) error {
	entries, _ := os.ReadDir(filepath.Join(a.dir, name)) // none if there is no folder
	source := slices.ContainsFunc(entries, func(e os.DirEntry) bool { return filepath.Ext(e.Name()) == ".go" })
	if len(args) != 1 || name == "" || !source {
		return err
	}
	hint := "the package in the folder " + name + " is ./" + name
	if errors.Is(err, errReported) {
		fmt.Fprintf(a.stderr, "agentgen: %s\n", hint)
		return err
	}
	return fmt.Errorf("%w; %s", err, hint)
}

func (a *app) card() *cobra.Command {
	var format, address string
	cmd := &cobra.Command{
		Use:   "card [PACKAGE]",
		Short: "Show the A2A card of a package",
		Long: `card shows what A2A clients will read about the annotated functions of a package, as a server at --url
publishes it. Without a package it is the one in this folder. Nothing is written.`,
		Example: `  agentgen card
  agentgen card ./examples/research --url https://agent.example.com`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if u, err := url.Parse(address); err != nil || u.Scheme == "" || u.Host == "" {
				return misuse{fmt.Errorf("--url wants an address such as https://agent.example.com, not %q", address)}
			}
			packages, err := a.describe(cmd.Context(), args)
			if err != nil {
				return err
			}
			if len(packages) > 1 {
				var paths []string
				for _, p := range packages {
					paths = append(paths, p.Path)
				}
				return fmt.Errorf("a card is of one package; name one of %s", strings.Join(paths, ", "))
			}
			return a.print(format, a2a.Published(packages[0].Card, address))
		},
	}
	cmd.Flags().StringVar(&address, "url", "http://127.0.0.1:8000", "where the server is")
	return withFormat(cmd, &format)
}

// describe is the packages with agents among those that the patterns name. It is an error if there is none.
func (a *app) describe(ctx context.Context, patterns []string) ([]gen.Package, error) {
	packages, err := a.make(ctx, gen.Options{Patterns: patterns, Describe: true})
	if err != nil {
		return nil, err
	}
	packages = slices.DeleteFunc(packages, func(p gen.Package) bool { return len(p.Manifests) == 0 })
	if len(packages) == 0 {
		return nil, errors.New(noAgents(patterns))
	}
	return packages, nil
}

// noAgents says that the patterns name no package with agents, and what makes one.
func noAgents(patterns []string) string {
	where := "this folder"
	if len(patterns) > 0 {
		where = strings.Join(patterns, " ")
	}
	return "no agent in " + where + ": write //agent:register in the doc comment of a function"
}

func withFormat(cmd *cobra.Command, format *string) *cobra.Command {
	cmd.Flags().StringVarP(format, "output", "o", "json", "`format`: json or yaml")
	err := cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"json", "yaml"}, cobra.ShellCompDirectiveNoFileComp))
	cobra.CheckErr(err)
	return cmd
}

// print writes a value in a format.
func (a *app) print(format string, value any) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(value); err != nil {
		return err
	}
	switch format {
	case "json":
		_, err := a.stdout.Write(out.Bytes())
		return err
	case "yaml":
		return jsonyaml.Write(a.stdout, out.Bytes())
	}
	return misuse{fmt.Errorf("no output format %q; there are json and yaml", format)}
}

// lines are the lines of a text without their ends.
func lines(text string) iter.Seq[string] {
	return strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n")
}
