// Package suggest ends messages about unknown names with the name that was meant.
package suggest

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Hint is what a message about an unknown name ends with: the name that was meant, or else all that there
// are. It begins with a semicolon, or is empty where there are none.
func Hint(name string, known []string) string {
	switch near := Nearest(name, known); {
	case near != "":
		return "; did you mean " + near + "?"
	case len(known) == 0:
		return ""
	}
	return "; there are " + strings.Join(known, ", ")
}

// Nearest is the known name that the name begins, or else the one that it differs least from. It is empty
// if none is near. Capital letters count as small ones.
func Nearest(name string, known []string) string {
	name = strings.ToLower(name)
	best, distance := "", 1+max(2, len(name)/3)
	for _, k := range known {
		lower := strings.ToLower(k)
		if len(name) > 1 && strings.HasPrefix(lower, name) {
			return k
		}
		if d := levenshtein.ComputeDistance(name, lower); d < distance {
			best, distance = k, d
		}
	}
	return best
}
