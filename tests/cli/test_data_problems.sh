#!/bin/bash
# `aji data problems` finds positions of games whose move a strong net plays and weaker nets miss.
. tests/command.sh

"$aji" net new --arch b1c8 --seed 1 "$folder/strong.aji" >/dev/null || exit 1
"$aji" net new --arch b1c8 --seed 2 "$folder/weak.aji" >/dev/null || exit 1
# Games in which both sides play the likeliest move of the strong net; the second file has them again.
"$aji" match "$folder/strong.aji,visits=1,search.temperature=0,search.temperature_early=0" \
    "name=same,$folder/strong.aji,visits=1,search.temperature=0,search.temperature_early=0" \
    --size 5 --komi 0 --games 6 --opening 3 --out "$folder/games" >/dev/null 2>&1 || exit 1
mkdir "$folder/twice"
cp "$folder/games/game-00000.sgf" "$folder/twice/a.sgf"
cp "$folder/games/game-00000.sgf" "$folder/twice/b.sgf"
all=(--ranks "weak=$folder/weak.aji,high=$folder/strong.aji" --strong "best=$folder/strong.aji"
    --set problem.min_probability=0 --set problem.min_score=0 --set problem.max_score=1
    --set problem.better_at_min=0 --set problem.better_at_max=0 --set problem.first_turn=3
    --set problem.last_turns=0)

expect 0 "problems.sgfs: written" data problems "$folder/games" "${all[@]}" --out "$folder/problems.sgfs"
also "games                     6"
also "  for weak"
found=$(awk '/^problems / { print $2 }' "$folder/out")
[ "$found" -gt 3 ] && [ "$(wc -l <"$folder/problems.sgfs")" = "$found" ] ||
    fault "$found problems, but another number of lines"
grep -q 'problem for weak; [BW][a-z]* to move; answers [A-E][1-5] 1 (probability 0.*expected scores weak 0' \
    "$folder/problems.sgfs" || fault "no comment has the answer"

# The file can be read by `aji eval`, and the answer is the likeliest move of the strong net.
answer=$(sed -n '2s/.*answers \([A-E][1-5]\) 1 .*/\1/p' "$folder/problems.sgfs")
expect 0 '"move_count": ' eval "$folder/strong.aji" "$folder/problems.sgfs" --game 2 --json
command -v python3 >/dev/null 2>&1 && { python3 - "$folder/out" "$answer" <<'PYTHON' || fault "the answer is not the best move"; }
import json, sys
text = open(sys.argv[1]).read()
policy = json.loads(text[text.index("{"):])["evaluation"]["policy"]
best = max(range(26), key=lambda i: policy[i])
name = "pass" if best == 25 else "ABCDE"[best % 5] + str(5 - best // 5)
sys.exit(name != sys.argv[2])
PYTHON

# The same games again give the same problems; a game that occurs twice gives its problems once.
"$aji" data problems "$folder/games" "${all[@]}" --out "$folder/again.sgfs" >/dev/null
cmp -s "$folder/problems.sgfs" "$folder/again.sgfs" || fault "the problems differ from call to call"
"$aji" data problems "$folder/twice/a.sgf" "${all[@]}" --out "$folder/once.sgfs" >/dev/null
expect 0 "duplicates" data problems "$folder/twice" "${all[@]}" --out "$folder/twice.sgfs"
cmp -s "$folder/once.sgfs" "$folder/twice.sgfs" || fault "duplicates are kept"

# moves FILE: prints, for each game of the file, how many moves it has
moves() { sed 's/C\[[^]]*\]//' "$1" | awk '{ print gsub(/;[BW]\[/, "") }'; }
# The first and the last turns of a game are left out. An answer is played in the turn after the
# moves of its problem.
turns=$(moves "$folder/twice/a.sgf")
"$aji" data problems "$folder/twice/a.sgf" "${all[@]}" --set problem.first_turn=0 --out "$folder/whole.sgfs" >/dev/null
for limits in "7 0" "0 9" "7 9"; do
    read -r first last <<<"$limits"
    expect 0 "$(printf 'positions %17d' $((turns - first - last)))" data problems "$folder/twice/a.sgf" "${all[@]}" \
        --set problem.first_turn="$first" --set problem.last_turns="$last" --out "$folder/limited.sgfs"
    moves "$folder/whole.sgfs" | awk -v first="$first" -v end=$((turns - last)) '$1 >= first && $1 < end' >"$folder/wanted"
    moves "$folder/limited.sgfs" | cmp -s - "$folder/wanted" || fault "problems of other turns with the limits $limits"
    [ -s "$folder/wanted" ] || fault "no problem with the limits $limits"
done

# The probability of the answer is the mean over the symmetries 0 to 3 or 4 to 7. Here only one
# position is judged, and the minimum lies just below or just above this mean.
# kept MINIMUM: prints 1 if the answer reaches the minimum
at=$(moves "$folder/once.sgfs" | sed -n 2p)
answer=$(sed -n '2s/.*answers \([A-E][1-5]\) 1 .*/\1/p' "$folder/once.sgfs")
sed -n 2p "$folder/once.sgfs" >"$folder/one.sgf"
kept() {
    "$aji" data problems "$folder/twice/a.sgf" "${all[@]}" --set problem.first_turn="$at" \
        --set problem.last_turns=$((turns - at - 1)) --set problem.min_probability="$1" --out "$folder/none.sgfs" |
        awk '/^problems / { print $2 }'
}
printf 'loadsgf %s\nkata-raw-nn all\n' "$folder/one.sgf" | "$aji" gtp "$folder/strong.aji" 2>/dev/null |
    awk -v answer="$answer" '
        /^policy$/ { row = 5; next }
        row > 0 { if (row-- == substr(answer, 2)) p[n++] = $(index("ABCDE", substr(answer, 1, 1))) }
        END { print (p[0] + p[1] + p[2] + p[3]) / 4, (p[4] + p[5] + p[6] + p[7]) / 4, n }' >"$folder/means"
read -r low high count <"$folder/means"
[ "$count" = 8 ] || fault "$count symmetries"
found=
for mean in "$low" "$high"; do
    found="$found $(kept "$(awk -v p="$mean" 'BEGIN { print p - 5e-6 }')")$(kept "$(awk -v p="$mean" 'BEGIN { print p + 5e-6 }')")"
done
case $found in
" 10 "[01]* | " "[01][01]" 10") ;;
*) fault "the probability of $answer is no mean over four symmetries:$found" ;;
esac

# Filters, and wrong arguments.
expect 0 "games                     0" data problems "$folder/games" "${all[@]}" --out "$folder/none.sgfs" \
    --set filter.sizes=19
expect 2 '"5k" needs --net' data problems "$folder/games" --ranks 5k,1d --out "$folder/none.sgfs"
expect 1 "not trained on games of players with ranks" data problems "$folder/games" --net "$folder/weak.aji" \
    --ranks 5k,1d --out "$folder/none.sgfs"
expect 2 "at least two ranks" data problems "$folder/games" --ranks "a=$folder/weak.aji" --out "$folder/none.sgfs"
expect 2 "above problem.max_score" data problems "$folder/games" "${all[@]}" --set problem.max_score=0 \
    --set problem.min_score=0.5
expect 1 "No such file" data problems "$folder/games" --ranks "a=$folder/none.aji,b=c" --out "$folder/none.sgfs"

echo "$faults faults"
[ "$faults" = 0 ]
