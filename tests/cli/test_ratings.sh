#!/bin/bash
# `aji match` and `aji rate`: round robins, ladders, sequential tests, and ratings from several folders.
. tests/command.sh

games() {
    [ "$(find "$1" -name '*.sgf' | wc -l)" = "$2" ] || fault "not $2 games in $1"
}
board=(--size 4 --komi 1.5 --opening 1 --threads 2)
engine="name=program,gtp:bash tests/cli/fake_engine.sh pass 1 $folder"

# Three players, one of which is a program, and a fourth player that is added later.
expect 0 'likelihood of superiority' match random net=uniform,visits=4,name=four "$engine" "${board[@]}" --games 4 --out "$folder/games"
for name in random four program; do grep -q "^$name " "$folder/out" || fault "no rating of $name"; done
games "$folder/games" 12
sha256sum "$folder"/games/*.sgf >"$folder/before"
expect 0 'eight' match random net=uniform,visits=4,name=four "$engine" net=uniform,visits=8,name=eight "${board[@]}" --games 4 --out "$folder/games"
games "$folder/games" 24
sha256sum --quiet -c "$folder/before" || fault 'a player that came later changed the games of others'
expect 0 'of 48 games' match random net=uniform,visits=4,name=four "$engine" net=uniform,visits=8,name=eight "${board[@]}" --games 8 --out "$folder/games"
expect 0 'score of the first' match random net=uniform,visits=4,name=four "${board[@]}" --games 4 --out "$folder/two"
expect 0 'random#2' match random random "${board[@]}" --games 2
grep -q '^random  ' "$folder/out" || fault 'of two players with one name, the first did not keep it'
expect 2 'two players are called random' match random random random "${board[@]}" --games 2
expect 2 'at least two' match random
expect 0 'four' match random net=uniform,visits=4,name=four net=uniform,visits=8,name=eight "${board[@]}" --games 2 --against 1 --out "$folder/against"
games "$folder/against" 4
expect 2 '--against 3 needs more than 3 players' match random net=uniform,visits=4,name=four "$engine" "${board[@]}" --against 3
expect 2 '--against' match random net=uniform,visits=4,name=four "${board[@]}" --against 0

# Ratings from both folders; the anchor has the rating of --anchor-elo.
expect 0 'better than the next' rate "$folder/games" "$folder/two"
grep -q '^random .* +0  ' "$folder/out" || fault 'random play does not have the rating 0'
grep -q '^random .*  28 ' "$folder/out" || fault 'random play does not have 28 games'
expect 0 'superiority' rate "$folder/games" --matrix --anchor four --anchor-elo 1000
grep -q '^four .* +1000 ' "$folder/out" || fault 'the anchor does not have its rating'
expect 2 'no player is called' rate "$folder/games" --anchor nobody
expect 2 'take one run' rate "$folder/games" "$folder/two" --against random
expect 0 "$folder/./games is the same folder as $folder/games: its games count once" rate "$folder/games" "$folder/./games"
expect 1 'no run is there' rate "$folder/games" "$folder/nothing"
expect 2 '--at is for --against and --ladder only' rate "$folder/games" --at 1
expect 2 'is for --against' rate "$folder/games" --set search.c_puct=2

# The same name is the same player in all folders, but folders with different board sizes are refused.
expect 0 'score of the first' match random net=uniform,visits=4,name=four --size 5 --komi 1.5 --games 2 --out "$folder/five"
expect 2 'are on 4x4, those of' rate "$folder/games" "$folder/five"

# A ladder: ratings that its file gives stay as they are.
cat >"$folder/ladder.cfg" <<'END'
ladder.size = 4
ladder.komi = 1.5
ladder.rules = tromp-taylor
ladder.opening = 1
[dice]
player.spec = random
player.elo = 250
[four]
player.spec = "net=uniform,visits=4"
END
expect 0 'dice' match net=uniform,visits=8,name=eight --ladder "$folder/ladder.cfg" --games 6 --threads 2 --out "$folder/climb"
grep -q '^dice .* +250 ' "$folder/out" || fault 'the player of the ladder does not have its fixed rating'
games "$folder/climb" 12
expect 0 'dice' match --ladder "$folder/ladder.cfg" --games 2 --threads 2
for option in '--size 5' '--komi 2' '--rules chinese' '--opening 2'; do
    # shellcheck disable=SC2086 # two words
    expect 2 "${option% *} and --ladder exclude each other" match random --ladder "$folder/ladder.cfg" $option
done

# With search.choice_law=policy_beta, moves are drawn from the net's policy, so that games differ.
# A search at temperature 0 plays the same game again.
player=net=uniform,visits=3,search.temperature=0,search.temperature_early=0
expect 0 ", 2 distinct" match "name=a,$player" "name=b,$player" --size 4 --komi 0 --opening 0 --games 8
expect 0 ", 8 distinct" match "name=a,$player,search.choice_law=policy_beta" "name=b,$player" --size 4 --komi 0 \
    --opening 0 --games 8

# Random boards, rules and komi: both games of a pair have the same ones.
expect 0 "each pair of games draws its board (4x4 and 5x5), rules and komi (2, deviation 1)" match random \
    name=other,random --draw --set selfplay.sizes=4:1,5:1 --set selfplay.komi.mean=2 --set selfplay.komi.stdev=1 \
    --games 6 --out "$folder/drawn"
for k in 0 2 4; do
    [ "$(grep -o '\(SZ\|KM\|RU\)\[[^]]*' "$folder/drawn/game-0000$k.sgf")" = \
        "$(grep -o '\(SZ\|KM\|RU\)\[[^]]*' "$folder/drawn/game-0000$((k + 1)).sgf")" ] || fault "pair $k is not fair"
done
expect 2 "--komi and --draw exclude each other" match random name=other,random --draw --komi 3
expect 2 "--draw exclude each other" match random name=other,random --draw --ladder "$folder/ladder.cfg"
expect 2 "komi.auto_mean needs a net" match random name=other,random --draw --set selfplay.komi.auto_mean=yes
expect 1 'nothing' match random --ladder "$folder/nothing"

# a sequential test
expect 0 'is accepted' match random net=uniform,visits=4 "${board[@]}" --games 1000 --sprt --set sprt.elo0=0 --set sprt.elo1=100
expect 2 'elo1' match random net=uniform,visits=4 "${board[@]}" --sprt --set sprt.elo0=10 --set sprt.elo1=5
expect 2 'of two players' match random "$engine" net=uniform "${board[@]}" --sprt

# A run with a limit of compute is rated on the ladder.
run=(--run "$folder/run" --set run.arch=b1c8-fixup-nodist --set selfplay.sizes=4:1 --set selfplay.komi.mean=1 --set selfplay.full.visits=8
    --set selfplay.cheap.visits=4 --set run.rows_first=100 --set run.rows_cycle=100 --set run.samples_per_row=2 --set loader.batch=32
    --set run.rate_games=0 --set run.threads=2 --set run.disk_reserve_mb=0 --set loader.memory_mb=16)
expect 0 'multiply-adds of nets' learn "${run[@]}" --compute 2e8
expect 0 'dice' rate "$folder/run" --ladder "$folder/ladder.cfg" --at 100 --games 2 --visits 4 --threads 2
games "$folder/run/ladder" 4
expect 0 'dice' rate "$folder/run" --ladder "$folder/ladder.cfg" --at 100 --games 2 --visits 4 --threads 2 --seed 2
games "$folder/run/ladder" 4
games "$folder/run/ladder-2" 4
expect 0 'dice' rate "$folder/run" --ladder "$folder/ladder.cfg" --at 100 --games 2 --visits 4 --threads 2 --out "$folder/own"
games "$folder/own" 4
expect 2 'choose another folder (--out)' rate "$folder/run" --ladder "$folder/ladder.cfg" --at 100 --games 2 --visits 4 --out "$folder/own" --seed 3
sed 's/^ladder.komi.*/ladder.komi = 127/' "$folder/ladder.cfg" >"$folder/other.cfg"
expect 2 "ladder $folder/other.cfg: " rate "$folder/run" --ladder "$folder/other.cfg" --at 100 --games 2 --visits 4 --out "$folder/own"
# Without temperatures and random moves, all games with the same colors are the same.
cold=(--set search.temperature=0 --set search.temperature_early=0)
expect 0 'of 6 games, 2 distinct' rate "$folder/run" --against net=uniform,visits=4,search.temperature=0,search.temperature_early=0 \
    "${cold[@]}" "${board[@]}" --opening 0 --at 100 --games 6
expect 0 'of 6 games, 6 distinct' rate "$folder/run" --against net=uniform,visits=4,search.temperature=0,search.temperature_early=0 \
    --set search.temperature=9 --set search.temperature_early=9 "${board[@]}" --opening 0 --at 100 --games 6
printf 'ladder.size = 5\nladder.komi = 24\n[gone]\nplayer.spec = "net=none.aji"\n' >"$folder/gone.cfg"
expect 1 'player gone: cannot read none.aji' rate "$folder/run" --ladder "$folder/gone.cfg" --at 100 --games 2 --out "$folder/gone"
expect 2 '--at is for --against and --ladder only' rate "$folder/games" --at 1
expect 2 'is for --against' rate "$folder/run" --ladder "$folder/ladder.cfg" "${cold[@]}"
expect 2 'for --ladder only' rate "$folder/run" --out "$folder/own"
[ "$(find "$folder/run/nets" -name '*.aji' | wc -l)" -ge 1 ] || fault 'no net was made'
grep -qF 'Elo against the opponents of ladder.cfg' "$folder/run/report/index.html" || fault 'the ladder is not on the page'

[ "$faults" = 0 ] || echo "$faults faults" >&2
exit $((faults > 0))
