/* event_file.h - writes curves for TensorBoard into a file of events. Each event is a small
 * protobuf message in a frame, with all numbers little-endian:
 *     u64 length, u32 masked CRC of the length, the message, u32 masked CRC of the message
 * The CRC is CRC-32C; masking rotates it right by 15 bits and adds 0xa282ead8
 * (tensorflow/core/lib/io/record_writer.cc; core/util/event.proto). Threading: confined. */
#pragma once
#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

uint32_t event_file_crc32c(const void *bytes, size_t count); /* not masked */

typedef struct {
    const char *tag;
    double value;
} EventScalar;

/* Appends one event with all scalars to the file. Creates the file if it does not exist. The whole
 * events in the file are kept. A half-written event at the end of the file is cut off. Readers
 * would stop at broken bytes before a whole event. If there are such bytes, a new file without them
 * replaces the file. Whatever is cut off or removed is logged. `wall_seconds` is the time since
 * 1970. ERR_IO, ERR_MEMORY. ERR_SYNTAX: the file is not a file of events. */
MUST_USE Status event_file_add(const char *path, double wall_seconds, int64_t step,
                               const EventScalar *scalars, int count, Error *err);
