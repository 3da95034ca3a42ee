#!/bin/bash
# The manual and the completions of shells, which are made from the tables of commands, options and settings: each command and
# subcommand has its page and its place in the completions, with as many options as its help has; the pages are sound roff; and
# bash completes commands, options, settings and files.
. tests/command.sh

"$aji" manual --list >"$folder/names" 2>"$folder/err" || fault 'aji manual --list fails'
"$aji" --help | sed -n 's/^  \([a-z]\{2,\}\) .*/\1/p' >"$folder/commands"
[ "$(wc -l <"$folder/commands")" -ge 18 ] || fault 'hardly any command was found'
grep -v ' ' "$folder/names" | diff - "$folder/commands" >"$folder/out" || fault 'the pages are not those of the commands'
for name in 'net new' 'net info' 'bench go' 'data from-sgf' 'data check'; do
    grep -qxF "$name" "$folder/names" || fault "no page of $name"
done
for shell in bash zsh fish; do
    "$aji" completion "$shell" >"$folder/$shell" 2>"$folder/err" || fault "aji completion $shell fails"
    if grep -q '@FACTS@' "$folder/$shell"; then fault "the facts of $shell are missing"; fi
done

# facts SHELL NAME: prints what the completion of a shell knows about a command
facts() {
    case $1 in
    fish) grep -F -e "\"__aji_at '$2'\"" "$folder/fish" ;;
    *) awk -v name="    '$2')" '$0 == name { on = 1 } on { print } / *;;/ { on = 0 }' "$folder/$1" ;;
    esac
}
# The page of each command, and each completion, has the options of the help.
while read -r name; do
    # shellcheck disable=SC2086
    COLUMNS=100 "$aji" $name --help >"$folder/help" 2>"$folder/err" || fault "$name --help"
    # A command with subcommands lists these in its help, and has no option but --help.
    if grep -q "^$name " "$folder/names"; then printf 'options:\n  --help\n' >"$folder/help"; fi
    sed -n '/^options:$/,/^$/s/^  --\([a-z0-9-]*\).*/\1/p' "$folder/help" | sort >"$folder/options"
    [ -s "$folder/options" ] || fault "no option was found in the help of $name"
    # shellcheck disable=SC2086
    "$aji" manual $name >"$folder/page.1" 2>"$folder/err" || fault "aji manual $name fails"
    sed -n '/^\.SH OPTIONS/,/^\.SH S/s/^\\fB\\-\\-\([^ ]*\)\\fR.*/\1/p' "$folder/page.1" | sed 's/\\-/-/g' | sort >"$folder/out"
    diff "$folder/options" "$folder/out" >"$folder/log" || fault "the page of $name has other options than its help"
    facts bash "$name" | sed -n "s/^ *options='\(.*\)'/\1/p" | tr ' ' '\n' | sed 's/^--//; s/=.*//' | sort >"$folder/out"
    diff "$folder/options" "$folder/out" >"$folder/log" || fault "bash knows other options of $name"
    facts zsh "$name" | sed -n "s/^ *'\*\{0,1\}--\([a-z0-9-]*\)=\{0,1\}'.*/\1/p" | sort >"$folder/out"
    diff "$folder/options" "$folder/out" >"$folder/log" || fault "zsh knows other options of $name"
    facts fish "$name" | sed -n 's/.*" -l \([a-z0-9-]*\) .*/\1/p' | sort >"$folder/out"
    diff "$folder/options" "$folder/out" >"$folder/log" || fault "fish knows other options of $name"
done <"$folder/names"

# One known option of each command.
while read -r name option; do
    for shell in bash zsh fish; do
        facts "$shell" "$name" | grep -qwF -e "$option" || fault "$shell does not know --$option of $name"
    done
    "$aji" manual "$name" | sed 's/\\-/-/g' | grep -qF -e "--$option" || fault "the page of $name lacks --$option"
done <<'END'
analysis human-net
eval svg
experiment rate
gate time
gtp human-net
learn run
match sprt
play visits
rate ladder
review out
selfplay size
serve port
settings json
train time
END

# Settings: all are in the page of `aji settings`, and all known to the shells.
count=$("$aji" settings --json | grep -c '"name": ')
[ "$count" -ge 400 ] || fault "aji settings lists only $count settings"
[ "$("$aji" manual settings | sed '1,/^\.SH SETTINGS/d' | grep -c '^\.TP$')" = "$count" ] || fault 'the page of the settings is not complete'
sed -n "/^_aji_settings='/,/^'/p" "$folder/bash" | sed "s/^_aji_settings='//; /^'/d" >"$folder/settings"
[ "$(wc -l <"$folder/settings")" = "$count" ] || fault 'bash does not know all settings'
[ "$(sed -n '/^_aji_settings=(/,/^)/p' "$folder/zsh" | grep -c "^    '")" = "$count" ] || fault 'zsh does not know all settings'
[ "$(sed -n '/^set -g __aji_all_settings/,/^$/p' "$folder/fish" | grep -c '=\\t')" = "$count" ] || fault 'fish does not know all settings'
# Commands take groups of settings. For each group, bash knows settings whose names begin with the
# name of the group.
sed -n "s/^ *groups='\(.*\)'/\1/p" "$folder/bash" | tr ' ' '\n' | sort -u >"$folder/groups"
[ "$(wc -l <"$folder/groups")" -ge 20 ] || fault 'hardly any group was found'
while read -r group; do
    grep -q "^${group//./\\.}" "$folder/settings" || fault "no setting begins with $group"
done <"$folder/groups"

# The pages are read without warnings.
for tool in mandoc groff; do
    command -v "$tool" >/dev/null 2>&1 || continue
    checked=yes
    while read -r name; do
        # shellcheck disable=SC2086
        "$aji" manual $name >"$folder/page.1"
        case $tool in
        mandoc) mandoc -T lint -W warning "$folder/page.1" >"$folder/out" 2>&1 ;;
        groff) groff -man -Tutf8 -ww -z "$folder/page.1" >"$folder/out" 2>&1 ;;
        esac
        [ ! -s "$folder/out" ] || fault "$tool warns of the page of $name"
    done < <(echo && cat "$folder/names")
done
[ "${checked:-no}" = yes ] || echo 'SKIP neither mandoc nor groff is here to read the pages'
"$aji" manual | sed 's/\\-/-/g' >"$folder/out"
also 'aji-review (1)'
also 'AJI_NETS'
expect 2 'there is no command "fight"' manual fight
expect 2 'is not one of bash, zsh, fish' completion csh

# Calls the function that completes, in the way in which bash calls it, and prints what it
# completes. In the lines below, '_' stands for a blank, so that a line may end with a blank.
for shell in bash zsh fish; do
    command -v "$shell" >/dev/null 2>&1 || continue
    "$shell" -n "$folder/$shell" >"$folder/out" 2>&1 || fault "$shell does not understand its completion"
done
mkdir "$folder/files"
touch "$folder/files/net one.aji" "$folder/files/other.aji"
cat >"$folder/try" <<'END'
. "$1"
function=$(complete -p aji | sed 's/.*-F \([^ ]*\) .*/\1/')
while read -r line; do
    COMP_LINE=${line//_/ } COMPREPLY=()
    COMP_POINT=${#COMP_LINE}
    "$function" aji
    echo "$line: ${COMPREPLY[*]}"
done
END
(cd "$folder/files" && bash "$folder/try" "$folder/bash") >"$folder/out" 2>&1 <<'END'
aji_lea
aji_net_
aji_net_quan
aji_net_new_--ar
aji_learn_--si
aji_learn_--set_run.thr
aji_learn_--set=run.thr
aji_gtp_--set_run.thr
aji_play_--set_search.gumbel.in
aji_play_--set_search.gumbel.inner=
aji_play_--set_search.gumbel.on=t
aji_play_--net_net
aji_play_--net=oth
aji_play_oth
aji_bench_go_oth
aji_help_rev
aji_none_--x
END
while read -r line; do
    grep -qxF -e "$line" "$folder/out" || fault "bash does not complete: $line"
done <<'END'
aji_lea: learn
aji_net_quan: quantize
aji_net_new_--ar: --arch
aji_learn_--si: --size
aji_learn_--set_run.thr: run.threads=
aji_learn_--set=run.thr: run.threads=
aji_play_--set_search.gumbel.in: search.gumbel.inner=
aji_play_--set_search.gumbel.inner=: puct deterministic
aji_play_--set_search.gumbel.on=t: true
aji_play_--net_net: net one.aji
aji_play_--net=oth: other.aji
aji_play_oth: other.aji
aji_help_rev: review
END
for line in aji_gtp_--set_run.thr aji_bench_go_oth aji_none_--x; do
    grep -qxF -e "$line: " "$folder/out" || fault "bash should complete nothing: $line"
done
also 'aji_net_: new info show'
if command -v fish >/dev/null 2>&1; then
    HOME=$folder fish -c "source $folder/fish; complete -C 'aji net quan'; complete -C 'aji learn --set run.threa'" >"$folder/out" 2>&1 </dev/null
    also 'quantize'
    also 'run.threads='
else
    echo 'SKIP fish is not here to try its completion'
fi
exit $((faults > 0))
