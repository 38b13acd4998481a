package prove

import "math"

// Test data is a function of its index, so that the adapter and the CPU make the same without sending it: an integer hash
// whose top bits become a float by their bits, exactly.

// hash32 mixes an index and a seed.
func hash32(i, seed uint32) uint32 {
	x := i*0x9E3779B1 + seed
	x ^= x >> 16
	x *= 0x21F0AAAD
	x ^= x >> 15
	x *= 0x735A2D97
	x ^= x >> 15
	return x
}

// value is element i of test data: 23 random bits, from −4 up to 4.
func value(i, seed uint32) float32 {
	return (math.Float32frombits(0x3F800000|hash32(i, seed)>>9) - 1.5) * 8
}

// hashWGSL is the same in WGSL.
const hashWGSL = `
fn hash32(i: u32, seed: u32) -> u32 {
	var x = i * 0x9E3779B1u + seed;
	x = x ^ (x >> 16u);
	x = x * 0x21F0AAADu;
	x = x ^ (x >> 15u);
	x = x * 0x735A2D97u;
	return x ^ (x >> 15u);
}
fn value(i: u32, seed: u32) -> f32 {
	return (bitcast<f32>(0x3F800000u | (hash32(i, seed) >> 9u)) - 1.5) * 8.0;
}
`
