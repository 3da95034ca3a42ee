#!/bin/bash
# The descriptions of GoNN's nets in docs/NETWORKS.md build nets with exactly as many parameters as GoNN's README says.
. tests/command.sh

awk '/^### GoNN.s nets/, /^## Precision/' docs/NETWORKS.md | grep '^| `' >"$folder/nets"
while IFS='|' read -r _ words _ count _; do
    words=${words//[\` ]/}
    count=${count//[, ]/}
    counts+=" $count"
    expect 0 ", $count parameters" net new --arch "$words" "$folder/net.aji"
    expect 0 "the 26 planes of the program GoNN" net info "$folder/net.aji"
    also "size      $count parameters"
done <"$folder/nets"
[ "$counts" = ' 3597792 8250720 8057424 10950416' ] || fault "the table has the counts$counts"
exit $((faults > 0))
