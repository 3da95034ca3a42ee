/* arch.h - a net described in words, and built. Threading: free functions. */
#pragma once
#include "eval/arch_settings.h"
#include "nn/net.h"

/* "b6c96", "b4c32", with parts behind dashes: "b4c32-fixup", "b6c96-batch-mish-k5", or
 * "blocks=4,channels=32,norm=fixup". */
MUST_USE Status arch_parse(const char *text, ArchSettings *out, Error *err);
MUST_USE Status arch_build(const ArchSettings *settings, Rng *rng, Net **out,
                           Error *err); /* random weights; note "architecture" set */
/* What the net's note says; ERR_UNSUPPORTED: it has none, ERR_SYNTAX: it is not understood. */
MUST_USE Status arch_of_net(const Net *net, ArchSettings *out, Error *err);
MUST_USE Status arch_build_text(const char *text, Rng *rng, Net **out, Error *err);
