#!/bin/bash
# The documents agree with the program: the table of settings is what it prints.
. tests/command.sh

"$aji" settings --markdown >"$folder/table"
diff -u docs/METHODS-TABLE.md "$folder/table" >"$folder/out" ||
    fault 'docs/METHODS-TABLE.md is not what the program prints: ./aji settings --markdown >docs/METHODS-TABLE.md'
expect 2 'exclude each other' settings --json --markdown

exit $((faults > 0))
