#!/bin/bash
# Checks the sources of the page: packages have exact versions and no download addresses, no file
# names another host, no text is written as markup, no timer runs for ever, all texts are used, and lines
# are short.
faults=0
fault() {
    echo "$*" >&2
    faults=$((faults + 1))
}
! grep -n '"resolved"' web/package-lock.json || fault 'web/package-lock.json has download addresses'
! grep -nE '"(\^|~|>|<|\*|latest)' web/package.json || fault 'web/package.json has a version that is not exact'
! grep -rnE '(https?:)?//[a-z0-9.-]+\.[a-z]{2,}' web/src --include='*.js*' --include='*.css' --include='*.html' ||
    fault 'a source of the page names another host'
! grep -rnE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySet|eval\(' web/src ||
    fault 'a source of the page writes text as markup'
! grep -rnE 'setInterval' web/src || fault 'a source of the page uses a timer that does not end'
! grep -rnE '.{101,}' web/src --include='*.js*' || fault 'a line has more than 100 columns'
# Texts are used as T.NAME, or, for the names of pages and of the buttons that go through a game, as T[...].
sed -n '/^export const T = {/,$ s/^  \([a-zA-Z0-9]*\):.*/\1/p' web/src/texts.js |
    grep -vxE 'play|review|nets|runs|first|back|back10|forward|forward10|last' >"${TMPDIR:-/tmp}/texts.$$"
[ "$(wc -l <"${TMPDIR:-/tmp}/texts.$$")" -gt 100 ] || fault 'hardly any text was found'
while read -r name; do
    grep -qE "\bT\.$name\b" web/src/*.js* || fault "the text \"$name\" of web/src/texts.js is not used"
done <"${TMPDIR:-/tmp}/texts.$$"
rm "${TMPDIR:-/tmp}/texts.$$"
exit $((faults > 0))
