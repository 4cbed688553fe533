// Command reduce cuts an OpenAPI document down to what the grammar of the directives follows from.
//
//	reduce DOCUMENT OUTPUT
package main

import (
	"fmt"
	"os"

	"github.com/cd3b852d/agentgen/gen/directive"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "reduce:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("want DOCUMENT and OUTPUT, got %q", args)
	}
	document, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	reduced, err := directive.Reduce(document)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return os.WriteFile(args[1], append(reduced, '\n'), 0o644)
}
