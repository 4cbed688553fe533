package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/cd3b852d/agentgen/openapi"
)

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the command and of its OpenAPI document",
		Example: `  agentgen version`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			version, goVersion := "(unknown)", ""
			if info, ok := debug.ReadBuildInfo(); ok {
				version, goVersion = moduleVersion(info), info.GoVersion
			}
			var document struct{ Info struct{ Version string } }
			if err := yaml.Unmarshal([]byte(openapi.YAML()), &document); err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "agentgen %s, document %s, %s\n", version, document.Info.Version, goVersion)
			return nil
		},
	}
}

// moduleVersion is the version of this module, also where the command is a tool of another one.
func moduleVersion(info *debug.BuildInfo) string {
	const module = "github.com/cd3b852d/agentgen"
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == module && m.Version != "" {
			return m.Version
		}
	}
	return "(devel)"
}
