#!/bin/bash
# Matches against programs that die, hang, cheat or talk nonsense. The program loses the game, the other games are played,
# finished games are kept, and no process is left over.
. tests/command.sh

# play CODE TEXT MODE [FROM]: plays four games against fake_engine.sh in that mode. The match must end with that exit code and
# print TEXT.
play() {
    rm -rf "$folder/games"
    play_on "$@"
}
# patience TEXT: prints the time limit for answers. It is short if TEXT expects that the program does not answer in time, and
# otherwise long, because the machine may be busy.
patience() {
    case $1 in *'in time'*) echo 1s ;; *) echo 20s ;; esac
}
# play_on: does the same as play, but continues with the games that are in the folder
play_on() {
    local code=$1 text=$2 mode=$3 from=${4:-1} got patience
    patience=$(patience "$text")
    timeout 100 "$aji" match --black random --white "gtp:bash tests/cli/fake_engine.sh $mode $from $folder" --size 5 \
        --games 4 --threads 2 --answer-time "$patience" --out "$folder/games" </dev/null >"$folder/log" 2>&1
    got=$?
    [ "$got" = "$code" ] || fault "$mode: exit code $got, wanted $code"
    grep -qF -e "$text" "$folder/log" || fault "$mode: no \"$text\""
    alone "$mode"
}
# alone WORDS: waits up to a second for the processes of this test to end; it is a fault if one is left
alone() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        pgrep -f "$folder" >/dev/null || return 0
        sleep 0.1
    done
    fault "$1: a process is left over: $(pgrep -fa "$folder")"
}
games() {
    [ "$(find "$folder/games" -name '*.sgf' 2>/dev/null | wc -l)" = "$1" ] || fault "not $1 games were kept"
}

play 0 'score of the first' pass
games 4
play 0 'score of the first player: 100.0%' resign
games 4
play 0 'score of the first' wordy
games 4
declare -A why=([die]='ended with code 1' [hang]='does not answer in time' [illegal]='Z25' [nonsense]='what did you say'
    [garbage]='the program' [refuse]='I do not want to' [flood]='the program')
for mode in die hang illegal nonsense garbage refuse flood; do
    play 1 '4 of 4 games were lost by a program' "$mode" 2
    grep -qF -e "${why[$mode]}" "$folder/log" || fault "$mode: no \"${why[$mode]}\""
    games 4
done
# If the program refuses a legal move, nobody loses, and the games are not played again.
for play in play play_on; do
    $play 1 '4 of 4 games are unfinished and do not count' stubborn
    grep -q 'lost by a program' "$folder/log" && fault 'a refused move lost a game'
    games 4
    [ $play = play ] && { grep -qF '4 of 4 games, score of the first player -' "$folder/log" || fault 'void games have a score'; }
done
grep -qF 'left unfinished' "$folder/log" && fault 'an unfinished game was played again'
play 1 'the program refuses "play' stubborn
grep -qF 'legal by the rules of the match' "$folder/log" || fault 'the message does not name the rules'
# The program refuses the board size, so no game can begin.
play 1 'does not answer in time' deaf
games 0
play 1 'ended with code 3' dumb
games 0
play 1 'the program refuses "boardsize 5": unacceptable size' small
games 0

# A program that lists kata-set-rules gets the rules before each game. Other programs play by their own rules.
play 0 'score of the first' rules
games 4
grep -qxF 'kata-set-rules koPOSITIONALscoreAREAtaxNONEsui1' "$folder/rules" || fault 'the program did not get the rules'
[ "$(wc -l <"$folder/rules")" = 4 ] || fault 'the program did not get the rules before every game'
play 0 'these rules are not mine: it plays by its own rules' unruly
games 4
play 0 'score of the first' listless

# match CODE TEXT COMMAND OPTION...: plays two games against any program; exit code and TEXT as for play
match() {
    local code=$1 text=$2 command=$3 got patience
    patience=$(patience "$text")
    shift 3
    timeout 60 "$aji" match --black random --white "gtp:$command" --size 5 --games 2 --answer-time "$patience" \
        --out "$folder/games" "$@" </dev/null >"$folder/log" 2>&1
    got=$?
    [ "$got" = "$code" ] || fault "$command: exit code $got, wanted $code"
    grep -qF -e "$text" "$folder/log" || fault "$command: no \"$text\""
    alone "$command"
}

# The program gets the rules of the match and no others. Aji's own engine gets them, too, and refuses nothing.
rm -rf "$folder/games" "$folder/rules"
match 0 '2 games of' "bash tests/cli/fake_engine.sh rules 1 $folder" --rules chinese
[ "$(sort -u "$folder/rules")" = 'kata-set-rules koSIMPLEscoreAREAtaxNONEsui0whbNfpok1' ] || fault 'the program got other rules than those of the match'
rm -rf "$folder/games"
match 0 '2 games of' "tee $folder/asked | $aji gtp --net uniform --visits 2 | tee $folder/told" --rules chinese
grep -qxF 'kata-set-rules koSIMPLEscoreAREAtaxNONEsui0whbNfpok1' "$folder/asked" || fault 'our own engine did not get the rules'
grep -q '^?' "$folder/told" && fault 'our own engine refused something'

# Games that were played before are kept and not played again.
again() { # CODE TEXT MODE: the same command; its program behaves as MODE says
    echo "$3" >"$folder/mode"
    match "$1" "$2" "bash tests/cli/fake_engine.sh \$(cat $folder/mode) 1 $folder" --games 4
}
rm -rf "$folder/games"
again 0 '4 games of' pass
rm "$folder/games/game-00003.sgf"
cat "$folder"/games/*.sgf >"$folder/before"
again 1 'ended with code 3' dumb
games 3
again 0 '4 games of' pass
games 4
rm "$folder/games/game-00003.sgf"
cat "$folder"/games/*.sgf | cmp -s - "$folder/before" || fault 'a game that was played before has changed'

# Programs that do not exist or cannot run, and one whose children ignore signals.
rm -rf "$folder/games"
match 1 "$folder/none --mode gtp: the program has ended with code 127, which means that it was not found or cannot be run" "$folder/none --mode gtp"
match 1 'cannot be run' "$folder" # a directory
match 1 'by signal 9' 'kill -9 $$'
match 2 'after gtp: a command of 1 to' ''
match 1 'does not answer in time' "trap '' TERM INT; (trap '' TERM INT; cat; while :; do sleep 1 && : $folder; done) & cat >/dev/null; sleep 60; : $folder"

# A match is stopped while a program thinks for ever. It ends quickly, keeps its games, and leaves no process.
rm -rf "$folder/games"
"$aji" match --black random --white "gtp:bash tests/cli/fake_engine.sh hang 200 $folder" --size 5 --games 40 --threads 1 \
    --answer-time 50s --out "$folder/games" </dev/null >"$folder/log" 2>&1 &
process=$!
for _ in $(seq 100); do
    [ -e "$folder/games/game-00000.sgf" ] && break
    sleep 0.1
done
sleep 0.5
kill -INT $process 2>/dev/null || fault 'the match did not wait for the program'
wait $process
got=$?
[ "$got" = 130 ] || fault "a stopped match: exit code $got, wanted 130"
[ -s "$folder/games/game-00000.sgf" ] || fault 'the games of a stopped match are lost'
alone 'a stopped match'


[ "$faults" = 0 ] || echo "$faults faults" >&2
exit $((faults > 0))
