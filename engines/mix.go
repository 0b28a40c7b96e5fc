package engines

// Mix is a step of splitmix64 (Steele, Lea & Flood 2014): near numbers become far ones, so that a number decides by
// itself, in any order, which random stream or sample something belongs to.
func Mix(x uint64) uint64 { return Scatter(x + 0x9e3779b97f4a7c15) }

// Scatter is the finalizer of Mix, for what is a hash already: 0 stays 0.
func Scatter(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
