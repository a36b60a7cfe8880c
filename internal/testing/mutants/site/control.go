package site

// control is the file that says which mutant is alive. Weaving replaces this one, so that
// programs started with another environment find it too.
const control = ""
