#!/bin/bash
# `aji serve`: the address that it prints, what it answers there, and wrong options. Bad clients are in tests/serve.
. tests/command.sh
export XDG_DATA_HOME="$folder/data"

# start WORDS...: starts `aji serve uniform WORDS...`. Sets $server, $address, $port and $query (such as ?token=...).
start() {
    : >"$folder/start" # removes the address of the previous server
    "$aji" serve uniform --port 0 --visits 4 "$@" >"$folder/start" 2>"$folder/err" &
    server=$!
    for _ in $(seq 300); do
        grep -q '^http' "$folder/start" && break
        sleep 0.1
    done
    address=$(head -n 1 "$folder/start")
    port=${address##*:}
    query=${port#*/}
    port=${port%%/*}
}
# stop CODE: stops the server, which must end with CODE
stop() {
    kill -TERM "$server"
    wait "$server"
    local got=$?
    [ "$got" = "$1" ] || fault "the server ended with $got, wanted $1"
}
# get PATH: asks for a path and writes the answer to $folder/out
get() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET %s HTTP/1.1\r\nHost: localhost:%s\r\nConnection: close\r\n\r\n' "$1" "$port" >&3
    timeout 20 cat <&3 >"$folder/out"
    exec 3>&-
}

start
[ "$address" = "http://127.0.0.1:$port/" ] || fault "the address is $address"
[ "$(wc -l <"$folder/start")" = 1 ] || fault 'more than the address is printed'
get /
if grep -q '^HTTP/1.1 406' "$folder/out"; then
    also 'gzip' # the page is in this build
else
    also 'Aji is running'
    also 'nodejs'
fi
get /api/v1/server
also '"net":{"name":"uniform","id":"uniform"'
also '"limits":{"clients":64,"message_bytes":1048576,"nets":4}'
get /nowhere
also '404'
also 'not_found'
expect 1 "cannot listen on 127.0.0.1, port $port: another program uses the port" serve uniform --port "$port"
stop 0

# If other machines can reach the server, a token is needed. It is part of the address.
start --listen 0.0.0.0
grep -qE "^http://127\.0\.0\.1:$port/\?token=[0-9a-f]{32}$" "$folder/start" || fault "the address is $address"
grep -q '^On other machines' "$folder/start" || fault 'nothing is said about other machines'
if grep -q '0\.0\.0\.0' "$folder/start"; then fault 'an address is printed that no other machine can use'; fi
grep -q 'Anyone who knows this address' "$folder/start" || fault 'nothing is said about the token'
get /api/v1/server
also '401'
get "/api/v1/server$query"
also '"protocol":1'
stop 0

echo 'my-own_token-0123456789' >"$folder/token"
start --token-file "$folder/token"
[ "$query" = '?token=my-own_token-0123456789' ] || fault "the address is $address"
stop 0

# say TEXT WORDS: opens the WebSocket of the page, sends a text of less than 126 bytes, and expects an answer with WORDS
say() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET /ws HTTP/1.1\r\nHost: localhost:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' "$port" >&3
    printf 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n' >&3
    printf "\\x81\\x$(printf %x $((128 + ${#1})))\\0\\0\\0\\0%s" "$1" >&3 # the mask is of zeros
    timeout 20 cat <&3 >"$folder/out" &
    local reader=$!
    for _ in $(seq 200); do
        grep -qaF -e "$2" "$folder/out" && break
        sleep 0.1
    done
    kill "$reader"
    wait "$reader" 2>/dev/null
    exec 3>&-
    grep -qaF -e "$2" "$folder/out" || fault "no \"$2\" in the answer to $1"
}
new='{"op":"game.new","id":"g","width":5,"height":5,"rules":"chinese","color":"B","visits":2}'

# Games are kept where the data of the user are, or in the folder of --games, and a new server finds them again.
start
say "$new" '"phase":"play"'
stop 0
[ "$(ls "$XDG_DATA_HOME/aji/games" | grep -c '^[0-9a-f]*\.sgf$')" = 1 ] || fault 'the game is not in the folder of the user'
start --games "$folder/games"
say "$new" '"phase":"play"'
stop 0
game=$(ls "$folder/games")
start --games "$folder/games"
get "/api/v1/games/$game"
also 'application/x-go-sgf'
also 'PB[You]PW[Aji uniform]'
say "{\"op\":\"game.open\",\"id\":\"o\",\"game\":\"${game%.sgf}\"}" '"to_play":"B"'
get /api/v1/games/0123456789abcdef0123456789abcdef.sgf
also '404'
stop 0

# Without NET the server takes the net for the largest board. --open starts xdg-open with the address, or says that xdg-open is missing.
mkdir -p "$folder/bin" "$folder/nets"
program=$(realpath "$aji")
"$aji" net new "$folder/nets/4x4-small.aji" --arch b1c8-fixup-nodist >"$folder/out" 2>&1 || fault 'the net was not made'
cp "$folder/nets/4x4-small.aji" "$folder/nets/6x6-large.aji"
# opens PATH WORDS...: starts `aji serve WORDS...` in $folder with programs of PATH, until the address is printed and a second has passed
opens() {
    local path=$1
    shift
    : >"$folder/start"
    (cd "$folder" && PATH=$path exec "$program" serve --port 0 --visits 4 "$@" >"$folder/start" 2>"$folder/err") &
    server=$!
    for _ in $(seq 300); do
        grep -q '^http' "$folder/start" && break
        sleep 0.1
    done
    address=$(head -n 1 "$folder/start") port=${address##*:} port=${port%%/*}
    for _ in $(seq 100); do
        [ -s "$folder/opened" ] || grep -q xdg-open "$folder/err" && break
        sleep 0.1
    done
}
printf '#!/bin/sh\necho "$*" >"%s/opened"\n' "$folder" >"$folder/bin/xdg-open"
chmod 755 "$folder/bin/xdg-open"
opens "$folder/bin" --open
[ "$(cat "$folder/opened")" = "$address" ] || fault "xdg-open opens $(cat "$folder/opened"), not $address"
[ ! -s "$folder/err" ] || fault 'a message is printed, although the page was opened'
get /api/v1/server
also '"net":{"name":"6x6-large","id":"6x6-large","file":"nets/6x6-large.aji"},"nets":2'
get /api/v1/nets
also '{"id":"6x6-large","name":"6x6-large","file":"nets/6x6-large.aji","loaded":true,"board":[6,6]}'
also '{"id":"4x4-small","name":"4x4-small","file":"nets/4x4-small.aji","loaded":false,"board":[4,4]}'
stop 0
rm "$folder/bin/xdg-open" "$folder/opened"
opens "$folder/bin" --open
cp "$folder/err" "$folder/out"
also 'xdg-open is not installed (apt-get install xdg-utils), so open the address above yourself'
get /healthz
also 'ok'
stop 0
# NET may be a file, a run or a folder, and several may be given. Clients that name no net get the first one. Two nets never have the
# same id.
mkdir -p "$folder/run/nets" "$folder/empty"
cp "$folder/nets/4x4-small.aji" "$folder/run/nets/000003-test.aji"
: >"$folder/run/run.cfg"
start "$folder/run" "$folder/nets" "$folder/run/nets/../../nets/4x4-small.aji" --max-nets 1 --max-visits 3
get /api/v1/server
also '"net":{"name":"uniform"'
also '"nets":1,"visits":3'
get /api/v1/nets
also '{"id":"run.3","name":"run net 3"'
also '{"id":"4x4-small","name"'
also '{"id":"4x4-small-2","name"'
say '{"op":"analysis","id":"a","net":"run.3","query":{"moves":[],"rules":"chinese","boardXSize":4,"boardYSize":4}}' '"visits":3'
get /api/v1/nets
grep -o '"id":"run.3"[^}]*' "$folder/out" | grep -q '"loaded":true' || fault 'the net of the run was not loaded'
grep -o '"id":"uniform"[^}]*' "$folder/out" | grep -q '"loaded":false' || fault 'the first net has not made room'
stop 0
# A folder may have nets in all formats.
mkdir -p "$folder/formats"
"$aji" net new "$folder/lc0.aji" --arch "c8-mish,start_kernel=1,tip=none,policy_attention=4,policy_embedding=4,\
trunk=embedding+encoder(rotary=none,heads=2),heads=policy+value+moves_left" >"$folder/out" 2>&1 || fault 'the net for lc0 was not made'
for ending in aji bin.gz txt.gz pb.gz; do
    from=$folder/nets/4x4-small.aji
    [ "$ending" = pb.gz ] && from=$folder/lc0.aji # lc0's format has no place for a score
    "$aji" net convert "$from" "$folder/formats/${ending%.gz}-4x4.$ending" >"$folder/out" 2>&1 || fault "no .$ending"
done
: >"$folder/formats/notes.txt"
start "$folder/formats"
get /api/v1/nets
for name in aji bin txt pb; do
    also '{"id":"'$name'-4x4","name":"'$name'-4x4"'
done
[ "$(grep -o '"id":' "$folder/out" | wc -l)" = 5 ] || fault 'other files count as nets'
say '{"op":"analysis","id":"a","net":"pb-4x4","query":{"moves":[],"rules":"chinese","boardXSize":4,"boardYSize":4}}' '"visits":4'
stop 0
# If a run is given as a net, the page shows it and the runs beside it, and all nets of the run can be used.
mkdir -p "$folder/run-2/nets"
: >"$folder/run-2/run.cfg"
start "$folder/run"
say '{"op":"run.list","id":"l"}' '"id":"run-2"'
also '"id":"run"'
say '{"op":"run.state","run":"run","id":"s"}' '"state":{"name":"run"'
stop 0
start --runs "$folder/run-2"
say '{"op":"run.list","id":"l"}' '{"runs":[{"id":"run-2"'
stop 0
expect 2 'there is no folder' serve uniform --runs "$folder/none"
expect 2 'the folder '"$folder/empty has no nets" serve "$folder/empty"
expect 1 'there is no file' serve uniform "$folder/nothing.aji"
expect 1 'nothing.aji' serve "$folder/nothing.aji"
expect 2 '"localhost" is no address in numbers' serve uniform --port 0 --listen localhost
touch "$folder/a-file"
expect 2 'is a file, a folder is wanted' serve uniform --port 0 --games "$folder/a-file"
echo short >"$folder/token"
expect 2 'a token has at least 16 letters' serve uniform --token-file "$folder/token"
echo 'sixteen letters and blanks' >"$folder/token"
expect 2 'a token has at least 16 letters' serve uniform --token-file "$folder/token"
expect 1 'nothing' serve uniform --token-file "$folder/nothing"
expect 2 '--port' serve uniform --port 70000
expect 2 'TLS needs both --cert and --key; --key is missing' serve uniform --cert "$folder/cert.pem"
expect 2 'TLS needs both --cert and --key; --cert is missing' serve uniform --key "$folder/key.pem"
expect 1 "$folder/cert.pem: No such file" serve uniform --cert "$folder/cert.pem" --key "$folder/key.pem"

# With a certificate and its key, the address begins with https. More of TLS is in tests/serve/test_tls.c.
if command -v openssl >/dev/null && command -v curl >/dev/null; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$folder/key.pem" -out "$folder/cert.pem" \
        -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>"$folder/err" || fault 'no certificate was made'
    start --cert "$folder/cert.pem" --key "$folder/key.pem" --runs "$folder/run-2"
    [ "$address" = "https://127.0.0.1:$port/" ] || fault "the address is $address"
    for name in 127.0.0.1 localhost; do
        curl --silent --cacert "$folder/cert.pem" "https://$name:$port/api/v1/server" >"$folder/out" || fault 'curl gets no answer'
        also '"protocol":1'
    done
    curl --silent "http://127.0.0.1:$port/api/v1/server" && fault 'a request without TLS is answered'
    # A stream of events has no end, so curl must print each event when it comes.
    curl --silent -N --cacert "$folder/cert.pem" "${address}api/v1/runs/run-2/events" >"$folder/out" &
    reader=$!
    for _ in $(seq 200); do
        grep -q '^data: ' "$folder/out" && break
        sleep 0.1
    done
    kill "$reader"
    wait "$reader" 2>/dev/null
    also 'event: state'
    also 'data: {"name":"run-2"'
    stop 0
else
    echo 'SKIP TLS: the programs openssl and curl (packages of the same names) are not installed'
fi
expect 0 'aji serve [NET...]' serve --help
exit "$((faults > 0))"
