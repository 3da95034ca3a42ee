#!/bin/bash
# The package for Debian: CPack makes it, its description and dependencies are right, and its program runs from an empty folder.
. tests/command.sh

for tool in cpack dpkg-deb dpkg-shlibdeps ldd; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "SKIP needs $tool"
        exit 0
    }
done
build=${AJI_BUILD:-build/release}
cpack --config "$build/CPackConfig.cmake" -B "$folder/package" >"$folder/log" 2>&1 || fault 'cpack fails'
package=$(ls "$folder"/package/aji_*.deb 2>/dev/null)
[ "$(echo "$package" | wc -l)" = 1 ] && [ -f "$package" ] || {
    fault 'cpack has not made exactly one package'
    exit 1
}
version=$("$aji" --version | sed -n 's/^aji \([^ ]*\) .*/\1/p')
[[ $package == */aji_${version}_$(dpkg --print-architecture).deb ]] || fault "the file is called $package"
field() { dpkg-deb -f "$package" "$1"; }
[ "$(field Section)" = games ] || fault "the section is $(field Section)"
field Description >"$folder/out"
also 'learns the game of Go'
also 'a net that Aji trained'
awk 'length($0) > 80 { exit 1 }' "$folder/out" || fault 'lines of the description are too long'

# Each library that the program loads belongs to a package on which it depends, and none of these is for builds only.
field Depends | tr ',' '\n' | sed 's/^ *//; s/ .*//' | sort -u >"$folder/depends"
for library in dnnl jansson sqlite3 websockets yaml libc6; do
    grep -q "$library" "$folder/depends" || fault "it does not depend on $library"
done
if grep -qE -e '-dev$|gcc|cmake' "$folder/depends"; then fault 'the package depends on packages that only builds need'; fi

dpkg-deb -x "$package" "$folder/root" >"$folder/log" 2>&1 || fault 'the package cannot be unpacked'
for file in bin/aji share/man/man1/aji-play.1.gz share/doc/aji/copyright share/doc/aji/changelog.gz share/zsh/vendor-completions/_aji \
    share/bash-completion/completions/aji share/applications/aji.desktop; do
    [ -f "$folder/root/usr/$file" ] || fault "$file is not in the package"
done
for pattern in '*.h' '*.a' '*.c' '*.1'; do
    [ -z "$(find "$folder/root" -name "$pattern")" ] || fault "the package has files $pattern"
done
[ -z "$(find "$folder/root" -perm /022 ! -type l)" ] || fault 'others may write what is installed'
[[ $(gunzip -c "$folder/root/usr/share/doc/aji/changelog.gz" | head -1) == "aji ($version) "* ]] ||
    fault "the first entry of the changelog is not about version $version"
if grep -q '^AJI_PAGE:BOOL=ON' "$build/CMakeCache.txt" && ! grep -q 'contains preact' "$folder/root/usr/share/doc/aji/copyright"; then
    fault 'the licences of the page are not in the file copyright'
fi
# lintian is Debian's program that checks packages.
if command -v lintian >/dev/null 2>&1; then
    lintian --allow-root --fail-on error,warning "$package" >"$folder/out" 2>&1 || fault 'lintian finds faults'
else
    echo 'lintian is not installed, so it did not check the package'
fi
mkdir "$folder/empty"
cd "$folder/empty" || exit 1
run() {
    timeout 200 env -i PATH=/nowhere HOME="$folder/empty" "$folder/root/usr/bin/aji" "$@" >"$folder/out" 2>&1
}
run doctor || fault 'aji doctor fails'
also "$folder/root/usr/share/aji/nets/"
printf 'D4\nquit\n' | run play --visits 4 || fault 'aji play fails'
also 'Move 2'
exit $((faults > 0))
