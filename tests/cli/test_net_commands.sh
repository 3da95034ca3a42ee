#!/bin/bash
# `aji net` with its subcommands info, show, export, check, quantize, convert, average and metrics.
. tests/command.sh

drawn() {
    grep -q '</svg>' "$folder/pictures/$1.svg" && return
    echo "no picture $1.svg" >&2
    faults=$((faults + 1))
}

net=$folder/a.aji
other=$folder/b.aji
"$aji" net new --arch b2c8-batch --seed 1 "$net" >/dev/null || exit 1
"$aji" net new --arch b2c8-batch --seed 2 "$other" >/dev/null || exit 1
"$aji" net convert "$net" "$folder/a.bin.gz" >/dev/null || exit 1
printf '(;GM[1]SZ[5]KM[3.5];B[cc];W[bc];B[cb])' >"$folder/game.sgf"
printf '(;GM[1]SZ[5])' >"$folder/short.sgf"
printf '(;GM[1]SZ[7];B[cc];W[dd])\n(;GM[1]SZ[7];B[ee])\n' >"$folder/games.sgfs"

expect 0 "info " net --help
also "convert "
expect 2 "a subcommand is missing; use new, info, show, check, convert, export, quantize, average or metrics" net
expect 2 'there is no subcommand "draw"' net draw "$net"
expect 2 "there is an option before the subcommand" net --arch b1c8 new "$folder/x.aji"

expect 0 "trunk     2 blocks of 8 channels; 1 residual; 1 global pooling" net info "$net"
also "block1     global pooling 3 conv 3x3, dense"
also "13x13"
expect 0 '"kind": "global pooling"' net info "$net" --json
also '"9x9": '
expect 0 "KataGo's model version 14" net info "$folder/a.bin.gz"
expect 0 '"name": "block1.poolmap"' net info "$net" --json
expect 0 "block0.conv1 " net info "$net" --layers
also "block1.poolmap"
also "conv 3x3"
expect 2 "usage: aji net info" net info

# Nets in lc0's format: a net for Go, and a net for chess.
lc0=$folder/lc0.aji
"$aji" net new "$lc0" --arch "c8-mish,start_kernel=1,tip=none,policy_attention=4,policy_embedding=4,\
trunk=embedding+encoder(rotary=none,heads=2),heads=policy+value+moves_left" >/dev/null || exit 1
expect 0 "lc0.pb.gz: converted from" net convert "$lc0" "$folder/lc0.pb.gz"
expect 0 "again.aji: converted from" net convert "$folder/lc0.pb.gz" "$folder/again.aji"
expect 0 "trunk     2 blocks of 8 channels; 1 with gates by place; 1 encoder" net info "$folder/lc0.pb.gz"
"$aji" net new "$folder/many.aji" --arch "c8,trunk=embedding+encoder(rotary=none,heads=2)*3" >/dev/null || exit 1
expect 0 "trunk     4 blocks of 8 channels; 1 with gates by place; 3 encoders" net info "$folder/many.aji"
"$aji" net new "$folder/one.aji" --arch b1c8 >/dev/null || exit 1
expect 0 "trunk     1 block of 8 channels; 1 residual" net info "$folder/one.aji"
expect 0 '"kind": "encoder"' net info "$folder/lc0.pb.gz" --json
expect 0 "best move the same in 100.0%" net check "$lc0" "$folder/lc0.pb.gz" --count 20 --size 5
expect 1 'no place for its head "score"' net convert "$net" "$folder/no.pb.gz"
chess=tests/golden/lc0/tower.pb.gz
expect 0 "trunk       2 residual blocks of 4 channels with squeeze and excitation" net info "$chess"
also "weights.residual[1].se.w1"
also "Aji cannot play with it"
expect 0 "has these parts of it: trunk value moves_left policy" net convert "$chess" "$folder/chess.aji"
expect 0 "block1     global pooling 2 conv 3x3, 2 dense" net info "$folder/chess.aji"
expect 1 "is a net of lc0 for chess: 2 residual blocks" net convert "$chess" "$folder/no.bin.gz"
expect 1 "is a net of lc0 for chess: 2 residual blocks" net check "$chess"
expect 2 "is a net of lc0 for chess: --json" net info "$chess" --json

expect 0 "block0.conv1.weight" net show "$net"
also "rms from"
[ "$(awk 'NR > 1 { print match($0, / [0-9]+(x[0-9]+)* +[0-9]+ /) }' "$folder/out" | sort -u | wc -l)" = 1 ] ||
    fault "the columns of net show are not one below the other"
expect 0 "b1c8, " net new --arch b1c8 "$folder/new.txt"
expect 0 "KataGo's model version 14" net info "$folder/new.txt"
expect 0 "pictures are in $folder/pictures" net show "$net" --out "$folder/pictures"
drawn norms
drawn block0.conv1.weight
drawn start.globals.weight
expect 0 "block1 after move 2, Black to move: 8 channels on the board" net show "$net" --layer block1 \
    --sgf "$folder/game.sgf" --move 2 --out "$folder/pictures"
also "block1.poolmap.weight"
also "maximum at"
drawn block1-output
expect 0 "planes after move 3, White to move: 22 channels" net show "$net" --layer planes --size 5 \
    --moves "B C3 W D3, E5" --channel 0
also "  1.000  1.000"
expect 0 "value after move 0" net show "$net" --layer value --size 5
expect 2 "did you mean block0.conv1" net show "$net" --layer block0.conv7 --size 5
expect 2 "--channel: the layer has channels 0 to 7" net show "$net" --layer block0 --size 5 --channel 8
expect 2 "--channel: the layer has no board" net show "$net" --layer value --size 5 --channel 0
expect 2 '--moves, at "C3"' net show "$net" --layer block0 --size 5 --moves "C3 C3"
expect 2 '--moves, at "Z9"' net show "$net" --layer block0 --size 5 --moves "Z9"
expect 1 "/proc/" net show "$net" --out /proc/pictures
expect 0 "groups of channels are ordered by similarity" net show "$net" --order --seed 3 \
    --out "$folder/ordered"
cmp -s "$folder/ordered/block0.conv1.weight.svg" "$folder/pictures/block0.conv1.weight.svg" &&
    fault "--order draws the same picture"
expect 2 "--order is for pictures" net show "$net" --order

# The numbers of a tensor: one line for each output and place of the kernel. Their sum of squares is
# the square of the norm that the list shows.
expect 0 "# block0.conv1.weight 8x3x3x8" net show "$net" --tensor block0.conv1.weight
also "7 2 2: "
[ "$(wc -l <"$folder/out")" = 73 ] || fault "the tensor does not have 72 lines"
squares=$(awk '/:/ { for (i = 4; i <= NF; i++) sum += $i * $i } END { printf "%.3f", sqrt(sum) }' "$folder/out")
[ "$("$aji" net show "$net" | awk '$1 == "block0.conv1.weight" { print $4 }')" = "$squares" ] ||
    fault "the numbers of the tensor have the norm $squares"
expect 0 "# value.v3bias.bias 3" net show "$net" --tensor value.v3bias.bias
[ "$(wc -l <"$folder/out")" = 2 ] || fault "a vector is not one line"
expect 2 "did you mean block0.conv1.weight?" net show "$net" --tensor block0.conv1.weigh
expect 2 "--tensor cannot be combined" net show "$net" --tensor a --layer block0

expect 0 "a.onnx: exported from $net for boards of 19x19" net export --onnx "$folder/a.onnx" "$net"
grep -qa 'score_multipliers' "$folder/a.onnx" || fault "the ONNX file does not say how to read it"
expect 0 "for boards of 9x7" net export --onnx "$folder/a.onnx" "$folder/a.bin.gz" --size 9x7
grep -qa '9x7' "$folder/a.onnx" || fault "the ONNX file was not written again"
expect 0 "best move the same in 100.0%" net check "$net" "$folder/a.bin.gz" --size 5 --count 12
also "12 positions, of games that the first net played"
expect 0 "4 positions, of the games" net check "$net" "$other" --positions "$folder/game.sgf"
also "game.sgf, game 1, move"
expect 0 "9 positions, of the games" net check "$net" "$other" --positions "$folder/game.sgf" "$folder/games.sgfs"
expect 0 "3 positions" net check "$net" "$other" "$folder/games.sgfs" --count 3
also "f32"
expect 0 '"worst_in": ' net check "$net" --precision f32,f32 --json --size 5 --count 3
also '"agreement": 1.0'
expect 2 '--precision: precision "f16"' net check "$net" --precision f32,f16
expect 2 "is a third net" net check "$net" "$other" "$net"
expect 2 "a net is wanted" net check "$folder/game.sgf"
expect 1 "none.sgf" net check "$net" --positions "$folder/none.sgf"

# A path that cannot be written is refused before the work begins. Ctrl-C ends the work, and leaves no file.
expect 1 "/proc/eight.aji" net quantize "$net" /proc/eight.aji --count 100000
mkdir "$folder/folder.aji"
expect 1 "a directory, a file was wanted" net quantize "$net" "$folder/folder.aji" --count 100000
stopped() { # TEXT WORDS...: interrupts `aji WORDS...`, which would take long, after a second; it must print TEXT
    local text=$1 got
    shift
    timeout -s INT -k 60 1 "$aji" "$@" >"$folder/out" 2>&1
    got=$?
    [ "$got" = 124 ] && grep -qF -e "$text" "$folder/out" || fault "aji $*: $got after Ctrl-C"
}
stopped "of 100000 positions played" net check "$net" --count 100000 --size 19
stopped "of 100000 positions played" net quantize "$net" "$folder/none.aji" --count 100000 --sizes 19
[ -z "$(find "$folder" -name 'none.aji*')" ] || fault "a net was written after Ctrl-C"

# Each call uses the same positions and prints the same numbers.
"$aji" net check "$net" "$other" --size 5 --count 20 --json >"$folder/first"
"$aji" net check "$net" "$other" --size 5 --count 20 --json >"$folder/second"
cmp -s "$folder/first" "$folder/second" || { echo "net check differs from run to run" >&2; faults=$((faults + 1)); }

expect 0 "$folder/eight.aji: written" net quantize "$net" "$folder/eight.aji" --sizes 5,7 --count 8
also "layers in int8, from 4 positions"
also "compared with f32 on 4 positions"
expect 0 "12 positions" net check "$folder/eight.aji" --precision f32,int8 --size 5 --count 12
expect 0 "layers in int8, from 2 positions" net quantize "$net" "$folder/eight.aji" --positions "$folder/game.sgf"
expect 0 "in int4, in groups of 32" net quantize "$net" "$folder/four.aji" --int4 32 --sizes 5 --count 8
also "compared with f32 on 4 positions"
expect 0 "4 positions" net check "$net" "$folder/four.aji" --size 5 --count 4
expect 0 "converted from" net convert "$folder/four.aji" "$folder/four.again.aji"
cmp -s "$folder/four.aji" "$folder/four.again.aji" || fault "a packed net is not written as it was read"
expect 0 "layers learn with the rounding of int8" net quantize "$net" "$folder/learner.aji" --learn --sizes 5 --count 8
expect 0 "layers learn with the rounding of int4, in groups of 32" net quantize "$net" "$folder/learner4.aji" --learn --int4 32
expect 2 "already" net quantize "$folder/learner4.aji" "$folder/none.aji" --learn --int4 32
expect 0 "in int4, in groups of 32, with learned scales" net quantize "$folder/learner4.aji" "$folder/four.aji"
expect 2 "already" net quantize "$folder/learner.aji" "$folder/none.aji" --learn --sizes 5 --count 8
expect 2 "without --int4 first" net quantize "$folder/learner.aji" "$folder/none.aji" --int4 32
expect 0 "layers in int8, with learned scales" net quantize "$folder/learner.aji" "$folder/eight.aji" --sizes 5 --count 8
expect 0 "12 positions" net check "$folder/eight.aji" --precision f32,int8 --size 5 --count 12
expect 2 "32 or 64 are wanted" net quantize "$net" "$folder/none.aji" --int4 48
expect 2 "--sizes 9,1" net quantize "$net" "$folder/none.aji" --sizes 9,1
expect 2 "has one position" net quantize "$net" "$folder/none.aji" --positions "$folder/short.sgf"
expect 1 "the net has no scales for int8" net check "$net" --precision f32,int8 --size 5 --count 2
[ -e "$folder/none.aji" ] && fault "a net was written after a failure"

# A net is never written over itself. If the output is another path of the input, such as a symbolic
# link to it, the call is refused. If the output is a symbolic link to another file, the link is
# replaced, and the file to which it pointed stays as it is.
ln "$folder/a.bin.gz" "$folder/hard.bin.gz"
ln -s a.bin.gz "$folder/soft.bin.gz"
sha256sum "$net" "$folder/a.bin.gz" "$folder/hard.bin.gz" >"$folder/sums"
expect 0 "parameters are stored in 16 bits" net convert "$net" "$folder/short.aji" --f16
expect 0 "converted from" net convert "$folder/short.aji" "$folder/short.again.aji"
if [ "$(stat -c %s "$folder/short.again.aji")" -ge "$(($(stat -c %s "$net") * 4 / 5))" ]; then
    echo "the file with weights in 16 bits is not smaller" >&2
    faults=$((faults + 1))
fi
expect 2 "only .aji files" net convert "$net" "$folder/short.bin.gz" --f16
expect 2 "name another file" net convert "$net" "$net"
for path in "$folder/./a.bin.gz" "$folder/hard.bin.gz" "$folder/soft.bin.gz"; do
    expect 2 "name another file" net convert "$folder/a.bin.gz" "$path"
done
sha256sum --quiet -c "$folder/sums" || fault "a net was changed by its own conversion"
[ -L "$folder/soft.bin.gz" ] || fault "a refused call replaced a link"
expect 0 "from $net" net convert "$net" "$folder/soft.bin.gz"
sha256sum --quiet -c "$folder/sums" || fault "the file to which a link pointed was changed"
[ -z "$(find "$folder" -name '*.tmp')" ] || fault "a temporary file was left"

# The mean of nets is written only to a new file; metrics are measured on rows.
"$aji" net new --arch b1c8-batch "$folder/small.aji" >/dev/null || exit 1
expect 0 "mean.aji: the mean of 2 nets" net average "$net" "$other" "$folder/mean.aji"
expect 0 "3.aji: the mean of 2 nets" net average --weights 3,1.5 "$net" "$other" "$folder/3.aji"
cmp -s "$folder/mean.aji" "$folder/3.aji" && fault "the mean is the same with and without weights"
sha256sum "$net" "$other" >"$folder/sums"
expect 2 "$other exists already" net average "$net" "$net" "$other"
sha256sum --quiet -c "$folder/sums" || fault "net average overwrote a file that existed"
expect 2 "must have the same layers" net average "$net" "$folder/small.aji" "$folder/none.aji"
expect 2 "2 numbers are wanted" net average --weights 1,2,3 "$net" "$other" "$folder/none.aji"
expect 2 "--weights" net average --weights 1,x "$net" "$other" "$folder/none.aji"
expect 1 "none.aji" net average "$net" "$folder/none.aji" "$folder/none2.aji"
expect 2 "usage: aji net average" net average "$net" "$folder/none.aji"
[ -z "$(find "$folder" -name 'none*.aji')" ] || fault "a net was written after a failure"
expect 2 "usage: aji net metrics" net metrics "$net"
expect 1 "no such file" net metrics "$net" "$folder/rows"
expect 0 "" selfplay --run "$folder/run" --size 4 --rows 40 --set run.arch=b1c8 --set selfplay.full.visits=4
expect 0 "loss.policy" net metrics "$net" "$folder/run/rows"
also "accuracy.policy"
expect 0 "games with the largest losses" net metrics "$net" "$folder/run/rows" --games 2
also "0000.npz"
expect 0 '"worst_games": ' net metrics "$net" "$folder/run/rows" --games 2 --json
expect 0 '"loss.value": ' net metrics "$net" "$folder/run/rows" --json

echo "$faults faults"
[ "$faults" = 0 ]
