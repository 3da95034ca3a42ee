#!/bin/bash
# `aji play`: from a pipe, where words are read line by line, and in a terminal, where keys are read one by one.
. tests/command.sh
absolute=$(realpath "$aji")

# play WORDS OPTION...: plays with the words as lines of the input
play() {
    local words=$1
    shift
    printf '%b' "$words" | timeout 100 "$aji" play uniform --visits 4 "$@" >"$folder/out" 2>"$folder/err" || fault "aji play $*: exit code $?"
}
game() { grep -qF -e "$1" "$folder/game.sgf" || fault "no \"$1\" in the game"; }

# A game with the words that the help lists, up to resignation. The program answers each move.
play 'C3\nC2\nnonsense\nC3\nZ1\nA77\nundo\nC2\nhint\nscore\nboard\nresign\n' --size 5 --game "$folder/game.sgf"
for text in 'Black, move 1> ' 'White (Aji uniform) plays' '"nonsense" is neither' 'C3 is occupied' "Black's win rate, lead" \
    'If play went on' 'White wins' '2 moves were taken back' 'Black X  person' 'game over> '; do also "$text"; done
if grep -q $'\033' "$folder/out"; then fault 'a pipe gets escape sequences'; fi
game 'RE[W+R]'
game 'PB[person]PW[Aji uniform]'

# With --color none the program plays both sides, until two passes.
play 'score\n' --size 3 --color none --komi 0.5 --seed 1 --game "$folder/watch.sgf"
also 'The game is over. '
[ "$(grep -c 'passes\.$' "$folder/out")" -ge 2 ] || fault 'two passes do not end the game'
grep -q 'RE\[[BW]+' "$folder/watch.sgf" || fault 'the game of the program against itself has no result'

# The person passes at every turn, until the program passes too.
play "$(printf 'pass\\n%.0s' {1..40})" --size 3 --seed 1 --game "$folder/passes.sgf"
also 'White (Aji uniform) passes.'
also 'The game is over. '
also 'x is Black'
grep -q 'RE\[[BW]+' "$folder/passes.sgf" || fault 'the game in which the person only passed has no result'

# Two people, to the end. The uniform evaluator knows no dead stones.
play 'C1\nD1\nC2\nD2\nC3\nD3\nC4\nD4\nC5\nD5\npass\npass\ndead E1\nquit\n' --size 5 --color both --game "$folder/both.sgf"
also 'White wins by 2.5 points.' # 10 + 7.5 - 15
also 'x x X O o'
also 'There is no stone.'
grep -qF 'RE[W+2.5]' "$folder/both.sgf" || fault 'the game of two people has no result'

# The input ends in the middle of a game. A later call continues the game.
rm "$folder/game.sgf"
play 'C3' --size 5 --komi 3.5 --rules japanese --game "$folder/game.sgf"
game 'KM[3.5]RU[Japanese]'
[ "$(tr -cd ';' <"$folder/game.sgf" | wc -c)" = 3 ] || fault 'the saved game does not have two moves'
cp "$folder/game.sgf" "$folder/before.sgf"
play 'board\n' --game "$folder/game.sgf"
for text in 'Move 2: White' '5x5, komi 3.5' 'Japanese rules' 'Black, move 3> '; do also "$text"; done
cmp -s "$folder/game.sgf" "$folder/before.sgf" || fault 'a game to which no move was added has changed'
play 'undo\nundo\nD4\n' --game "$folder/game.sgf"
game ';B[db]'

# A game that is continued keeps its board, komi, rules and players. A message says which options do not count.
play 'quit\n' --game "$folder/game.sgf" --size 9 --komi 0.5 --rules chinese --handicap 2 --color white
also 'Its own board, komi, rules, handicap and players count, not those of --size, --komi, --rules, --handicap and --color.'
also 'game.sgf has 2 moves and goes on.'
also '5x5, komi 3.5'
also 'Black X  person'
play 'quit\n' --game "$folder/game.sgf" --size 5 --komi 3.5 --rules japanese --color black
if grep -q 'Its own' "$folder/out"; then fault 'options that agree with the game are called ignored'; fi
play 'quit\n' --load "$folder/game.sgf" --game "$folder/komi.sgf" --komi 7.5
also 'Its own komi counts, not that of --komi.'

# A change of sides in a game that is continued is saved.
play 'switch\nswitch\n' --game "$folder/game.sgf"
game 'PB[person]PW[Aji uniform]'
play 'switch\n' --game "$folder/game.sgf"
game 'PB[Aji uniform]PW[person]'
play 'quit\n' --game "$folder/game.sgf"
also 'White O  person'

# If a resignation of the program is taken back, the program resigns no more.
play 'C3\nundo\n' --size 5 --seed 1 --set resign.threshold=0 --set resign.turns=1 --game "$folder/resigned.sgf"
[ "$(grep -c 'resigns' "$folder/out")" = 1 ] || fault 'the program does not resign exactly once'
also 'Black, move 3> '

# No file of another game is overwritten, and the last line names the file of the last game.
echo 'no game' >"$folder/other.sgf"
expect 1 'no game: "(;" was not found' play uniform --size 5 --game "$folder/other.sgf"
if grep -q 'the game is in' "$folder/out"; then fault 'a file that was not read is named'; fi
expect 2 'exists; with --load, --game must name a new file' play uniform --load "$folder/before.sgf" --game "$folder/other.sgf"
expect 1 'No such file or directory' play uniform --size 5 --game "$folder/nothing/game.sgf"
mkdir "$folder/directory.sgf"
expect 1 'directory.sgf is a directory' play uniform --size 5 --game "$folder/directory.sgf"
play 'C3\nnew\nD4\n' --size 5 --game "$folder/renewed.sgf"
grep -qF "the game is in $folder/renewed-2.sgf" "$folder/err" || fault 'the last line does not name the last game'

# If the file of --game cannot be written, the program says so at the start and ends. If there is no
# --game and the folder cannot be written, the program says so at the start, and the game goes on
# without a file.
expect 1 'cannot write /proc/game.sgf' play uniform --size 5 --game /proc/game.sgf
(cd /proc && printf 'C3\n' | timeout 100 "$absolute" play uniform --size 5 --visits 2) >"$folder/out" 2>&1 || fault 'no game can be played in a folder that cannot be written'
also 'The game is not saved: cannot write aji-'
also 'Type "save" and the name of a file in another folder.'
also 'move 3> '
[ "$(grep -c 'saved' "$folder/out")" = 1 ] || fault 'a game without a file is said to be saved'
if [ "$(id -u)" != 0 ]; then
    cp "$folder/watch.sgf" "$folder/read-only.sgf"
    chmod a-w "$folder/read-only.sgf"
    expect 1 'read-only.sgf is read-only' play uniform --size 5 --game "$folder/read-only.sgf"
fi

# A file with variations or with two games is not written.
for text in '(;SZ[5];B[cc](;W[bb])(;W[dd]))' '(;SZ[5];B[cc];W[bb])(;SZ[9];B[cc])'; do
    rm -f "$folder"/many*.sgf
    echo "$text" >"$folder/many.sgf"
    play 'D3\n' --game "$folder/many.sgf"
    also 'also has variations or other games and stays as it is'
    also "The game is saved in $folder/many-2.sgf."
    [ "$(cat "$folder/many.sgf")" = "$text" ] || fault 'a file with variations or games was written'
    [ "$(tr -cd ';' <"$folder/many-2.sgf" | wc -c)" = 5 ] || fault 'the game does not go on in a new file'
done

# Two games that begin in the same second have two files.
mkdir "$folder/twins"
for _ in 1 2 3; do
    (cd "$folder/twins" && echo C3 | timeout 100 "$absolute" play uniform --size 5 --visits 2 >/dev/null 2>&1) &
done
wait
[ "$(find "$folder/twins" -name "*.sgf" | wc -l)" = 3 ] || fault 'games that began together share a file'

# --load does not change the file that it reads. The words load, save and new write each game to a file of its own.
play 'pass\n' --load "$folder/before.sgf" --game "$folder/loaded.sgf"
[ "$(tr -cd ';' <"$folder/loaded.sgf" | wc -c)" = 5 ] || fault 'the loaded game does not go on'
play "C3\nsave $folder/my game.sgf\nnew\nD4\nload $folder/before.sgf\npass\n" --size 5 --game "$folder/first.sgf"
for name in first 'my game' 'my game-2' 'my game-3'; do [ -s "$folder/$name.sgf" ] || fault "no $name.sgf"; done
[ "$(tr -cd ';' <"$folder/before.sgf" | wc -c)" = 3 ] || fault 'the file that was loaded has changed'

# The person plays White; a handicap; a board that is not square; odd bytes and a line that is too long do not end the game.
play 'quit\n' --size 9 --color white --game "$folder/white.sgf"
also 'Black (Aji uniform) plays'
also 'White, move 2> '
play 'quit\n' --size 9 --handicap 3 --game "$folder/handicap.sgf"
also 'komi 0.5'
also 'White (Aji uniform) plays'
play 'quit\n' --size 7x4 --game "$folder/wide.sgf"
also '7x4'
printf 'C3\0D4\n\377\376\n%05000d\nE5\n' 0 | timeout 60 "$aji" play uniform --size 9 --visits 1 --game "$folder/odd.sgf" >"$folder/out" 2>&1 ||
    fault 'odd bytes end the game'
also 'too long'
also 'move 5> '

# A kill loses no move. SIGTERM ends the program with code 130, and without a move of the program.
mkfifo "$folder/words"
: >"$folder/out" # the loop must not read the output of an earlier game
"$aji" play uniform --size 9 --visits 4 --game "$folder/killed.sgf" <"$folder/words" >"$folder/out" 2>&1 &
child=$!
exec 3>"$folder/words"
echo E5 >&3
for ((i = 0; i < 600; i++)); do
    grep -q 'move 3> ' "$folder/out" && break
    sleep 0.1
done
kill -KILL "$child"
wait "$child" 2>/dev/null
exec 3>&-
[ "$(tr -cd ';' <"$folder/killed.sgf" | wc -c)" = 3 ] || fault 'a kill lost a move'
: >"$folder/out"
"$aji" play uniform --size 9 --time 1000s --game "$folder/term.sgf" <"$folder/words" >"$folder/out" 2>&1 &
child=$!
exec 3>"$folder/words"
echo E5 >&3
for ((i = 0; i < 600; i++)); do
    grep -qs 'B\[ee\]' "$folder/term.sgf" && break
    sleep 0.1
done
kill -TERM "$child"
wait "$child"
code=$?
exec 3>&-
[ "$code" = 130 ] || fault "SIGTERM: exit code $code"
[ "$(tr -cd ';' <"$folder/term.sgf" | wc -c)" = 2 ] || fault 'a move was played after SIGTERM'

# Wrong use.
expect 2 'is black, white, both or none' play uniform --color green
expect 2 'no points for handicap' play uniform --size 5 --handicap 2
expect 2 'there are two nets' play uniform --net uniform
expect 2 'is a game, not a net; to continue it: --load' play game.sgf
expect 2 'not a multiple of 1/2' play uniform --komi 0.3
expect 2 'needs a limit of time' play uniform --visits 0
expect 2 '--rules' play uniform --rules nonsense
expect 2 '--precision' play uniform --precision f33
expect 2 'is not a size' play uniform --size big
expect 1 'nothing.aji' play nothing.aji
expect 1 'nothing.sgf' play uniform --load nothing.sgf
printf '(;GM[1]SZ[5];B[aa];W[aa])' >"$folder/illegal.sgf"
expect 1 'illegal' play uniform --load "$folder/illegal.sgf"
expect 0 'D4' play --help
for text in 'arrow keys' 'pass; two passes in a row end the game' 'undo [N]' 'quit, q ' '( ) marks the last'; do also "$text"; done

# If no net is named, the program takes one of the folder nets/ for the board, or says what to do.
program=$(realpath "$aji")
mkdir "$folder/empty" "$folder/some" "$folder/some/nets"
(cd "$folder/some" && "$program" net new nets/5x5-a.aji --arch b1c8-fixup-nodist && cp nets/5x5-a.aji nets/6x6-b.aji) >"$folder/out" 2>&1 ||
    fault 'the nets were not made'
(cd "$folder/some" && echo quit | "$program" play --visits 2) >"$folder/out" 2>&1 || fault 'aji play without NET fails'
also 'Aji 6x6-b'
also '6x6, komi 7.5'
(cd "$folder/some" && echo D4 | "$program" play --visits 2 --size 5) >"$folder/out" 2>&1 || fault 'aji play without NET fails on 5x5'
also 'Aji 5x5-a'
(cd "$folder/some" && echo quit | "$program" play nets/5x5-a.aji --visits 2) >"$folder/out" 2>&1 || fault 'aji play fails with a net that has a board in its name'
also '5x5, komi 7.5'
printf '(;SZ[5];B[aa])' >"$folder/some/small.sgf"
(cd "$folder/some" && echo board | "$program" play --visits 2 --load small.sgf) >"$folder/out" 2>&1 || fault 'no net is found for the board of the loaded game'
also 'Aji 5x5-a'
ls "$folder"/some/aji-*-*-*-*.sgf >/dev/null 2>&1 || fault 'a game without --game is not saved'
(cd "$folder/some" && "$program" play --size 3) >"$folder/out" 2>&1 && fault 'aji play finds a net for 3x3, although there is none'
also 'the folders of nets have no net for 3x3 (only for 5x5 6x6'
also 'aji learn --size 3'

if command -v python3 >/dev/null 2>&1 && python3 -c 'import pty, termios, fcntl' 2>/dev/null; then
    mkdir "$folder/terminal"
    python3 tests/cli/play_tty.py "$program" "$folder/terminal" 2>"$folder/err" || fault "aji play in a terminal: $(cat "$folder/err")"
else
    echo 'SKIP the test in a terminal needs python3 with its modules pty, termios and fcntl'
fi
exit $((faults > 0))
