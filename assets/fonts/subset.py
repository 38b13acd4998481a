#!/usr/bin/env python3
"""Cut Inter down to what Headroom's pictures need: subset.py INTER.otf OUT.otf OUT.woff2 (needs fonttools and brotli).

Digits become the tabular ones, so that live numbers keep their width without layout features; kerning goes, so that
measuring a text is adding its advances.
"""
import sys
from fontTools import subset
from fontTools.ttLib import TTFont

source, otf, woff2 = sys.argv[1:4]
font = TTFont(source)

tabular = {}
gsub = font["GSUB"].table
for record in gsub.FeatureList.FeatureRecord:
    if record.FeatureTag == "tnum":
        for lookup in record.Feature.LookupListIndex:
            for table in gsub.LookupList.Lookup[lookup].SubTable:
                tabular.update(getattr(getattr(table, "ExtSubTable", table), "mapping", {}))
for table in font["cmap"].tables:
    for digit in range(0x30, 0x3A):
        if digit in table.cmap:
            table.cmap[digit] = tabular.get(table.cmap[digit], table.cmap[digit])
names = font.getBestCmap()
width = font["hmtx"][names[0x30]][0]
for digit in range(0x30, 0x3A):
    font["hmtx"][names[digit]] = (width, font["hmtx"][names[digit]][1])

options = subset.Options()
options.layout_features = []
options.hinting = False
options.desubroutinize = True
options.notdef_outline = True
options.drop_tables += ["DSIG", "GDEF", "GPOS", "GSUB", "STAT", "BASE"]
blocks = [(0x20, 0x7F), (0xA0, 0x180), (0x370, 0x460), (0x2000, 0x2300), (0x25A0, 0x2600), (0x2713, 0x2714), (0x2717, 0x2718)]
subsetter = subset.Subsetter(options)
subsetter.populate(unicodes=[c for low, high in blocks for c in range(low, high)])
subsetter.subset(font)
font.save(otf)
font.flavor = "woff2"
font.save(woff2)
