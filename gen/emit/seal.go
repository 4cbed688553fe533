package emit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const checksumPrefix = "// Checksum: "

// seal puts the header above the source. The checksum lets [State] tell a file that was edited.
func seal(src []byte) []byte {
	return append([]byte(marker+"\n"+checksumPrefix+checksum(src)+"\n\n"), src...)
}

func checksum(src []byte) string {
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:8])
}

// A State says whose a file is.
type State int

// The states of a file that is in the generated file's place.
const (
	Ours   State = iota // as we wrote it
	Edited              // ours, and changed since
	Others              // not ours
)

// StateOf says whose a file is. Line ends that a checkout changed do not count as an edit.
func StateOf(content []byte) State {
	content = Normal(content)
	rest, ok := bytes.CutPrefix(content, []byte(marker+"\n"))
	if !ok {
		return Others
	}
	line, src, _ := bytes.Cut(rest, []byte("\n\n"))
	sum, ok := strings.CutPrefix(string(line), checksumPrefix)
	if !ok || sum != checksum(src) {
		return Edited
	}
	return Ours
}

// Normal is the content with the line ends that we write.
func Normal(content []byte) []byte {
	if !bytes.Contains(content, []byte("\r\n")) {
		return content // nearly always, and then a copy would be waste
	}
	return bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
}

// groupImports puts the standard library before the other imports, with a line between.
func groupImports(src []byte) []byte {
	before, rest, ok := strings.Cut(string(src), "import (\n")
	block, after, closed := strings.Cut(rest, ")\n")
	if !ok || !closed {
		return src
	}
	var std, others strings.Builder
	for line := range strings.Lines(block) {
		group := &std
		if first, _, _ := strings.Cut(line[strings.IndexByte(line, '"')+1:], "/"); strings.Contains(first, ".") {
			group = &others
		}
		group.WriteString(line)
	}
	return []byte(before + "import (\n" + std.String() + "\n" + others.String() + ")\n" + after)
}
