#!/bin/bash
# Checks the sources of the page: packages have exact versions and no download addresses, no file
# names another host, no text is written as markup, no timer runs for ever, and lines are short.
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
exit $((faults > 0))
