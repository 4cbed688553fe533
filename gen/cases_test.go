package gen_test

import (
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cd3b852d/agentgen/gen"
	"github.com/cd3b852d/agentgen/gen/diag"
)

//nolint:gochecknoglobals // a flag of the test command can live nowhere else
var update = flag.Bool("update", false, "record what the generator makes of the cases as what it should make")

// A testCase is a file of testdata/cases: Go source under in/, and under want/ what comes of it, which is either a
// file "errors", or for each package what is generated, its manifests and its card.
type testCase struct {
	name    string
	path    string
	comment []byte
	in      map[string]string
	want    map[string]string
}

// fails tells whether the source has faults.
func (c testCase) fails() bool { return c.want["want/errors"] != "" }

// cases are all of testdata/cases, by name.
func cases(t testing.TB) []testCase {
	t.Helper()
	paths, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are %d cases, error %v", len(paths), err)
	}
	var all []testCase
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := testCase{
			name: strings.TrimSuffix(filepath.Base(path), ".txtar"), path: path, comment: archive.Comment,
			in: map[string]string{}, want: map[string]string{},
		}
		for _, f := range archive.Files {
			if strings.HasPrefix(f.Name, "want/") {
				c.want[f.Name] = string(f.Data)
			} else {
				c.in[f.Name] = string(f.Data)
			}
		}
		all = append(all, c)
	}
	return all
}

// record makes what was got what is wanted.
func (c testCase) record(t *testing.T, got map[string]string) {
	t.Helper()
	archive := txtar.Archive{Comment: c.comment}
	for _, files := range []map[string]string{c.in, got} {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(files[name])})
		}
	}
	if err := os.WriteFile(c.path, txtar.Format(&archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compare reports each wanted file that differs or is missing, and each that nobody wants.
func (c testCase) compare(t *testing.T, got map[string]string) {
	t.Helper()
	if diff := cmp.Diff(c.want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// consumer makes a module with the source of the cases, each in a folder of its name, and returns where it is.
func consumer(t testing.TB, all []testCase) string {
	t.Helper()
	files := map[string]string{}
	for _, c := range all {
		for name, data := range c.in {
			files[filepath.Join(c.name, name)] = data
		}
	}
	return module(t, files)
}

// module makes a module example.com/cases that uses this one, offline.
func module(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, root := realTempDir(t), repository(t)
	goMod := read(t, filepath.Join(root, "go.mod"))
	goMod = regexp.MustCompile(`(?m)^module .*|^tool .*`).ReplaceAllString(goMod, "")
	goMod = "module example.com/cases\n" + goMod +
		"\nrequire github.com/cd3b852d/agentgen v0.0.0\nreplace github.com/cd3b852d/agentgen => " + root + "\n"
	write(t, dir, map[string]string{"go.mod": goMod, "go.sum": read(t, filepath.Join(root, "go.sum"))})
	write(t, dir, files)
	return dir
}

// offline keeps the go command from the network and from the settings of the machine.
func offline(t *testing.T) {
	t.Helper()
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
}

// results are what was made of each package, as the cases want it: by the name of the case, then by file.
func results(t testing.TB, dir string, packages []gen.Package) map[string]map[string]string {
	t.Helper()
	all := map[string]map[string]string{}
	for _, p := range packages {
		name, in := place(t, dir, p.Dir)
		want := all[name]
		if want == nil {
			want = map[string]string{}
			all[name] = want
		}
		at := strings.TrimPrefix(in, "in")
		if p.File.Content == nil {
			if len(p.Manifests) > 0 || p.File.Old != nil {
				t.Errorf("%s: %d manifests, but no file", p.Path, len(p.Manifests))
			}
			continue
		}
		want["want"+at+"/"+filepath.Base(p.File.Path)] = string(p.File.Content)
		want["want"+at+"/manifests.json"] = indent(t, p.Manifests)
		want["want"+at+"/card.json"] = indent(t, p.Card)
	}
	return all
}

// faults are the lines that err says, by the name of the case, with paths relative to it.
func faults(t testing.TB, dir string, err error) map[string]string {
	t.Helper()
	var list diag.List
	if !errors.As(err, &list) {
		t.Fatalf("error %v, want faults", err)
	}
	lists := map[string]diag.List{}
	for _, d := range list {
		name, _ := place(t, dir, d.Pos.Filename)
		lists[name] = append(lists[name], d)
	}
	all := map[string]string{}
	for name, list := range lists {
		all[name] = strings.ReplaceAll(list.Error(), filepath.Join(dir, name)+string(filepath.Separator), "") + "\n"
	}
	return all
}

// place is the case to which a path belongs, and the rest of the path.
func place(t testing.TB, dir, path string) (name, rest string) {
	t.Helper()
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		t.Fatal(err)
	}
	name, rest, _ = strings.Cut(filepath.ToSlash(rel), "/")
	return name, rest
}

func indent(t testing.TB, v any) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// repository is the root of this module.
func repository(t testing.TB) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// realTempDir is a temporary folder by the name under which the go command knows it.
func realTempDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// write makes files in dir, by their names there.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs the go command, which must succeed, and returns what it says.
func run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, stderr.String(), out)
	}
	return string(out)
}
