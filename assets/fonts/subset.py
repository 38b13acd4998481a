#!/usr/bin/env python3
"""Cut Inter down to what Headroom's pictures need: subset.py INTER.otf OUT.otf OUT.woff2 (needs fonttools and brotli).

Digits become the tabular ones, so that live numbers keep their width without layout features; kerning goes, so that
measuring a text is adding its advances.
"""
import sys
from fontTools import subset
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
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

# Inter has no superscript T, the sign of a transposed matrix: a small raised T replaces a glyph that is not kept.
spare, advance = font.getBestCmap()[0x1E9E], int(font["hmtx"][names[ord("T")]][0] * 0.62)
pen = T2CharStringPen(advance, font.getGlyphSet())
font.getGlyphSet()[names[ord("T")]].draw(TransformPen(pen, (0.62, 0, 0, 0.62, 0, 0.42 * font["OS/2"].sCapHeight)))
top = font["CFF "].cff.topDictIndex[0]
top.CharStrings[spare] = pen.getCharString(top.Private if hasattr(top, "Private") else None, font["CFF "].cff.GlobalSubrs)
font["hmtx"][spare] = (advance, 0)
for table in font["cmap"].tables:
    if table.isUnicode():
        table.cmap[0x1D40] = spare

options = subset.Options()
options.layout_features = []
options.hinting = False
options.desubroutinize = True
options.notdef_outline = True
options.drop_tables += ["DSIG", "GDEF", "GPOS", "GSUB", "STAT", "BASE"]
blocks = [(0x20, 0x7F), (0xA0, 0x180), (0x370, 0x460), (0x2000, 0x2300), (0x25A0, 0x2600), (0x2713, 0x2714), (0x2717, 0x2718), (0x1D40, 0x1D41)]
subsetter = subset.Subsetter(options)
subsetter.populate(unicodes=[c for low, high in blocks for c in range(low, high)])
subsetter.subset(font)
font.save(otf)
font.flavor = "woff2"
font.save(woff2)
