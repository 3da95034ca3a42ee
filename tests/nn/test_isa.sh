#!/bin/bash
# Repeats the tests of inference, of norms, of Winograd's transforms and of int8 with smaller
# instruction sets. Aji's own kernels are then plain C (SSE41), AVX2, AVX-512 without VNNI, AVX-512
# with VNNI, and AVX-512 with bf16 but without AMX.
set -e
output=$(mktemp)
trap 'rm -f "$output"' EXIT
for isa in SSE41 AVX2 AVX512_CORE AVX512_CORE_VNNI AVX512_CORE_BF16; do
    echo "ONEDNN_MAX_CPU_ISA=$isa"
    for test in test_infer test_norm_kernels test_winograd test_infer_winograd test_infer_plan_cache test_conv_int8 test_int8_gemm; do
        ONEDNN_MAX_CPU_ISA=$isa "$AJI_BUILD/$test" >"$output" 2>&1 || {
            cat "$output"
            exit 1
        }
    done
done
