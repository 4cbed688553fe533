package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cd3b852d/agentgen/internal/suggest"
)

// misuse is an error in how the command was called.
type misuse struct{ error }

// asMisuse makes errors about the arguments of a command and those below it ones of how they were called.
func asMisuse(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return misuse{err}
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		asMisuse(sub)
	}
}

// oneOfCommands refuses an argument where only the name of a command can stand.
func oneOfCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return fmt.Errorf("unknown command %q%s", args[0], suggest.Hint(args[0], names))
}

// helpTopic refuses to help with a command that does not exist.
func helpTopic(cmd *cobra.Command, args []string) error {
	found, rest, err := cmd.Root().Find(args)
	if err == nil && found.HasSubCommands() {
		return oneOfCommands(found, rest)
	}
	return err
}

// flagError is a misuse, with the flag that may have been meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return misuse{err}
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := suggest.Nearest(unknown.GetSpecifiedName(), names); near != "" {
		err = fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return misuse{err}
}
