#include "cli/engine/katago_keys.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    const char *keys; /* "a|b*" means the key a and all keys that begin with b */
    const char *reason;
} Reason;

static const Reason REASONS[] = {
    {"logDir|logDirDated|logFile|logToStdout|logToStderr|logTimeStamp|logConfigContents|"
     "logAllGTPCommunication|logSearchInfo|logSearchInfoForChosenMove|logAllRequests|"
     "logAllResponses|logErrorsAndWarnings|logGamesEvery|logMoves|startupPrintMessageToStderr",
     "messages go to stderr; there is no log file"},
    {"cuda*|trt*|opencl*|metal*|eigen*|numEigenThreadsPerModel|numNNServerThreadsPerModel|"
     "nnMaxBatchSize",
     "each search thread has its own evaluator (--threads)"},
    {"maxBoardXSizeForNNBuffer|maxBoardYSizeForNNBuffer|maxBoardSizeForNNBuffer|"
     "requireMaxBoardSize|gtpForceMaxNNSize",
     "an evaluator is made for each board size when it is needed"},
    {"nnCacheSizePowerOfTwo|nnMutexPoolSizePowerOfTwo",
     "use engine.cache_mb in analysis; in GTP the tree keeps its evaluations"},
    {"nodeTableShardsPowerOfTwo|subtreeValueBiasTableNumShards", "each node has its own lock"},
    {"homeDataDir", "Aji keeps no files there"},
    {"searchRandSeed|nnRandSeed", "use --seed, in analysis engine.seed"},
    {"nnModelFile*", "use --net"},
    {"numSearchThreadsPerAnalysisThread|numSearchThreads",
     "one thread searches a position; see engine.threads and engine.positions"},
    {"rules|koRule|scoringRule|taxRule|multiStoneSuicideLegal|hasButton|whiteHandicapBonus|"
     "friendlyPassOk|defaultBoardSize",
     "each query of analysis names its rules and board; only aji gtp starts with these"},
    {"whiteBonusPerHandicapStone", "use whiteHandicapBonus"},
    {"useNonBuggyLcb", "this is always on"},
    {"alwaysComputePassAliveUnderSuicideRules", "the net itself decides this"},
    {"cleanupBeforePass|friendlyPass",
     "not supported; see search.friendly_pass and search.conservative_pass"},
    {"ignoreAllHistory", "not supported; search.ignore_history hides the moves before the root"},
    {"useEvalCache|evalCacheMinVisits",
     "not supported: only the tree keeps the results of earlier searches"},
    {"avoidMYTDaggerHack", "not supported: it bans one move of one corner shape"},
    {"avoidSgf*", "a second list of files is not supported; the first is shapes.* of aji gtp"},
    {"autoAvoidRepeat*", "not supported; shapes.folder reads games that the client has written"},
    {"ogsChatToStderr", "not supported"},
    {"bSizes|bSizesXY|bSizeRelProbs|allowRectangleProb|botName*|numBots|numGameThreads|"
     "numGamesTotal|maxMovesPerGame|includeBots|secondaryBots|extraPairs*|numExtraBlackFixed|"
     "komiMean|komiAuto|handicapProb|handicapCompensateKomiProb|koRules|scoringRules|taxRules|"
     "multiStoneSuicideLegals|hasButtons|policyInitArea*|compensateAfterPolicyInitProb|"
     "maxVisits0|maxVisits1|maxVisits2|cpuctExploration0|cpuctExploration1",
     "for games between nets; aji match and aji learn have their own options and settings"},
    {"serverUrl|username|password|proxy*|maxSimultaneousGames|onlyPlayRatingMatches|"
     "maxRatingMatches|watchOngoing*|disablePredownloadLoop|warnTaskUnusedKeys",
     "Aji does not take part in a public run"},
};

/* Whether one of the patterns "a|b*" matches `key`. */
static bool matches_key(const char *words, const char *key) {
    while (*words) {
        size_t length = strcspn(words, "|");
        bool is_prefix = length && words[length - 1] == '*';
        size_t same = length - is_prefix;
        if (strncmp(words, key, same) == 0 && (is_prefix || !key[same])) return true;
        words += length + (words[length] == '|');
    }
    return false;
}

const char *katago_key_reason(const char *key) {
    for (size_t i = 0; i < sizeof REASONS / sizeof *REASONS; i++) {
        if (matches_key(REASONS[i].keys, key)) return REASONS[i].reason;
    }
    return NULL;
}
