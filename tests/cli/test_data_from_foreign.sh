#!/bin/bash
# `aji data from-leela-zero` and `from-lc0` make rows of other programs' training files, name what they cannot use, go on after
# a kill, and `aji train` learns from the rows.
. tests/command.sh

# leela FIRST LAST TURNS: prints one game for each number from FIRST to LAST, as text in Leela
# Zero's format. In this format, each position takes 19 lines. No two stones of a game touch, so
# that no stone is captured.
leela() {
    awk -v first="$1" -v last="$2" -v turns="$3" '
    # plane(side, back): the stones of turns side, side + 2, ... that were played `back` turns ago or earlier
    function plane(t, own, back,   i, k, line, digit) {
        split("", board)
        for (i = 0; i < t - back; i++) if ((t - i) % 2 == (own ? 0 : 1)) board[at[i]] = 1
        line = ""
        for (i = 0; i < 360; i += 4) {
            digit = 8 * (i in board) + 4 * (i + 1 in board) + 2 * (i + 2 in board) + (i + 3 in board)
            line = line substr("0123456789abcdef", digit + 1, 1)
        }
        print line (360 in board)
    }
    BEGIN {
        for (seed = first; seed <= last; seed++) {
            for (i = 0; i < turns; i++) {
                point = (i * 37 + seed) % 100
                at[i] = int(point / 10) * 38 + point % 10 * 2
            }
            for (t = 0; t < turns; t++) {
                for (own = 1; own >= 0; own--) for (back = 0; back < 8; back++) plane(t, own, back)
                print t % 2
                for (i = 0; i < 362; i++) printf "%s%s", i == at[t] ? "0.75" : i == 361 ? "0.25" : "0", i < 361 ? " " : "\n"
                print (seed + t) % 2 ? 1 : -1
            }
        }
    }'
}
mkdir "$folder/lz" "$folder/tar"
for i in 0 1 2 3; do leela $((2 * i)) $((2 * i + 1)) 20 | gzip -1 >"$folder/lz/train.$i.gz"; done
for i in 10 11; do leela $i $i 20 | gzip -1 >"$folder/tar/train.$i.gz"; done
tar -cf "$folder/lz/more.tar" -C "$folder/tar" .
leela 3 3 20 >"$folder/lz/again.txt"
leela 20 20 20 | head -n 200 >"$folder/lz/cut.txt"
head -c 3000 /dev/urandom >"$folder/lz/noise.txt"
: >"$folder/lz/empty.gz"
line() { printf '%-44s %12d' "$1" "$2"; }
expect 0 "$(line 'whole games' 10)" data from-leela-zero "$folder/lz" --out "$folder/rows" --set rows.validation=0.3 --set rows.shard_rows=64
also "$(line duplicates 1)"
also "$(line 'pieces of games' 1)"
also "$(line rows 210)"
for name in cut.txt noise.txt empty; do
    grep -qF "$name" "$folder/rows/problems.txt" || fault "problems.txt does not name $name"
done
expect 0 'with 210 rows are whole' data check "$folder/rows"
expect 0 '19x19' data stats "$folder/rows/train"
expect 0 'policy target, per mille' data show "$folder/rows/train/000000.npz"
expect 2 'has rows of other games or settings' data from-leela-zero "$folder/lz" --out "$folder/rows" --set positions.komi=6.5

# A net learns from the rows.
expect 0 'best.aji: after' train "$folder/rows/train" --validation "$folder/rows/validation" --arch b1c8 --samples 32 \
    --epochs 1 --out "$folder/net" --set loader.batch=8

expect 1 'there is no training file of Leela Zero' data from-leela-zero "$folder/rows/train" --out "$folder/none"
expect 1 'no game is left' data from-leela-zero "$folder/lz/noise.txt" --out "$folder/none"
expect 2 'positions.komi is 7.3, wanted a multiple of 0.5' data from-leela-zero "$folder/lz" --out "$folder/none" --set positions.komi=7.3
expect 0 'positions.rules' data from-leela-zero --help
expect 0 'from-lc0' data --help

# A record of chess, and an unknown version, are refused by name.
{ printf '\6\0\0\0\1\0\0\0'; head -c 8348 /dev/zero; } >"$folder/chess.chunk"
expect 1 'no game is left' data from-lc0 "$folder/chess.chunk" --out "$folder/chess"
grep -qF 'a record of chess: its input format is not 361' "$folder/chess/problems.txt" || fault 'chess is not named'
{ printf '\10\0\0\0'; head -c 8392 /dev/zero; } >"$folder/v8.chunk"
expect 1 'no game is left' data from-lc0 "$folder/v8.chunk" --out "$folder/v8"
grep -qF 'version 8; versions 3 to 7 are read' "$folder/v8/problems.txt" || fault 'version 8 is not named'

# Even if the command is killed several times, the rows are the same in the end.
leela 100 180 60 | gzip -1 >"$folder/large.gz"
work=(data from-leela-zero "$folder/large.gz" --set rows.shard_rows=50 --set rows.pool_rows=500)
"$aji" "${work[@]}" --out "$folder/clean" >"$folder/out" 2>&1 || fault 'no rows of the large file'
for seconds in 0.05 0.2 0.5; do
    "$aji" "${work[@]}" --out "$folder/killed" >/dev/null 2>&1 &
    sleep $seconds
    kill -9 $! && wait $! 2>/dev/null
done
"$aji" "${work[@]}" --out "$folder/killed" >"$folder/out" 2>&1 || fault 'a killed run does not go on'
diff -r "$folder/clean" "$folder/killed" >"$folder/out" || fault 'a killed run has other files'
exit $faults
