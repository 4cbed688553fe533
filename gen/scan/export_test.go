package scan

import (
	"context"
	"go/token"

	"github.com/cd3b852d/agentgen/gen/diag"
)

// Files scans files of a folder as a package, without the go command, which knows more of them than they
// say and is slow to say it.
func Files(ctx context.Context, dir, path string, names, tools []string, known func(tool string) []string) (*Package, diag.List) {
	s := &source{
		ctx: ctx, listed: listed{Dir: dir, ImportPath: path, Name: "p", GoFiles: names},
		Options: Options{Tools: tools, Names: known},
		fset:    token.NewFileSet(), known: map[string]listed{},
	}
	pkg := s.scan()
	if len(s.files) > 0 {
		pkg.Name = s.files[0].Name.Name
	}
	return pkg, s.faults
}
