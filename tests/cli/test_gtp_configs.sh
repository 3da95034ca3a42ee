#!/bin/bash
# The GTP engine is started as KataGo is, with KataGo's configs.
. tests/command.sh

cat >"$folder/gtp.cfg" <<'CFG'
# as KataGo writes them
logDir = "gtp # logs"
logAllGTPCommunication = true
rules = japanese
defaultBoardSize = 9
ignoreGTPAndForceKomi = 5.5
allowResignation = true
resignThreshold = -0.90
maxVisits = 30   # a move
maxPlayouts = 20
ponderingEnabled = false
maxTimePondering = 60.0
lagBuffer = 1.0
numSearchThreads = 2
searchFactorAfterOnePass = 0.50
nnCacheSizePowerOfTwo = 20
cudaDeviceToUseThread0 = 0
playoutDoublingAdvantagePla = BLACK
avoidRepeatedPatternUtility = 0.005
analysisIgnorePreRootHistory = false
analysisWideRootNoise = 0.04
delayMoveScale = 0.001
delayMoveMax = 0.001
humanSLCpuctPermanent = 2.0
maxVisitsPondering = 5000
noSuchKey = 1
CFG

# gtp LINES WORDS...: runs `aji gtp WORDS...` with these lines; its answers and messages go to $folder/out
gtp() {
    local lines=$1
    shift
    printf '%b\nquit\n' "$lines" | timeout 60 "$aji" gtp "$@" >"$folder/out" 2>"$folder/err" ||
        fault "aji gtp $*: exit code $?"
    cat "$folder/err" >>"$folder/out"
}

# answered TEXT: one answer of the last engine must be exactly this
answered() {
    grep -qxF -e "= $1" "$folder/out" || fault "no answer is \"$1\""
}

gtp 'get_komi\nkomi 6.5\nget_komi\nkata-get-rules\nkata-get-param maxVisits\nkata-get-param maxPlayouts
kata-get-param numSearchThreads\nkata-get-param analysisWideRootNoise\nkata-get-param avoidRepeatedPatternUtility
kata-get-param playoutDoublingAdvantagePla\nkata-get-param maxVisitsPondering\nkata-get-param humanSLCpuctPermanent
kata-get-param delayMoveMax\nplay b J9\nplay w K1\ngenmove b' -model uniform -config "$folder/gtp.cfg" -override-config homeDataDir=/tmp,maxVisits=25
[ "$(grep -c '^= 5.5$' "$folder/out")" = 2 ] || fault "the komi is not forced"
also '"scoring":"TERRITORY"'
answered 25
answered 20
answered 2
answered 0.04
answered 0.005
answered BLACK
answered 5000
answered 2.0
answered 0.001
also 'unused key "logDir": messages go to stderr'
also 'unused key "logAllGTPCommunication":'
also 'unused key "nnCacheSizePowerOfTwo":'
also 'unused key "cudaDeviceToUseThread0":'
also 'unused key "homeDataDir": Aji keeps no files there'
also 'unused key "noSuchKey"'
[ "$(grep -c '^?' "$folder/out")" = 1 ] || fault "K1, which is off a 9x9 board, was accepted, or more than that was refused"

# Options of the command line overrule the config.
gtp 'kata-get-param maxVisits\nkata-get-rules' -model uniform -config "$folder/gtp.cfg" --visits 7 --rules chinese
answered 7
also '"scoring":"AREA"'

# Rules may be set one by one, as in KataGo's configs. Then koRule, scoringRule and multiStoneSuicideLegal must all be set, and
# `rules` must not be set. Rules that -override-config or --rules sets replace all of them.
cat >"$folder/rules.cfg" <<'CFG'
koRule = SITUATIONAL  # options: SIMPLE, POSITIONAL, SITUATIONAL
scoringRule = AREA
taxRule = ALL
multiStoneSuicideLegal = True
hasButton = true
whiteHandicapBonus = N-1
friendlyPassOk = true
CFG
gtp 'kata-get-rules' -model uniform -config "$folder/rules.cfg"
answered '{"friendlyPassOk":true,"hasButton":true,"ko":"SITUATIONAL","scoring":"AREA","suicide":true,"tax":"ALL","whiteHandicapBonus":"N-1"}'
grep -q 'unused key' "$folder/err" && fault 'a rule is not read'
gtp 'kata-get-rules' -model uniform -config "$folder/rules.cfg" -override-config rules=japanese
answered '{"friendlyPassOk":false,"hasButton":false,"ko":"SIMPLE","scoring":"TERRITORY","suicide":false,"tax":"SEKI","whiteHandicapBonus":"0"}'
gtp 'kata-get-rules' -model uniform -config "$folder/gtp.cfg" -override-config koRule=POSITIONAL,scoringRule=TERRITORY,multiStoneSuicideLegal=false
answered '{"friendlyPassOk":false,"hasButton":false,"ko":"POSITIONAL","scoring":"TERRITORY","suicide":false,"tax":"SEKI","whiteHandicapBonus":"0"}'
gtp 'kata-get-rules' -model uniform -config "$folder/rules.cfg" --rules chinese
answered '{"friendlyPassOk":true,"hasButton":false,"ko":"SIMPLE","scoring":"AREA","suicide":false,"tax":"NONE","whiteHandicapBonus":"N"}'
echo 'rules = chinese' >"$folder/name.cfg"
gtp 'kata-get-rules' -model uniform -config "$folder/name.cfg" -override-config start.ko_rule=POSITIONAL,scoringRule=TERRITORY,multiStoneSuicideLegal=false
answered '{"friendlyPassOk":false,"hasButton":false,"ko":"POSITIONAL","scoring":"TERRITORY","suicide":false,"tax":"SEKI","whiteHandicapBonus":"0"}'
echo 'rules = chinese' >>"$folder/rules.cfg"
expect 2 'both rules and koRule are set' gtp -model uniform -config "$folder/rules.cfg"
expect 2 'hasButton is set, but multiStoneSuicideLegal is not' gtp -model uniform -override-config hasButton=true
expect 2 'koRule: "EASY" is not one of SIMPLE|POSITIONAL' gtp -model uniform -override-config koRule=EASY
expect 2 'a button goes with area scoring only' gtp -model uniform -override-config \
    koRule=SIMPLE,scoringRule=TERRITORY,multiStoneSuicideLegal=false,hasButton=true
expect 0 'each query of analysis names its rules' analysis -model uniform -override-config koRule=SIMPLE

# A list of settings wins over a file, also before it.
gtp 'kata-get-param maxVisits' -model uniform -override-config maxVisits=27 -config "$folder/gtp.cfg"
answered 27
# Without any limit there are 200 visits. If only the time is limited, visits have no limit.
gtp 'kata-get-param maxVisits' -model uniform --time 1
answered 1125899906842624
gtp 'kata-get-param maxVisits' -model uniform
answered 200
gtp 'kata-get-param maxVisits' -model uniform -override-config maxTime=1
answered 1125899906842624
expect 2 'is not within 1 to' gtp -model uniform -override-config maxVisits=0
expect 2 'is not key = value' gtp -model uniform -override-config maxVisits

# A setting without effect is reported.
gtp 'kata-get-param humanSLProfile' -model uniform -override-config humanSLProfile=rank_5k
answered rank_5k
also 'search.human.profile has no effect: there is no net of human play'
expect 2 'search.human.profile: "nobody" is not a profile of human players' gtp uniform --set search.human.profile=nobody

# Large whole numbers are printed in full, for people and for programs.
expect 0 '1125899906842624  1 to 1125899906842624' settings maxvisits
expect 0 '"max": 1125899906842624,' settings --json maxVisits

# If a setting of KataGo's has no counterpart here, `aji settings` says so.
expect 0 'is not a setting here: not supported: it bans one move' settings avoidMYTDaggerHack
expect 0 "is not a setting here: each search thread" settings trtDeviceToUseThread1
expect 0 'search.avoid_repeats' settings avoidRepeatedPatternUtility
expect 0 'gtp.delay_scale' settings delayMoveScale
expect 2 'no setting has' settings noSuchKeyEither
[ "$faults" = 0 ]
