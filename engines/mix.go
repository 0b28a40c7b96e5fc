package engines

// Mix is a step of splitmix64 (Steele, Lea & Flood 2014), a hash of a number. It assigns numbers to random streams or
// samples, each independently of the others.
func Mix(x uint64) uint64 { return Scatter(x + 0x9e3779b97f4a7c15) }

// Scatter is the last part of Mix. It is enough for numbers that are hashes already. Scatter(0) is 0.
func Scatter(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
