package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cd3b852d/agentgen/agent/a2a"
	"github.com/cd3b852d/agentgen/gen"
	"github.com/cd3b852d/agentgen/generated/agentapi"
	"github.com/cd3b852d/agentgen/internal/jsonyaml"
)

func (a *app) manifest() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "manifest [PACKAGE] [NAME]",
		Short: "Show the ACP manifests of a package",
		Long: `manifest shows what ACP clients will read about the annotated functions of a package: all of them as
GET /agents lists them, or the one with that name. Nothing is written.`,
		Example: `  agentgen manifest
  agentgen manifest ./examples/seeds chat
  agentgen manifest . chat -o yaml > agent.yml`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			packages, err := a.describe(cmd.Context(), args)
			if err != nil {
				return err
			}
			list := agentapi.AgentList{Agents: []agentapi.AgentManifest{}}
			for _, p := range packages {
				list.Agents = append(list.Agents, p.Manifests...)
			}
			if len(args) < 2 {
				return a.print(format, list)
			}
			for _, m := range list.Agents {
				if m.Name == args[1] {
					return a.print(format, m)
				}
			}
			return fmt.Errorf("no agent %q; there are %s", args[1], names(list.Agents))
		},
	}
	return withFormat(cmd, &format)
}

func (a *app) card() *cobra.Command {
	var format, url string
	cmd := &cobra.Command{
		Use:   "card [PACKAGE]",
		Short: "Show the A2A card of a package",
		Long: `card shows what A2A clients will read about the annotated functions of a package, as a server at --url
publishes it. Nothing is written.`,
		Example: `  agentgen card
  agentgen card ./examples/research --url https://agent.example.com`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			packages, err := a.describe(cmd.Context(), args)
			if err != nil {
				return err
			}
			if len(packages) != 1 {
				return errors.New("a card is of one package; name it")
			}
			if len(packages[0].Manifests) == 0 {
				return fmt.Errorf("%s has no annotated function", packages[0].Path)
			}
			return a.print(format, a2a.Published(packages[0].Card, url))
		},
	}
	cmd.Flags().StringVar(&url, "url", "http://127.0.0.1:8000", "where the server is")
	return withFormat(cmd, &format)
}

// describe is the packages that the first argument names, as they publish themselves.
func (a *app) describe(ctx context.Context, args []string) ([]gen.Package, error) {
	return a.make(ctx, gen.Options{Patterns: args[:min(1, len(args))], Describe: true})
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
	text := out.Bytes()
	switch format {
	case "json":
	case "yaml":
		var err error
		if text, err = jsonyaml.Convert(text); err != nil {
			return err
		}
	default:
		return misuse{fmt.Errorf("no output format %q; there are json and yaml", format)}
	}
	_, err := a.stdout.Write(text)
	return err
}

func names(manifests []agentapi.AgentManifest) string {
	var all []string
	for _, m := range manifests {
		all = append(all, m.Name)
	}
	if all == nil {
		return "none"
	}
	return strings.Join(all, ", ")
}

// lines are the lines of a text without their ends.
func lines(text string) iter.Seq[string] {
	return strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n")
}
