module github.com/roceplan/roceplan/checker

go 1.26
