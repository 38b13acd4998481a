// Package trace records Samples to files, plays them back, and makes them from scenarios.
//
// # The form of a recording
//
// A recording is JSON Lines: UTF-8, one object a line, a line at most 512 KiB. What a line holds shows in its first member.
//
//		{"schema":"headroom.trace/1","by":"headroom 0.1.0","created":"…","settings":{…},"c":…}
//		{"k":17,"s":{"time":"…",…},"c":…}
//		{"d":[17,100000000,3,91.8,12,"stale"],"c":…}
//		{"set":{…},"at":"…","c":…}
//		{"m":"fan off","at":"…","c":…}
//
//	  - schema: the header. It comes first, and again wherever a recording was continued. settings are the ones in force,
//	    with the whole model, so that a recording shows the same elsewhere.
//	  - k: a key, with its number, and s, a whole Sample as package sensors writes it, its time first.
//	  - d: a delta, a Sample that differs from a key in a few values: the key's number, the nanoseconds since the key's time,
//	    then pairs of a place and a value. Places count the strings, numbers, trues, falses and nulls of the key's s from 0
//	    in the order of the text, names not included. A value that is not listed is the key's; a "time" or "at" that equals
//	    the key's own time moves along with it. A delta rests on its key alone, never on another delta.
//	  - set: the settings for the samples after it.
//	  - m: a mark that somebody set.
//	  - c: the CRC-32C of the line's bytes before it, as a decimal number; always last. A line without it is read too, if it
//	    is valid JSON.
//
// Objects that begin otherwise belong to later versions: they are counted and left out. A version that changes what a
// line of these means raises the number in the schema.
//
// The times of readings that were taken within a second of their Sample's are written as the Sample's.
//
// # Why so
//
// A line is one write to the file, so a kill at any byte costs at most the line in hand; once a second the file is flushed
// against a loss of power. Keys come every ten seconds at 10 Hz and every thirty at 1 Hz: a damaged line costs itself and,
// if it is a key, the deltas up to the next one. Since deltas rest on the key alone, any sample takes two lines to read.
//
// Opening reads the file once, checks every checksum, and keeps the reader's state once every 64 KiB: about two bytes of
// memory for each KiB of the file. Blocks are read again when their samples are asked for, and the last few are kept. On
// two cores of a shared server, a day at 10 Hz of the scenario thin-laptop with its 38 readings (864 000 samples) took
// 183 MB of disk, opened in 0.3 s (0.7 GB a second, with the file in the system's cache) with 0.4 MB of memory, and was
// scrubbed through at more than a thousand jumps a second; writing a sample took 0.1 ms. Looking through all of it for a
// change of decision that never comes took eleven seconds of processor time, shared by all processors. BenchmarkOpenHours,
// BenchmarkScrubDay, BenchmarkNextDecisionDay and BenchmarkWrite measure this again.
//
// # Time
//
// Samples carry the host's clock. A recording's own axis, the offset, adds up the distances between samples: a pause, such
// as a night asleep, counts as one ordinary distance, and so does a step of the clock back. Both are reported as Problems,
// as is damage; none of them keeps the rest from being used.
package trace
