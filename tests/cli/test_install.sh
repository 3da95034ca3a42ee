#!/bin/bash
# `cmake --install`: after the installed files were moved, the program with its nets and settings files, the manual and the
# completion of bash work. They are used from an empty folder.
. tests/command.sh

command -v cmake >/dev/null 2>&1 || {
    echo 'SKIP needs cmake'
    exit 0
}
DESTDIR=$folder/dest cmake --install "${AJI_BUILD:-build/release}" --prefix /opt/aji >"$folder/log" 2>&1 || fault 'cmake --install fails'
mkdir "$folder/empty" "$folder/elsewhere"
mv "$folder/dest/opt/aji" "$folder/elsewhere/moved"
prefix=$folder/elsewhere/moved
share=$prefix/share
for file in bin/aji share/aji/nets share/aji/configs/learn-9x9.cfg share/doc/aji/README.md share/doc/aji/LICENSE share/doc/aji/docs/INSTALL.md \
    share/doc/aji/docs/images/position.svg share/man/man1/aji.1 share/man/man1/aji-net-new.1 share/bash-completion/completions/aji \
    share/zsh/site-functions/_aji share/fish/vendor_completions.d/aji.fish share/applications/aji.desktop \
    share/icons/hicolor/scalable/apps/aji.svg; do
    [ -e "$prefix/$file" ] || fault "$file is not installed"
done
[ "$(ls "$share/man/man1" | wc -l)" = "$(($("$aji" manual --list | wc -l) + 1))" ] || fault 'there are not as many pages as commands'
[ "$(ls nets/*.aji | wc -l)" = "$(ls "$share/aji/nets" | wc -l)" ] || fault 'not all nets are installed'

# installed WORDS...: runs the installed program from the empty folder with an environment of its own
installed() {
    (cd "$folder/empty" && env -i PATH="$prefix/bin:/usr/bin:/bin" HOME="$folder/empty" ${COLUMNS:+COLUMNS="$COLUMNS"} timeout 200 aji "$@") \
        >"$folder/out" 2>"$folder/err"
}
installed --version || fault 'aji --version fails'
also "$("$aji" --version | head -n 1)"
installed doctor || fault 'aji doctor says that Aji cannot play'
also "$share/aji/nets/"
net=$(cd "$share/aji/nets" && ls ./*x*.aji | tail -n 1)
net=${net#./} size=${net%%x*}
printf 'D4\nC3\nquit\n' | installed play --visits 4 --size "$size" || fault 'aji play fails'
also "Aji ${net%.aji}"
also 'Move 4'
echo 'name' | installed gtp "$share/aji/nets/$net" || fault 'aji gtp fails'
installed learn configs/learn-5x5.cfg --time 1 --run run || fault 'an installed settings file is not found'
grep -q '^selfplay.sizes = "5:1"' "$folder/empty/run/run.cfg" || fault 'the run does not have the settings of the file'

# The manual.
for page in aji aji-play aji-settings aji-net-new; do
    for tool in man mandoc groff; do
        command -v "$tool" >/dev/null 2>&1 || continue
        case $tool in
        man) LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings=all -l "$share/man/man1/$page.1" ;;
        mandoc) mandoc -T lint -W warning "$share/man/man1/$page.1" ;;
        groff) groff -man -Tutf8 -ww -z "$share/man/man1/$page.1" ;;
        esac >"$folder/out" 2>"$folder/err"
        [ "$tool" != man ] || also 'NAME'
        [ "$tool" != mandoc ] || cat "$folder/out" >>"$folder/err"
        [ ! -s "$folder/err" ] || fault "$tool warns of $page"
    done
done

# The completion, as bash calls it.
bash -n "$share/bash-completion/completions/aji" || fault 'bash does not understand the completion'
COMP_LINE='aji doctor --js'
bash -c '. "$1"; COMP_LINE=$2 COMP_POINT=${#2}; $(complete -p aji | sed "s/.*-F \([^ ]*\) .*/\1/") aji; echo "${COMPREPLY[*]}"' \
    bash "$share/bash-completion/completions/aji" "$COMP_LINE" >"$folder/out" 2>&1
[ "$(cat "$folder/out")" = '--json' ] || fault "bash completes \"$COMP_LINE\" in another way"

# The entry for desktops starts the installed command, with options that this command has.
grep -qx 'Exec=aji serve --open' "$share/applications/aji.desktop" || fault 'the desktop starts something else'
installed serve --help
also '--open'
if command -v desktop-file-validate >/dev/null 2>&1; then
    desktop-file-validate "$share/applications/aji.desktop" >"$folder/out" 2>&1 || fault 'the entry for desktops is wrong'
fi
if command -v xmllint >/dev/null 2>&1; then
    xmllint --noout "$share/icons/hicolor/scalable/apps/aji.svg" >"$folder/out" 2>&1 || fault 'the icon is no XML'
fi
exit $((faults > 0))
