#!/bin/bash
# Runs fuzz entries, one after the other. Prints for each entry what it has reached and found.
#   bench/fuzz.sh [--seconds S] [--keep] [TARGET...]
#       --seconds S   processor time of each target; 60 unless given
#       --keep        also adds to fuzz/corpus a few inputs that together reach all new edges. Commit these inputs.
#       TARGET        the name of an entry, such as sgf for fuzz/fuzz_sgf.c; all entries unless some are named
# The script needs clang with its runtime libraries (Debian: clang, libclang-rt-14-dev). Inputs with new coverage stay in
# $AJI_FUZZ/corpus, and the next start begins with them. Findings stay in $AJI_FUZZ/findings. If AJI_FUZZ is not set, it is
# $XDG_CACHE_HOME/aji-fuzz or, without XDG_CACHE_HOME, ~/.cache/aji-fuzz. After one Ctrl-C the script
# ends the current target, prints and keeps what this target found so far, and exits.
set -u
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
home=${AJI_FUZZ:-${XDG_CACHE_HOME:-$HOME/.cache}/aji-fuzz}
seconds=60 keep=no targets=()
PLACES_MAX=20  # maximum number of late edges (explained in the output) whose places are printed for one target
FINDINGS_MAX=3 # findings after which a target ends, because the same fault is often found again and again

usage() {
    sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"
}
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) seconds=${2:-} && shift ;;
    --seconds=*) seconds=${1#*=} ;;
    --keep) keep=yes ;;
    --help | -h) usage && exit 0 ;;
    -*) usage >&2 && exit 2 ;;
    *) targets+=("${1#fuzz_}") ;;
    esac
    shift
done
case $seconds in '' | *[!0-9]* | 0) echo "fuzz.sh: --seconds takes a whole number above 0" >&2 && exit 2 ;; esac
if [ ${#targets[@]} = 0 ]; then
    for source in "$root"/fuzz/fuzz_*.c; do
        source=${source##*/fuzz_}
        targets+=("${source%.c}")
    done
fi
for target in "${targets[@]}"; do
    [ -f "$root/fuzz/fuzz_$target.c" ] || { echo "fuzz.sh: there is no fuzz/fuzz_$target.c" >&2 && exit 2; }
done

# If the compiler has changed since the last start, cmake forgets the settings of the preset. The entries would then be built
# without libFuzzer. In that case this function removes build/fuzz and configures it again.
configure() {
    cmake --preset fuzz || return
    grep -q '^AJI_FUZZ:[A-Z]*=ON$' build/fuzz/CMakeCache.txt && return
    rm -rf build/fuzz
    cmake --preset fuzz
}

build() {
    cd "$root" || return
    { configure && ninja -C build/fuzz "${targets[@]/#/fuzz_}"; } >"$work/build.log" 2>&1 && return
    grep -E 'error|FAILED|cannot find' "$work/build.log" | head -n 20 >&2
    echo "fuzz.sh: the preset fuzz cannot be built; it needs clang and its runtime (libclang-rt-14-dev)" >&2
    return 1
}

work=$(mktemp -d) scratch=$(TMPDIR=/dev/shm mktemp -d 2>/dev/null || mktemp -d)
trap 'rm -rf "$work" "$scratch"' EXIT
stopped=no
trap 'stopped=yes' INT TERM
mkdir -p "$home/corpus" "$home/findings"
build || exit 1
export TMPDIR=$scratch UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:strict_string_checks=1
ticks_per_second=$(getconf CLK_TCK)

# Prints the processor time of a process and of its children that have ended, in ticks.
ticks_of() { # PID
    awk '{ print $14 + $15 + $16 + $17 }' "/proc/$1/stat" 2>/dev/null || echo 0
}

count_new() { # LOG
    grep -c '	NEW ' "$1"
}

# Prints the last number of edges, or of features, in a log. (A feature is an edge passed a certain number of times, or a pair of
# a calling and a called function.)
count_of() { # cov|ft LOG
    sed -n "s/.* $1: \([0-9]*\) .*/\1/p" "$2" | tail -n 1
}

# Prints the function, file and line of each new edge of a log.
places_of() { # LOG
    sed -n 's:.*NEW_PC\: [^ ]* in \([^ ]*\) .*/\(src\|fuzz\)/:\1 \2/:p' "$1"
}

# Waits until the process ends by itself, or ends it when it has used up the time or the user stops the script. Sets `used` to the
# processor time used, in ticks. Sets three counts to their values after three quarters of all time:
#   early         the number of new units
#   early_edges   the number of edges; empty if unknown
#   early_places  the number of lines of places_of()
watch_process() { # PID LOG USED-BEFORE NEW-UNITS-BEFORE PLACES-BEFORE
    local now=0 begun=$SECONDS edges
    used=$3
    while kill -0 "$1" 2>/dev/null; do
        sleep 0.3
        now=$(ticks_of "$1")
        [ "$now" = 0 ] || used=$(($3 + now))
        if [ "$used" -lt $((limit * 3 / 4)) ]; then
            early=$(($4 + $(count_new "$2")))
            early_places=$(($5 + $(places_of "$2" | wc -l)))
            edges=$(count_of cov "$2")
            early_edges=${edges:-$early_edges} # a process that has just been started again has not counted edges yet
        fi
        # The last condition is for a target that mostly waits, because it would never use up its processor time.
        if [ "$used" -ge "$limit" ] || [ $stopped = yes ] || [ $((SECONDS - begun)) -gt $((20 * seconds + 60)) ]; then
            kill -USR1 "$1" 2>/dev/null # the process then prints what it has done, and ends
            sleep 0.3
        fi
    done
    wait "$1" 2>/dev/null
}

findings_of() { # TARGET
    find "$home/findings" -name "$1-*" -type f -newer "$work/begin" | sort
}

# Adds inputs of a folder to a corpus if they reach something new.
merge() { # TARGET INTO FROM OPTION...
    local target=$1
    shift
    "$root/build/fuzz/fuzz_$target" -timeout=60 -close_fd_mask=3 "$@" >>"$work/$target.merge" 2>&1 || {
        echo "fuzz.sh: the inputs of $target could not be merged:" >&2
        tail -n 3 "$work/$target.merge" >&2
    }
}

run_target() { # TARGET
    local target=$1 log=$work/$1.log dictionary=() executions=0 count pid
    local corpus=$home/corpus/$target fresh=$work/$target.new
    limit=$((seconds * ticks_per_second)) used=0 early=0 early_edges= early_places=0
    mkdir -p "$corpus" "$fresh" "$root/fuzz/corpus/$target"
    [ ! -f "$root/fuzz/dict/$target.dict" ] || dictionary=("-dict=$root/fuzz/dict/$target.dict")
    touch "$work/begin"
    : >"$log"
    while :; do
        "$root/build/fuzz/fuzz_$target" "${dictionary[@]}" -timeout=60 -close_fd_mask=3 -print_final_stats=1 -print_pcs=1 \
            -artifact_prefix="$home/findings/$target-" "$fresh" "$corpus" "$root/fuzz/corpus/$target" >"$work/part.log" 2>&1 &
        pid=$!
        watch_process $pid "$work/part.log" "$used" "$(count_new "$log")" "$(places_of "$log" | wc -l)"
        count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/part.log")
        executions=$((executions + ${count:-0}))
        cat "$work/part.log" >>"$log"
        if [ $stopped = yes ] || [ "$used" -ge "$limit" ] || ! grep -q 'Test unit written to' "$work/part.log"; then break; fi
        [ "$(findings_of "$target" | wc -l)" -lt $FINDINGS_MAX ] || break
    done
    report "$target" "$log" "$executions"
    if [ "$executions" = 0 ]; then
        echo "fuzz.sh: $target has run no input:" >&2
        tail -n 3 "$log" >&2
        idle=$((idle + 1))
    fi
    merge "$target" "$corpus" "$fresh" -merge=1
    # This merge keeps few inputs for many edges. How often an input passes an edge does not count.
    [ $keep = no ] || merge "$target" "$root/fuzz/corpus/$target" "$corpus" -set_cover_merge=1 -use_counters=0
}

report() { # TARGET LOG EXECUTIONS
    local edges features found late=-
    edges=$(count_of cov "$2")
    features=$(count_of ft "$2")
    found=$(findings_of "$1" | wc -l)
    [ -z "$early_edges" ] || late=$((edges - early_edges))
    printf '%-14s %10d %9s %7d %9s %8d %9d %9d\n' "$1" "$3" \
        "$(awk -v n="$3" -v t="$used" -v h="$ticks_per_second" 'BEGIN { printf t ? "%.0f" : "-", t ? n * h / t : 0 }')" \
        "${edges:-0}" "$late" "${features:-0}" $(($(count_new "$2") - early)) "$found"
    places_of "$2" | tail -n +$((early_places + 1)) | sed 's/^/    first reached late: /' | head -n "$PLACES_MAX"
    findings_of "$1" | while read -r file; do
        echo "  ASAN_OPTIONS=$ASAN_OPTIONS build/fuzz/fuzz_$1 $file"
        timeout 100 "$root/build/fuzz/fuzz_$1" "$file" 2>&1 | grep -m 1 -E ': not so: |^SUMMARY' | sed 's/^/    /'
    done
    findings=$((findings + found))
}

findings=0 idle=0 # idle: targets that ran no input
echo "processor time of each target: $seconds s; exec/s: by processor time"
echo "late edges: edges first reached in the last quarter of the time; late units: inputs kept in that quarter for a new feature"
echo "features: a new edge, an edge passed a new number of times, or a new pair of a calling function and a called function"
printf '%-14s %10s %9s %7s %9s %8s %9s %9s\n' \
    target executions exec/s edges 'late edges' features 'late units' findings
for target in "${targets[@]}"; do
    [ $stopped = no ] || break
    run_target "$target"
done
if [ $keep = yes ]; then
    bytes=$(find "$root/fuzz/corpus" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum + 0 }')
    echo "fuzz/corpus has $bytes bytes; it is to stay below 800000"
fi
[ $stopped = no ] || exit 130
[ "$findings" = 0 ] && [ "$idle" = 0 ]
