// Package diag is how every stage of the generator says what is wrong: a message at a place in the source.
//
// It collects and sorts; printing is the command's job. A List with a diagnostic in it means that
// nothing is generated.
package diag

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// A Diagnostic is one fault at one place.
type Diagnostic struct {
	Pos     token.Position // the file is absolute; no line means the file as a whole
	Message string         // what is wrong, what would be right
	Note    string         // what else would be right, which is said once for all faults that have it
}

// String is file:line:col: message.
func (d Diagnostic) String() string {
	if d.Pos.Filename == "" {
		return d.Message
	}
	return d.Pos.String() + ": " + d.Message
}

// A List holds the faults of a run, all of them. The zero value is ready for use.
type List []Diagnostic

// Add notes a fault.
func (l *List) Add(pos token.Position, format string, args ...any) {
	*l = append(*l, Diagnostic{Pos: pos, Message: fmt.Sprintf(format, args...)})
}

// Sort orders the faults by place and drops repeated ones.
func (l *List) Sort() {
	slices.SortStableFunc(*l, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Message, b.Message),
		)
	})
	*l = slices.Compact(*l)
}

// Notes are those of the faults, each once.
func (l List) Notes() []string {
	var notes []string
	for _, d := range l {
		if d.Note != "" && !slices.Contains(notes, d.Note) {
			notes = append(notes, d.Note)
		}
	}
	return notes
}

// Error is one line for each fault, and one for each note.
func (l List) Error() string {
	var lines []string
	for _, d := range l {
		lines = append(lines, d.String())
	}
	return strings.Join(append(lines, l.Notes()...), "\n")
}

// Err is the list as an error, nil when there is no fault.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}
