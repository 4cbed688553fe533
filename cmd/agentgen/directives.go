package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/cd3b852d/agentgen/gen/directive"
	"github.com/cd3b852d/agentgen/internal/suggest"
)

func (a *app) directives() *cobra.Command {
	return &cobra.Command{
		Use:   "directives [agent|skill|card]",
		Short: "Print the manual of the directives",
		Long: `directives prints which directives there are, what each means and what it may hold. The manual is made
of the OpenAPI document that the directives follow from, so it is complete.`,
		Example: `  agentgen directives
  agentgen directives card`,
		Args:      tool,
		ValidArgs: tools(),
		RunE: func(_ *cobra.Command, args []string) error {
			grammar, err := directive.Default()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				args = tools()
			}
			for i, tool := range args {
				if i > 0 {
					fmt.Fprintln(a.stdout)
				}
				a.manual(grammar.Namespace(tool))
			}
			return nil
		},
	}
}

// tools are those of the directives, in the order in which one needs them.
func tools() []string { return []string{directive.Agent, directive.Skill, directive.Card} }

// tool takes one of the tools, or none.
func tool(cmd *cobra.Command, args []string) error {
	for _, arg := range args {
		if !slices.Contains(tools(), arg) {
			return fmt.Errorf("no directives begin with //%s:%s", arg, suggest.Hint(arg, tools()))
		}
	}
	return cobra.MaximumNArgs(1)(cmd, args)
}

// manual prints the directives of a tool.
func (a *app) manual(ns *directive.Namespace) {
	bold := paint(a.stdout, color.Bold)
	fmt.Fprintf(a.stdout, "%s\n%s\n", bold("//"+ns.Tool+":…"), indent(ns.About(), "  "))
	for _, entry := range ns.Manual() {
		fmt.Fprintf(a.stdout, "\n  %s\n", bold(entry.Usage))
		fmt.Fprintln(a.stdout, indent(entry.About, "      "))
		for _, line := range entry.Wants {
			fmt.Fprintln(a.stdout, indent(line, "      "))
		}
	}
}

// indent puts a margin before each line.
func indent(text, margin string) string {
	return margin + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+margin)
}
