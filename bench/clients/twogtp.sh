#!/bin/bash
# Lets Aji and another GTP program play games by GoGui's gogui-twogtp, which checks every move on its own board. GNU Go is
# the referee. Fails if a game has an error, or if fewer or more than GAMES games were played.
#   twogtp.sh OUT GAMES SIZE KOMI 'AJI gtp --net NET ...' ['OPPONENT' [TWOGTP OPTIONS...]]
# OUT is a file name without ending. $TWOGTP is GoGui's program; if it is not set, gogui-twogtp is found in the path.
set -eu
[ $# -ge 5 ] || { sed -n 2,5p "$0" >&2; exit 2; }
PATH=$PATH:/usr/games
out=$1 games=$2 size=$3 komi=$4 aji=$5
gnugo='gnugo --mode gtp --chinese-rules --capture-all-dead'
opponent=${6:-$gnugo --level 10}
shift $(($# < 6 ? $# : 6))
${TWOGTP:-gogui-twogtp} -black "$aji" -white "$opponent" -referee "$gnugo" -games "$games" -size "$size" -komi "$komi" \
    -alternate -auto -force -sgffile "$out" "$@"
awk -F'\t' -v wanted="$games" '
    /^#/ { next }
    { games++; moves += $7; errors += $12; if ($2 != $3) differ++; if ($12) print "error in game " $1 ": " $13
      if ($2 ~ /^B/) won++; if ($2 ~ /R$/) resigned++; if ($6 != "-") alike++ }
    END { printf "%d games, %d moves, %d errors; Aji won %d (%d of all ended by resigning); %d results on which the programs disagree, %d repeated games\n",
              games, moves, errors, won, resigned, differ, alike
          exit games != wanted || errors }' "$out.dat"
