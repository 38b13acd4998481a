package assets

import _ "embed"

// FontRegular and FontSemiBold are subsets of Inter (SIL Open Font License, fonts/OFL.txt) as OpenType: Latin, Greek,
// Cyrillic, arrows and mathematical signs, with tabular digits.
var (
	//go:embed fonts/Inter-Regular.otf
	FontRegular []byte
	//go:embed fonts/Inter-SemiBold.otf
	FontSemiBold []byte
)

// FontRegularWOFF2 and FontSemiBoldWOFF2 are the same fonts compressed, for embedding in pictures.
var (
	//go:embed fonts/Inter-Regular.woff2
	FontRegularWOFF2 []byte
	//go:embed fonts/Inter-SemiBold.woff2
	FontSemiBoldWOFF2 []byte
)
