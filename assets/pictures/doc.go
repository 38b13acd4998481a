// Package pictures holds the pictures of README, made from scenarios: go generate ./... makes them anew, to the byte.
package pictures
