#!/bin/bash
# A GTP program for tests. Usage: fake_engine.sh MODE [FIRST [FOLDER]]
# It answers genmove with a pass. In these modes it does something else from genmove number FIRST on
# (by default from the first one):
#   die        ends with code 1
#   hang       never answers
#   wordy      adds text that is not GTP
#   resign, illegal, nonsense, garbage, refuse, flood: gives an answer of this kind
# These modes act from the start:
#   deaf      never answers
#   dumb      ends immediately, with code 3
#   small     refuses every board size
#   stubborn  refuses every move of the other side
#   rules     accepts kata-set-rules, and writes the rules to FOLDER/rules
#   unruly    lists kata-set-rules, but refuses all rules
#   listless  refuses list_commands
mode=$1 from=${2:-1} moves=0
trap 'exit 0' TERM
if [ "$mode" = deaf ]; then while :; do sleep 0.1; done; fi
if [ "$mode" = dumb ]; then exit 3; fi
[ "$mode" = wordy ] && printf 'welcome to the engine\nversion 9\n\n'
answer() { printf '= %s\n\n' "$1"; }
while read -r line; do
    case $line in
    boardsize*) if [ "$mode" = small ]; then printf '? unacceptable size\n\n'; else answer ''; fi ;;
    genmove*)
        moves=$((moves + 1))
        [ $moves -lt "$from" ] && { answer pass; continue; }
        case $mode in
        resign) answer resign ;;
        die) exit 1 ;;
        hang) while :; do sleep 0.1; done ;;
        illegal) answer Z25 ;;
        nonsense) answer 'what did you say' ;;
        garbage) LC_ALL=C awk 'BEGIN { srand(7); for (; n < 3000; n++) printf "%c", 1 + int(255 * rand()) }' | tr -d '=?'; exit 0 ;;
        refuse) printf '? I do not want to\n\n' ;;
        flood) yes '= and on' | head -c 3000000 ;;
        wordy) printf 'thinking...\r\nINFO 37 visits\r\n= PASS\r\n\r\n' ;;
        *) answer pass ;;
        esac ;;
    list_commands)
        case $mode in
        rules | unruly) answer $'name\nkata-set-rules\nquit' ;;
        listless) printf '? unknown command\n\n' ;;
        *) answer $'name\nkata-set-rules-not\nquit' ;;
        esac ;;
    kata-set-rules*)
        case $mode in
        rules) echo "$line" >>"$3/rules"; answer '' ;;
        unruly) printf '? these rules are not mine\n\n' ;;
        *) exit 9 ;;
        esac ;;
    play*) if [ "$mode" = stubborn ]; then printf '? illegal move\n\n'; else answer ''; fi ;;
    quit) answer ''; exit 0 ;;
    *) answer '' ;;
    esac
done
