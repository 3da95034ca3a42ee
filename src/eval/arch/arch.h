/* arch.h - reads the description of a net's architecture, and builds a net from it. Call
 * arch_parse() and then arch_build(), or arch_build_text() for both. Threading: free functions. */
#pragma once
#include "eval/arch/arch_settings.h"
#include "eval/arch/blocks/block_options.h"
#include "nn/graph/net.h"

/* Parses a description, which consists of parts joined by dashes or commas. A part is a size such
 * as b6c96, a setting such as norm=fixup, or a word. A word stands for a common setting ("batch"
 * for norm=batch), or it names a kind of block (for the setting `block`) or a head (for the setting
 * `heads`). A setting such as norm=fixup ends only at a comma, because its value may contain
 * dashes. Settings that no part mentions have their defaults. The setting `trunk` lists the blocks
 * of the trunk one by one (trunk.h). Examples are
 *     b6c96
 *     b6c96-batch-mish-k5
 *     blocks=4,channels=32,norm=fixup
 *     c96-mish,trunk=(nested*2+nested(pool=16))*2
 * ERR_SYNTAX, ERR_ARGUMENT: a part is not understood, a value is out of range, settings contradict
 * each other, or no net can be built from them. ERR_MEMORY. */
MUST_USE Status arch_parse(const char *text, ArchSettings *out, Error *err);
/* Builds a net with random weights. Its note "architecture" holds the settings. ERR_SYNTAX,
 * ERR_ARGUMENT: no net can be built from the settings. ERR_MEMORY. */
MUST_USE Status arch_build(const ArchSettings *settings, Rng *rng, Net **out, Error *err);
/* Reads the settings from the net's note. ERR_UNSUPPORTED: the net has no such note. ERR_SYNTAX,
 * ERR_ARGUMENT: the note cannot be parsed. */
MUST_USE Status arch_of_net(const Net *net, ArchSettings *out, Error *err);
/* Does what arch_parse() and then arch_build() do. */
MUST_USE Status arch_build_text(const char *text, Rng *rng, Net **out, Error *err);
