#!/bin/bash
# `aji data from-sgf` makes rows from archives and folders of games, names what it cannot use, goes on after a kill, and
# `aji train` learns from the rows.
. tests/command.sh

# games FIRST LAST [HEAD]: prints a game for each number from FIRST to LAST, one on a line. It has 24 moves on different points of
# a 7x7 board; HEAD is added to its properties.
games() {
    awk -v first="$1" -v last="$2" -v head="${3:-}" 'BEGIN {
        for (seed = first; seed <= last; seed++) {
            printf "(;%sGM[1]SZ[7]KM[7.5]RU[Chinese]RE[B+R]BR[%dd]WR[1k]", head, seed % 9 + 1
            step = 10 + int(seed / 49) % 39
            if (step % 7 == 0) step = 5
            for (i = 0; i < 24; i++) {
                point = (i * step + seed) % 49
                printf ";%s[%c%c]", i % 2 ? "W" : "B", 97 + point % 7, 97 + int(point / 7)
            }
            print ")"
        }
    }'
}
mkdir "$folder/games" "$folder/more"
games 0 19 >"$folder/games/a.sgfs"
for seed in {20..29}; do games $seed $seed >"$folder/more/$seed.sgf"; done
tar -czf "$folder/games/b.tar.gz" -C "$folder/more" .
head -c 300 "$folder/games/b.tar.gz" >"$folder/games/c.tar.gz"
: >"$folder/games/empty.sgf"
head -c 2000 /dev/urandom >"$folder/games/noise.sgf"
games 48 48 | gzip >"$folder/games/d.sgf.gz"
games 3 3 >"$folder/games/again.sgf"

expect 0 'games kept                                   31' data from-sgf "$folder/games" --out "$folder/rows" \
    --set rows.validation=0.2 --set rows.shard_rows=100 --set rows.pool_rows=300
also 'duplicates'
also 'rows                                        744'
for name in c.tar.gz empty.sgf noise.sgf; do
    grep -qF "$name" "$folder/rows/problems.txt" || fault "problems.txt does not name $name"
done
expect 0 'with 744 rows are whole' data check "$folder/rows"
expect 0 '7x7' data stats "$folder/rows/train"
also 'with a policy target           '
expect 0 'policy target, per mille' data show "$folder/rows/train/000000.npz"

# The same command finds its work done. A command with other settings for the same folder is refused.
sum=$(cat "$folder"/rows/*/*.npz "$folder"/rows/*.* | cksum)
expect 0 'games kept' data from-sgf "$folder/games" --out "$folder/rows" \
    --set rows.validation=0.2 --set rows.shard_rows=100 --set rows.pool_rows=300
[ "$sum" = "$(cat "$folder"/rows/*/*.npz "$folder"/rows/*.* | cksum)" ] || fault 'a second call changed the files'
expect 2 'has rows of other games or settings' data from-sgf "$folder/games" --out "$folder/rows"

# Filters
expect 0 'games dropped by rank' data from-sgf "$folder/games" --out "$folder/strong" --set filter.min_rank=9d
expect 1 'no game is left' data from-sgf "$folder/games" --out "$folder/none" --set filter.sizes=19
expect 2 'is no rank such as' data from-sgf "$folder/games" --out "$folder/wrong" --set filter.min_rank=best
expect 2 'filter.sources: "KSG" is none of KGS, OGS, Fox' data from-sgf "$folder/games" --out "$folder/wrong" \
    --set filter.sources=KGS,KSG
expect 1 'no game is left' data from-sgf "$folder/games" --out "$folder/kgs" --set filter.sources=KGS
rm -r "$folder/kgs"
games 0 4 'PC[The KGS Go Server]' >"$folder/kgs.sgfs"
expect 0 'games dropped by source' data from-sgf "$folder/games" "$folder/kgs.sgfs" \
    --out "$folder/kgs" --set filter.sources=KGS,Fox
also 'games kept                                    5'
also 'rank of the opponent'
grep -qF 'filter.sources = "KGS,Fox"' "$folder/kgs/settings.cfg" || fault 'settings.cfg does not name the sources'
# Earlier versions did not have this setting. So that their folders can be continued, it is not named if it is empty.
! grep -q sources "$folder/rows/settings.cfg" || fault 'settings.cfg names the sources without need'
expect 1 'there is no such file or folder' data from-sgf "$folder/nowhere" --out "$folder/wrong"
expect 1 'there is no file of games' data from-sgf "$folder/rows/train" --out "$folder/wrong"
expect 2 'usage' data from-sgf
# A net plays finished games on. For the same folder, calls with another net or without a net are
# then refused.
games 1 20 >"$folder/few.sgfs"
"$aji" net new "$folder/tiny.aji" --arch b1c8-fixup-nodist >"$folder/out"
expect 0 '' data from-sgf "$folder/few.sgfs" --out "$folder/played" --set rows.net="$folder/tiny.aji"
grep -q '^rows.net_hash = "[0-9a-f]' "$folder/played/settings.cfg" || fault 'the settings do not name the net'
cp "$folder/tiny.aji" "$folder/copy.aji" # the same net by another name
expect 0 '' data from-sgf "$folder/few.sgfs" --out "$folder/played" --set rows.net="$folder/copy.aji"
"$aji" net new "$folder/copy.aji" --arch b1c16-fixup-nodist >"$folder/out"
expect 2 'other games or settings' data from-sgf "$folder/few.sgfs" --out "$folder/played" --set rows.net="$folder/copy.aji"
mkdir "$folder/run"
echo '# a run' >"$folder/run/run.cfg"
expect 2 'name another folder' data from-sgf "$folder/few.sgfs" --out "$folder/run"
expect 2 'name another folder' train "$folder/played/train" --out "$folder/run" --arch b1c8-fixup-nodist
expect 2 'a run needs a folder of its own' learn --run "$folder/played" --time 1s
expect 2 'other games or settings' data from-sgf "$folder/few.sgfs" --out "$folder/played"
expect 1 'missing.aji' data from-sgf "$folder/few.sgfs" --out "$folder/wrong" --set rows.net="$folder/missing.aji"
expect 1 'few.sgfs' data from-sgf "$folder/few.sgfs" --out "$folder/wrong" --set rows.net="$folder/few.sgfs"
[ ! -e "$folder/wrong" ] || fault 'a folder was made for a net that is missing'
expect 0 'filter.min_rank' data from-sgf --help
[ "$(grep -o 'rows[.][*]' "$folder/out" | wc -l)" = 1 ] || fault 'a group of settings is listed twice'

# The recorded result agrees with the board only if a stone is dead. Random games find that it is.
black='AB[ba][da][ab][bb][cb][db][dc][dd][de][af][bf][cf][df][bg][dg][gd]'
white='AW[ea][ga][eb][fb][gb][ec][ed][ee][ef][ff][gf][eg][gg][bd]'
echo "(;SZ[7]RU[Chinese]KM[0.5]RE[B+6.5]$black${white}PL[B];B[];W[])" >"$folder/dead.sgf"
owned=$(printf '%-34s %12d' '  with ownership and score' 0)
expect 0 "$owned" data from-sgf "$folder/dead.sgf" --out "$folder/alive" --set rows.validation=0
expect 0 "$(printf '%-34s %12d' '  of these with dead stones found' 1)" data from-sgf "$folder/dead.sgf" --out "$folder/dead" --set rows.validation=0 \
    --set rows.playouts=100 --set filter.max_handicap=20
also "${owned%0}2"
expect 0 'with score and owners            2' data stats "$folder/dead/train"

# A net learns from the rows.
expect 0 'best.aji: after' train "$folder/rows/train" --validation "$folder/rows/validation" --arch b1c8 --samples 64 \
    --epochs 2 --out "$folder/net" --set loader.batch=16

# Rows may have targets of each point, which a net learns if it has their heads.
expect 0 ' rows' data from-sgf "$folder/games" --out "$folder/points" --set rows.next_occupant=true \
    --set rows.time_on_board=true --set rows.same_chain=true
expect 0 'best.aji: after' train "$folder/points/train" --arch b1c8-next_occupant-time_on_board-same_chain --samples 64 --epochs 2 \
    --out "$folder/points-net" --set loader.batch=16 --set objective.next_occupant=1 --set objective.time_on_board=1 \
    --set objective.same_chain=1
expect 0 'loss.next_occupant' net metrics "$folder/points-net/best.aji" "$folder/points/train"
also 'loss.time_on_board'
also 'loss.same_chain'

# Even if the command is killed several times, the rows are the same in the end.
games 0 1900 'C[a larger file]' >"$folder/large.sgfs"
work=(data from-sgf "$folder/large.sgfs" --set rows.shard_rows=50 --set rows.pool_rows=200)
"$aji" "${work[@]}" --out "$folder/clean" >"$folder/out" 2>&1 || fault 'no rows of the large file'
for seconds in 0.02 0.1 0.3; do
    "$aji" "${work[@]}" --out "$folder/killed" >/dev/null 2>&1 &
    sleep $seconds
    kill -9 $! && wait $! 2>/dev/null
done
"$aji" "${work[@]}" --out "$folder/killed" >"$folder/out" 2>&1 || fault 'a killed run does not go on'
diff -r "$folder/clean" "$folder/killed" >"$folder/out" || fault 'a killed run has other files'
exit $faults
