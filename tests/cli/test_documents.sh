#!/bin/bash
# The documents agree with the program and with each other:
#  - docs/METHODS-TABLE.md is what `aji settings --markdown` prints
#  - relative links and their anchors exist
#  - settings, source files, tests and cases of tests that are named between backquotes exist (except in the notebook, which
#    keeps old names)
#  - the nets in the table of docs/NETWORKS.md can be built
#  - lines have at most 100 columns, and in code at most 110, except in tables
. tests/command.sh

documents=(README.md CONTRIBUTING.md docs/*.md docs/*/*.md)
others=(bench/*/README.md tests/*/README.md nets/README.md) # of these, only the length of lines is checked

"$aji" settings --markdown >"$folder/table"
diff docs/METHODS-TABLE.md "$folder/table" >"$folder/out" ||
    fault 'docs/METHODS-TABLE.md is out of date; write it again: ./aji settings --markdown >docs/METHODS-TABLE.md'
expect 2 'exclude each other' settings --json --markdown
expect 2 'exclude each other' settings --json --man

awk '/^### Trunks of different blocks/, /^## Precision/' docs/NETWORKS.md | sed -n 's/^| `\([^`]*\)` |.*/\1/p' >"$folder/nets"
while read -r words; do
    expect 0 " parameters" net new --arch "$words" "$folder/example.aji"
done <"$folder/nets"
[ "$(wc -l <"$folder/nets")" -ge 20 ] || fault 'hardly any description of a net was found'

"$aji" settings --json | sed -n 's/.*"name": "\([^"]*\)".*/\1/p' >"$folder/settings"
find src tests bench fuzz -type f | sed 's|.*/||' | sort -u >"$folder/files"
# cases: TEST(name), and those that a macro of the test defines: SLOPES(name, ...)
find tests -name 'test_*.c' -exec grep -ohE '^[A-Z_]+\([a-z0-9_]+' {} + | sed 's/.*(//' | sort -u >"$folder/cases"

# "FILE#anchor" of each heading, as GitHub makes it
awk '
FNR == 1 { fenced = 0; split("", seen) }
/^ *```/ { fenced = !fenced }
/^#+ / && !fenced {
    slug = tolower($0)
    sub(/^#+ +/, "", slug)
    gsub(/[^a-z0-9 _-]/, "", slug)
    gsub(/ /, "-", slug)
    print FILENAME "#" slug (seen[slug]++ ? "-" seen[slug] - 1 : "")
}' "${documents[@]}" >"$folder/anchors"

# Prints "link FILE:LINE TARGET" for each link, and "FILE:LINE: what is wrong" for each fault. A span between backquotes may
# continue on the next line, so a paragraph is checked as a whole. A row of a table counts as a paragraph.
cat >"$folder/look.awk" <<'END'
function wrong(line, text) { print FILENAME ":" line ": " text }
function look_at_links(text, line) {
    while (match(text, /\]\([^)]*\)/)) {
        if (substr(text, RSTART + 2) !~ /^https?:/) print "link " FILENAME ":" line " " substr(text, RSTART + 2, RLENGTH - 3)
        text = substr(text, RSTART + RLENGTH)
    }
}
# `group.setting` or `group.setting=value`
function look_at_setting(word, line,    name, prefix, after) {
    if (!match(word, /^[a-z]+(\.[a-z][a-z0-9_]*)+/)) return
    name = substr(word, 1, RLENGTH)
    after = substr(word, RLENGTH + 1, 1)
    prefix = substr(name, 1, index(name, ".") - 1)
    if (prefix in group && !(name in setting) && after !~ /[.*]/ && name !~ /\.(c|h|cfg|db|lock)$/)
        wrong(line, "there is no setting " name)
}
# `file.c`, `room/file.h`. Files of KataGo, named with their path `cpp/...` or `python/...`, are not looked for.
function look_at_file(word, line) {
    if (word !~ /^([a-z]+\/)*[a-z0-9_]+\.([ch]|sh|py)$/ || word ~ /^(cpp|python)\//) return
    sub(/.*\//, "", word)
    if (!(word in known)) wrong(line, "there is no file " word)
}
# `room/test_name`, `room/test_name: case, case`
function look_at_test(word, line,    name, count, names, i) {
    if (!match(word, /^([a-z]+\/)?test_[a-z0-9_]+/)) return
    name = substr(word, 1, RLENGTH)
    word = substr(word, RLENGTH + 1)
    sub(/.*\//, "", name)
    if (!((name ".c") in known) && !((name ".sh") in known)) wrong(line, "there is no test " name)
    if (word !~ /^: /) return
    count = split(substr(word, 3), names, ", ")
    for (i = 1; i <= count; i++)
        if (!(names[i] in test_case)) wrong(line, "there is no case " names[i] " of a test")
}
function look_at(text, line,    word) {
    look_at_links(text, line)
    if (FILENAME ~ /notebook/) return
    while (match(text, /`[^`]+`/)) {
        word = substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
        look_at_setting(word, line)
        look_at_file(word, line)
        look_at_test(word, line)
    }
}
function end_paragraph() {
    if (paragraph != "") look_at(paragraph, begin)
    paragraph = ""
}
BEGIN {
    while ((getline line < settings) > 0) {
        setting[line] = 1
        group[substr(line, 1, index(line, ".") - 1)] = 1
    }
    while ((getline line < files) > 0) known[line] = 1
    while ((getline line < cases) > 0) test_case[line] = 1
}
/^ *```/ { end_paragraph(); fenced = !fenced; next }
length($0) > (fenced || /^    / ? 110 : 100) && !/^ *\|/ { wrong(FNR, length($0) " columns") }
fenced || only_lengths { next }
/^ *\|/ { end_paragraph(); look_at($0, FNR); next }
/^ *$/ { end_paragraph(); next }
{
    if (paragraph == "") begin = FNR
    sub(/^ +/, "")
    paragraph = paragraph (paragraph == "" ? "" : " ") $0
}
END { end_paragraph() }
END
for file in "${documents[@]}"; do
    awk -v settings="$folder/settings" -v files="$folder/files" -v cases="$folder/cases" -f "$folder/look.awk" "$file"
done >"$folder/found"
for file in "${others[@]}"; do awk -v only_lengths=1 -f "$folder/look.awk" "$file"; done >>"$folder/found"

while read -r _ place target; do
    path=${target%%#*}
    [ -z "$path" ] && path=${place%:*} || path=$(realpath -m --relative-to=. "$(dirname "${place%:*}")/$path")
    if [ ! -e "$path" ]; then
        echo "$place: there is no $path"
    elif [[ $target = *'#'* ]] && ! grep -qxF "$path#${target#*#}" "$folder/anchors"; then
        echo "$place: $path has no heading #${target#*#}"
    fi
done < <(grep '^link ' "$folder/found") >"$folder/faults"
grep -v '^link ' "$folder/found" >>"$folder/faults"
if [ -s "$folder/faults" ]; then
    cat "$folder/faults" >&2
    faults=$((faults + 1))
fi

# The checks above saw enough links, headings and cases, and they find the faults of a document that is wrong on purpose.
[ "$(grep -c '^link ' "$folder/found")" -ge 100 ] || fault 'hardly any link was found'
[ "$(wc -l <"$folder/anchors")" -ge 100 ] || fault 'hardly any heading was found'
[ "$(wc -l <"$folder/cases")" -ge 1000 ] || fault 'hardly any case of a test was found'
printf '# A\n\n[x](none.md) `search.none` `none.c` `go/test_none: none` %0101d\n\n```\n%0111d\n%0110d\n```\n' 0 0 0 >"$folder/wrong.md"
awk -v settings="$folder/settings" -v files="$folder/files" -v cases="$folder/cases" -f "$folder/look.awk" "$folder/wrong.md" >"$folder/out"
[ "$(grep -c columns "$folder/out")" = 2 ] || fault 'not exactly two lines are too long'
for text in 'link ' 'no setting search.none' 'no file none.c' 'no test test_none' 'no case none' ':6: 111 columns'; do also "$text"; done
exit $((faults > 0))
