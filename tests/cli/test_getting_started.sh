#!/bin/bash
# Runs the commands in all "sh" blocks of docs/GETTING-STARTED.md in the order of the page, but with
# a run of one small net, and with fewer visits and games. A block that names a program after its
# language ("sh gnugo") is run only if that program is installed.
. tests/command.sh

build=$(realpath "$aji") configs=$(realpath configs)
awk '
/^```/ { inside = 0 }
inside && wanted { print }
/^```sh/ { inside = 1; wanted = !$2 || !system("command -v " $2 " >/dev/null 2>&1 || test -x /usr/games/" $2) }' docs/GETTING-STARTED.md >"$folder/page"

quick='--set run.nets=1 --set run.threads=1 --set run.arch=b1c8-fixup-nodist --set run.rows_first=60 --set run.rows_cycle=60'
quick+=' --set selfplay.full.visits=8 --set selfplay.cheap.visits=4 --set selfplay.games_at_once=2 --set run.cache_mb=1'
sed -e "s/learn --time 10m/learn --time 2m $quick/" -e 's/visits\([ =]\)[0-9]*/visits\18/' -e 's/--games 20/--games 2/' \
    "$folder/page" >"$folder/commands"
cmp -s "$folder/page" "$folder/commands" && fault 'nothing of the page was made shorter'
[ "$(grep -c '\./aji ' "$folder/commands")" -ge 12 ] || fault 'the page has hardly any command'

mkdir "$folder/clone"
ln -s "$build" "$folder/clone/aji"
ln -s "$configs" "$folder/clone/configs"
(
    cd "$folder/clone" || exit 1
    PATH=$PATH:/usr/games timeout 200 bash -eux -o pipefail ../commands >../out 2>../err
) || fault 'a command of docs/GETTING-STARTED.md failed'

# All these files, which the page promises, must exist.
for path in aji-run-7/report/index.html aji-run-7/run.cfg board.svg pictures/norms.svg; do
    [ -s "$folder/clone/$path" ] || fault "no $path"
done
for text in 'residual' '= ' 'score of the first' 'policy, per mille' 'ownership' '"moveInfos"' 'search.forced_playouts'; do
    grep -qF -e "$text" "$folder/out" || fault "no \"$text\" in what the commands print"
done
exit $((faults > 0))
