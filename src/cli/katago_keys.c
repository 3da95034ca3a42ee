#include "cli/katago_keys.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    const char *keys; /* "a|b*": a, and all that begin with b */
    const char *reason;
} Reason;

static const Reason REASONS[] = {
    {"logDir|logDirDated|logFile|logToStdout|logToStderr|logTimeStamp|logConfigContents|"
     "logAllGTPCommunication|logSearchInfo|logSearchInfoForChosenMove|logAllRequests|"
     "logAllResponses|logErrorsAndWarnings|logGamesEvery|logMoves|startupPrintMessageToStderr",
     "what there is to tell goes to stderr, and no log is kept"},
    {"cuda*|trt*|opencl*|metal*|eigen*|numEigenThreadsPerModel|numNNServerThreadsPerModel|"
     "nnMaxBatchSize",
     "each thread that searches has an evaluator of its own (--threads)"},
    {"maxBoardXSizeForNNBuffer|maxBoardYSizeForNNBuffer|maxBoardSizeForNNBuffer|"
     "requireMaxBoardSize|gtpForceMaxNNSize",
     "an evaluator is made for each size of board when it is needed"},
    {"nnCacheSizePowerOfTwo|nnMutexPoolSizePowerOfTwo",
     "in analysis engine.cache_mb; in GTP the tree keeps its evaluations"},
    {"nodeTableShardsPowerOfTwo|subtreeValueBiasTableNumShards", "nodes have locks of their own"},
    {"homeDataDir", "nothing is kept there"},
    {"searchRandSeed|nnRandSeed", "--seed, or engine.seed in analysis"},
    {"nnModelFile*", "--net"},
    {"numSearchThreadsPerAnalysisThread|numSearchThreads",
     "one thread a position: engine.threads, engine.positions"},
    {"rules|koRule|scoringRule|taxRule|multiStoneSuicideLegal|hasButton|whiteHandicapBonus|"
     "friendlyPassOk|defaultBoardSize",
     "each query of analysis names its rules and its board; aji gtp begins with these"},
    {"whiteBonusPerHandicapStone", "whiteHandicapBonus"},
    {"useNonBuggyLcb", "it is always so"},
    {"alwaysComputePassAliveUnderSuicideRules", "nets say it themselves"},
    {"cleanupBeforePass|friendlyPass", "not here: search.friendly_pass, search.conservative_pass"},
    {"ignoreAllHistory", "not here: search.ignore_history hides what is before the root"},
    {"useEvalCache|evalCacheMinVisits",
     "not here: what earlier searches found is kept in the tree alone"},
    {"avoidMYTDaggerHack", "not here: it bans one move of one corner shape"},
    {"avoidSgf*", "a second list of files is not here; analysis has none: aji gtp, shapes.*"},
    {"autoAvoidRepeat*", "not here: shapes.folder reads games that the client has written"},
    {"ogsChatToStderr", "not here"},
    {"bSizes|bSizesXY|bSizeRelProbs|allowRectangleProb|botName*|numBots|numGameThreads|"
     "numGamesTotal|maxMovesPerGame|includeBots|secondaryBots|extraPairs*|numExtraBlackFixed|"
     "komiMean|komiAuto|handicapProb|handicapCompensateKomiProb|koRules|scoringRules|taxRules|"
     "multiStoneSuicideLegals|hasButtons|policyInitArea*|compensateAfterPolicyInitProb|"
     "maxVisits0|maxVisits1|maxVisits2|cpuctExploration0|cpuctExploration1",
     "of games between nets: aji match, aji learn have options and settings for it"},
    {"serverUrl|username|password|proxy*|maxSimultaneousGames|onlyPlayRatingMatches|"
     "maxRatingMatches|watchOngoing*|disablePredownloadLoop|warnTaskUnusedKeys",
     "nothing is sent to a public run"},
};

/* Whether one of the words of "a|b*" stands for `key`. */
static bool stands_for(const char *words, const char *key) {
    while (*words) {
        size_t length = strcspn(words, "|");
        bool open = length && words[length - 1] == '*';
        size_t same = length - open;
        if (strncmp(words, key, same) == 0 && (open || !key[same])) return true;
        words += length + (words[length] == '|');
    }
    return false;
}

const char *katago_key_reason(const char *key) {
    for (size_t i = 0; i < sizeof REASONS / sizeof *REASONS; i++) {
        if (stands_for(REASONS[i].keys, key)) return REASONS[i].reason;
    }
    return NULL;
}
