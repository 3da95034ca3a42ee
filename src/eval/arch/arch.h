/* arch.h - a net's architecture from a description in words, and a net built from it: arch_parse(),
 * then arch_build(), or both by arch_build_text(). Threading: free functions. */
#pragma once
#include "eval/arch/arch_settings.h"
#include "nn/graph/net.h"

/* Parses blocks and channels with words after dashes ("b6c96", "b4c32-fixup",
 * "b6c96-batch-mish-k5"), or settings ("blocks=4,channels=32,norm=fixup"). ERR_SYNTAX,
 * ERR_ARGUMENT. */
MUST_USE Status arch_parse(const char *text, ArchSettings *out, Error *err);
/* A net with random weights, whose note "architecture" holds the settings. */
MUST_USE Status arch_build(const ArchSettings *settings, Rng *rng, Net **out, Error *err);
/* The settings in the net's note. ERR_UNSUPPORTED: it has no such note. ERR_SYNTAX: the note cannot
 * be parsed. */
MUST_USE Status arch_of_net(const Net *net, ArchSettings *out, Error *err);
MUST_USE Status arch_build_text(const char *text, Rng *rng, Net **out, Error *err);
