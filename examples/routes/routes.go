// Package routes lists the ways from one place to another.
package routes

// Map says which places can be reached from a place.
type Map map[string][]string

// Ways are all paths from one place to another that visit no place twice.
func (m Map) Ways(from, to string) [][]string {
	var found [][]string
	m.walk([]string{from}, to, &found)
	return found
}

func (m Map) walk(path []string, to string, found *[][]string) {
	here := path[len(path)-1]
	if here == to {
		*found = append(*found, path)
		return
	}
	for _, next := range m[here] {
		if !contains(path, next) {
			m.walk(append(path, next), to, found)
		}
	}
}

func contains(path []string, place string) bool {
	for _, one := range path {
		if one == place {
			return true
		}
	}
	return false
}
