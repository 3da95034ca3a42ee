/* net_quantize.h - `aji net quantize`: a net with what int8 needs, and what int8 and bf16 cost it.
 */
#pragma once

int net_quantize(int argc, char **argv); /* argv[0] is "quantize"; the exit code */
