package directive

// A Form is how the arguments of a directive make a value.
type Form int

// The forms. In each but Scalar and Anything, one JSON argument may stand for all.
const (
	Scalar    Form = iota // //tool:key value
	List                  // //tool:key value value, repeatable
	Objects               // //tool:key value name=value, one object a line, repeatable
	Object                // //tool:key value name=value
	ObjectMap             // //tool:key name value name=value, one entry a line, repeatable
	ScopeMaps             // //tool:key name name=a,b, one map of lists a line, repeatable
	Anything              // //tool:key JSON
)

func formOf(s *Schema) Form {
	switch {
	case s.is("array") && s.Items != nil:
		return listFormOf(s.Items)
	case s.is("object") && isObject(s.Additional) && len(s.Properties) == 0:
		return ObjectMap
	case s.is("object") && len(s.Properties) > 0:
		return Object
	case isScalar(s):
		return Scalar
	}
	return Anything
}

func listFormOf(item *Schema) Form {
	switch {
	case isScalar(item):
		return List
	case item.is("object") && len(item.Properties) > 0:
		return Objects
	case item.is("object") && item.Additional != nil && item.Additional.is("array"):
		return ScopeMaps
	}
	return Anything
}

func isScalar(s *Schema) bool {
	return s.is("string") || s.is("number") || s.is("integer") || s.is("boolean")
}

func isObject(s *Schema) bool { return s != nil && s.is("object") }

// repeatable tells whether a directive of this form may stand several times.
func (f Form) repeatable() bool {
	return f == List || f == Objects || f == ObjectMap || f == ScopeMaps
}
