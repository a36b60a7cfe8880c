// Package vscode is the folder of the extension for Visual Studio Code; of Go it has tests alone,
// which hold the extension against the language and the program.
package vscode
