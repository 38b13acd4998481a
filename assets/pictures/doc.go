// Package pictures holds the pictures of README and of the gallery, taken from scenarios as pictures.yaml lists them: go
// generate ./... takes them anew, to the byte.
package pictures
