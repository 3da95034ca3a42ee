/* event_file.h - curves for TensorBoard: a file of events, each a small protobuf message in a frame
 *     u64 length, u32 masked CRC of it, the message, u32 masked CRC of the message
 * all little-endian; CRC is CRC-32C, masked: rotated right by 15 bits, plus 0xa282ead8
 * (tensorflow/core/lib/io/record_writer.cc; core/util/event.proto). Threading: confined. */
#pragma once
#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

uint32_t event_file_crc32c(const void *bytes, size_t count); /* the plain one */

typedef struct {
    const char *tag;
    double value;
} EventScalar;

/* Adds one event with all scalars to the file, which is made where there is none. Events that are
 * whole stay: what a kill left half-written at the end is cut off, and what is broken before whole
 * events, where readers would stop, is left out in a file that takes the place of the old one.
 * `wall_seconds`: since 1970. ERR_IO, ERR_MEMORY; ERR_SYNTAX: the file is something else. */
MUST_USE Status event_file_add(const char *path, double wall_seconds, int64_t step,
                               const EventScalar *scalars, int count, Error *err);
