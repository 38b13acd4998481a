package main

// terms are for Debian, whose copyright files name a common licence instead of repeating it.
const terms = `Headroom, copyright 2026 the Headroom maintainers.

Licensed under the Apache License, Version 2.0. On Debian its text is in /usr/share/common-licenses/Apache-2.0.

The program is linked from parts by others. NOTICES, beside this file, names each with its terms and copyright.
`

const preamble = `Headroom is linked from the parts below. Each stands with the texts that its authors ask to be passed on.
`

// webgpu is the module that brings a prebuilt library; native says what its own licence file does not.
const webgpu = "github.com/cogentcore/webgpu"

const native = `
This module's prebuilt library is wgpu-native (https://github.com/gfx-rs/wgpu-native), by the gfx-rs developers, under the
MIT licence or the Apache License 2.0. Its own strings name these crates, which are under the MIT licence, the Apache
License 2.0 or a choice of the two, where nothing else is said: allocator-api2, arrayvec, ash, bit-set, bit-vec,
codespan-reporting, compiler_builtins, glow, gpu-alloc, gpu-descriptor, hashbrown, indexmap, khronos-egl, log, naga,
once_cell, parking_lot, petgraph, pp-rs (BSD-3-Clause), smallvec, termcolor, unicode-width, wgpu-core, wgpu-hal,
wgpu-types and zerocopy. The texts of each are with its sources at https://crates.io.
`
