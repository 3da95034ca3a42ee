#!/bin/bash
# `aji review`: table, graphs and key moves of a game, its SGF with the analysis in it, JSON, games of a collection.
. tests/command.sh

program=$(realpath "$aji")
review() { # WORDS...: runs `aji review`; what it prints goes to $folder/out, its messages to $folder/err
    (cd "$folder" && timeout 100 "$program" review "$@" >out 2>err) || fault "review $*: exit code $?"
}
says() { grep -qF -e "$1" "$folder/err" || fault "stderr has no \"$1\""; }
has() { grep -qF -e "$2" "$folder/$1" || fault "$1 has no \"$2\""; }

# White can take three stones, and does not; see tests/protocol/test_review.c. The uniform evaluator sees only the end of a game.
printf '%s' '(;SZ[5]KM[0]PB[Ann]PW[Bob]RU[Chinese]AW[bc][cc][dc][be][ce][de][ad]AB[bd][cd][dd]PL[W]C[hello]' \
    ';W[aa](;B[ed]C[mine];W[ba])(;B[ea];W[ed]))' >"$folder/game.sgf"
review uniform game.sgf --visits 20
for text in 'Ann - Bob; 5x5, komi 0, rules Chinese; result unknown' ' move  played   Black    lead   lost     best' '    1  W A5 ' \
    '    3  W B5 ' "Black's win rate by move" 'Lead in points by move' 'Key moves' 'White  2 moves; lost'; do has out "$text"; done
says 'position 4 of 4'
says 'the game with its review is in game-review.sgf'
for text in 'C[hello' 'Reviewed by Aji with the net uniform' 'C[mine' '(;B[ea];W[ed])' 'SBKV[' 'V[' '(20 visits)' 'AB[bd][cd][dd]'; do
    has game-review.sgf "$text"
done
[ "$(tr -cd '(' <"$folder/game-review.sgf" | wc -c)" -ge 3 ] || fault 'the variations are lost'
expect 0 'after move 3' eval uniform "$folder/game-review.sgf" # the file with the analysis can be read like any game
grep -qxF '(;SZ[5]KM[0]PB[Ann]PW[Bob]RU[Chinese]AW[bc][cc][dc][be][ce][de][ad]AB[bd][cd][dd]PL[W]C[hello];W[aa](;B[ed]C[mine];W[ba])(;B[ea];W[ed]))' \
    "$folder/game.sgf" || fault 'the game itself has changed'

# A net of its own; a graph as wide as the terminal; boards of the key moves; --out.
(cd "$folder" && "$program" net new net.aji --arch b1c8-fixup-nodist) >"$folder/out" 2>&1 || fault 'the net was not made'
COLUMNS=40 review net.aji game.sgf --visits 5 --mistake 0.1 --boards --out other.sgf --threads 2
has out 'lead'
[ -s "$folder/other.sgf" ] || fault '--out writes nothing'
mkdir "$folder/nets"
mv "$folder/net.aji" "$folder/nets/5x5-made.aji"
review game.sgf --visits 2 --out none
says 'position 4 of 4'
if grep -q 'is in' "$folder/err"; then fault '--out none writes a file'; fi

# JSON.
review uniform game.sgf --visits 5 --json
for text in '"turns": [' '"key_moves": [' '"black_winrate": 0.5' '"played": "A5"' '"best_line": [' '"points_lost"' '"net": "uniform"' '"players": {'; do
    has out "$text"
done
if command -v python3 >/dev/null 2>&1; then
    python3 -c 'import json,sys; r = json.load(open(sys.argv[1])); assert len(r["turns"]) == 4 and r["turns"][3]["mover"] == "B"' "$folder/out" ||
        fault 'the JSON is wrong'
fi

# Collections, stdin, charsets, games with an error.
printf '(;SZ[5];B[aa])\n(;SZ[5]CA[ISO-8859-1]PB[J\366rg];B[bb];W[cc])\n' >"$folder/many.sgf"
review uniform many.sgf --visits 2
says 'has 2 games'
review uniform many.sgf --visits 2 --game 2
has out 'Jörg - White'
has many-2-review.sgf 'CA[UTF-8]PB[Jörg]'
review uniform - --visits 2 --out stdin.sgf <"$folder/game.sgf"
has stdin.sgf 'Reviewed by Aji'
printf '(;SZ[5];B[aa];W[aa];B[bb])' >"$folder/illegal.sgf"
review uniform illegal.sgf --visits 2
says 'move 2 cannot be played'
printf '(;SZ[5])' >"$folder/empty.sgf"
review uniform empty.sgf --visits 2
has out '    0'

# A review that is stopped shows the part that is done.
printf '(;SZ[9];B[ee];W[ec];B[gc])' >"$folder/long.sgf"
: >"$folder/err" # the loop below must not find the progress of an earlier review
(cd "$folder" && exec "$program" review uniform long.sgf --time 3s >out 2>err) &
child=$!
for ((i = 0; i < 600; i++)); do
    grep -q 'position 1 of' "$folder/err" && break
    sleep 0.1
done
kill -TERM "$child"
wait "$child"
code=$?
[ "$code" = 130 ] || fault "a stopped review: exit code $code"
has out '    1  B E5'
says 'only a part is reviewed'

# Wrong use.
expect 2 'a game is missing' review
expect 2 'one word too many' review --net uniform a.sgf b.sgf
expect 2 "a game is missing: aji review $folder game.sgf" review "$folder"
expect 2 "the net comes first: aji review n.aji a.sgf" review a.sgf n.aji
expect 1 'nothing.sgf' review uniform nothing.sgf
expect 1 'nothing.aji' review nothing.aji "$folder/game.sgf"
expect 2 'beyond its end' review uniform "$folder/game.sgf" --game 2
expect 2 'is the game itself' review uniform "$folder/game.sgf" --visits 2 --out "$folder/game.sgf"
expect 1 "--out: cannot write $folder/nowhere/out.sgf" review uniform nothing.sgf --out "$folder/nowhere/out.sgf"
expect 1 "--out: " review uniform "$folder/game.sgf" --visits 2 --out "$folder"
expect 0 "the game with its review is in $folder/new.sgf" review uniform "$folder/game.sgf" --visits 2 --out "$folder/new.sgf"
if grep -q 'was replaced' "$folder/out"; then fault 'a new file was replaced'; fi
expect 0 "the game with its review is in $folder/new.sgf, in place of an older file" review uniform "$folder/game.sgf" --visits 2 --out "$folder/new.sgf"
expect 2 'needs a limit of time' review uniform "$folder/game.sgf" --visits 0
printf '(;SZ[3];B[bb])' >"$folder/tiny.sgf"
(cd "$folder" && "$program" review tiny.sgf) >"$folder/out" 2>&1 && fault 'aji review finds a net for 3x3, although there is none'
also 'the folders of nets have no net for 3x3 (only for 5x5'
expect 0 'aji review RUN game.sgf' review --help
exit $((faults > 0))
