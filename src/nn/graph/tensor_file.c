/* The format is safetensors: 8 bytes of little-endian header length, a JSON object {name: {dtype,
 * shape, data_offsets}}, then the data. A header of ours begins with two checksums,
 *     {"__metadata__":{"header_crc32":"01234567","data_crc32":"89abcdef", ...
 * "header_crc32" is the CRC-32 of the header, taken with zeros in place of its own 8 digits.
 * "data_crc32" is the CRC-32 of the data. Files of older versions of Aji have only "data_crc32", as
 * the last note. An older version that loads and saves a file of ours keeps "header_crc32" as an
 * ordinary note, and the checksum is then wrong. Therefore "header_crc32" counts only at the
 * beginning of the header. A header that has only one of the two keys at its place there is
 * damaged. */
#include "nn/graph/tensor_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/memory.h"

enum { NAME_MAX = 80, TENSORS_MAX = 65536 / 2, HEADER_MAX = 8 << 20 };
static const size_t FILE_MAX = (size_t)8 << 30;

typedef struct {
    char name[NAME_MAX], dtype[8];
    size_t count, bytes;
    void *values;
} Tensor;

struct TensorFile {
    Tensor *tensors;
    size_t count, capacity;
    json_t *places; /* the index in `tensors`, by name */
    json_t *notes;  /* "__metadata__" */
};

/* A header of ours begins with a fixed text, 8 digits, another fixed text and 8 digits. */
#define DATA_KEY "data_crc32"
#define HEADER_KEY "header_crc32"
static const char BEFORE_HEADER_CRC[] = "{\"__metadata__\":{\"" HEADER_KEY "\":\"",
                  BEFORE_DATA_CRC[] = "\",\"" DATA_KEY "\":\"";
enum {
    CRC_DIGITS = 8,
    HEADER_CRC_AT = sizeof BEFORE_HEADER_CRC - 1,
    BEFORE_DATA_CRC_AT = HEADER_CRC_AT + CRC_DIGITS,
    BEGINNING = BEFORE_DATA_CRC_AT + sizeof BEFORE_DATA_CRC - 1,
};

static size_t dtype_size(const char *dtype) {
    if (strcmp(dtype, "F32") == 0 || strcmp(dtype, "I32") == 0) return 4;
    if (strcmp(dtype, "F64") == 0 || strcmp(dtype, "I64") == 0 || strcmp(dtype, "U64") == 0)
        return 8;
    if (strcmp(dtype, "BF16") == 0 || strcmp(dtype, "F16") == 0) return 2;
    return strcmp(dtype, "U8") == 0 ? 1 : 0;
}

Status tensor_file_new(TensorFile **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (status) return status;
    (*out)->notes = json_object();
    (*out)->places = json_object();
    if ((*out)->notes && (*out)->places) return OK;
    tensor_file_free(*out);
    *out = NULL;
    return fail(err, ERR_MEMORY, "no memory for a file of tensors");
}

void tensor_file_free(TensorFile *file) {
    if (!file) return;
    for (size_t i = 0; i < file->count; i++)
        free(file->tensors[i].values);
    free(file->tensors);
    json_decref(file->places);
    json_decref(file->notes);
    free(file);
}

static const Tensor *find_tensor(const TensorFile *file, const char *name) {
    const json_t *place = json_object_get(file->places, name);
    return place ? &file->tensors[json_integer_value(place)] : NULL;
}

Status tensor_file_add(TensorFile *file, const char *name, const char *dtype, size_t count,
                       const void *values, Error *err) {
    size_t size = dtype_size(dtype), bytes = mem_array_bytes(count, size);
    if (!size || strlen(name) >= NAME_MAX || file->count >= TENSORS_MAX || find_tensor(file, name))
        return fail(err, ERR_ARGUMENT, "tensor \"%.60s\" of type %.8s cannot be stored", name,
                    dtype);
    Status status =
        mem_grow(&file->tensors, &file->capacity, file->count + 1, sizeof *file->tensors, err);
    Tensor tensor = {.count = count, .bytes = bytes};
    if (!status) status = mem_new(bytes, 1, &tensor.values, err);
    if (status) return status;
    snprintf(tensor.name, sizeof tensor.name, "%s", name);
    memcpy(tensor.dtype, dtype, strlen(dtype) + 1);
    if (json_object_set_new(file->places, tensor.name, json_integer((json_int_t)file->count))) {
        free(tensor.values);
        return fail(err, ERR_ARGUMENT, "the name of tensor \"%.60s\" is not UTF-8 text", name);
    }
    if (bytes) memcpy(tensor.values, values, bytes);
    file->tensors[file->count++] = tensor;
    return OK;
}

Status tensor_file_read(const TensorFile *file, const char *name, const char *dtype, size_t count,
                        void *values, Error *err) {
    const Tensor *tensor = find_tensor(file, name);
    if (!tensor) return fail(err, ERR_SYNTAX, "tensor \"%.60s\" is missing", name);
    if (strcmp(tensor->dtype, dtype) != 0 || tensor->count != count)
        return fail(err, ERR_SYNTAX, "tensor \"%.60s\" has %zu values of %s, wanted %zu of %s",
                    name, tensor->count, tensor->dtype, count, dtype);
    if (tensor->bytes) memcpy(values, tensor->values, tensor->bytes);
    return OK;
}

const void *tensor_file_values(const TensorFile *file, const char *name, const char *dtype,
                               size_t count) {
    const Tensor *tensor = find_tensor(file, name);
    bool fits = tensor && strcmp(tensor->dtype, dtype) == 0 && tensor->count == count;
    return fits ? tensor->values : NULL;
}

bool tensor_file_has(const TensorFile *file, const char *name, const char *dtype, size_t count) {
    return tensor_file_values(file, name, dtype, count) != NULL;
}

Status tensor_file_note(TensorFile *file, const char *key, const char *text, Error *err) {
    if (json_object_set_new(file->notes, key, json_string(text)))
        return fail(err, ERR_ARGUMENT, "note \"%.60s\" is not UTF-8 text", key);
    return OK;
}

const char *tensor_file_get_note(const TensorFile *file, const char *key) {
    return json_string_value(json_object_get(file->notes, key));
}

const char *tensor_file_note_key(const TensorFile *file, size_t index) {
    void *entry = json_object_iter(file->notes);
    while (entry && index-- > 0)
        entry = json_object_iter_next(file->notes, entry);
    return entry ? json_object_iter_key(entry) : NULL;
}

int tensor_file_version(const TensorFile *file, const char *kind) {
    const char *format = tensor_file_get_note(file, "format");
    size_t length = strlen(kind);
    if (!format || strncmp(format, kind, length) != 0 || format[length] != ' ') return 0;
    const char *number = format + length + 1;
    size_t digits = strspn(number, "0123456789");
    return *number != '0' && digits > 0 && digits < 9 && !number[digits] ? atoi(number) : 0;
}

typedef struct {
    char text[16];
} Checksum;

static Checksum checksum_text(uint32_t crc) {
    Checksum out;
    snprintf(out.text, sizeof out.text, "%08x", (unsigned)crc);
    return out;
}

/* The checksum of a header that begins with both checksums. It is taken with zeros in place of the
 * digits of "header_crc32". */
static Checksum header_checksum(const char *text, size_t length) {
    static const char ZEROS[CRC_DIGITS + 1] = "00000000";
    uint32_t crc = hash_crc32(text, HEADER_CRC_AT);
    crc = hash_crc32_more(crc, ZEROS, CRC_DIGITS);
    return checksum_text(
        hash_crc32_more(crc, text + BEFORE_DATA_CRC_AT, length - BEFORE_DATA_CRC_AT));
}

/* Makes the metadata: the checksums and the notes. header_text() later replaces the zeros of the
 * header's checksum. */
static json_t *metadata(const TensorFile *file) {
    uint32_t crc = 0;
    for (size_t i = 0; i < file->count; i++)
        crc = hash_crc32_more(crc, file->tensors[i].values, file->tensors[i].bytes);
    json_t *out =
        json_pack("{s:s, s:s}", HEADER_KEY, "00000000", DATA_KEY, checksum_text(crc).text);
    if (out && !json_object_update_missing(out, file->notes)) return out;
    json_decref(out);
    return NULL;
}

static json_t *header_object(const TensorFile *file) {
    json_t *header = json_object();
    size_t offset = 0;
    int failed = !header || json_object_set_new(header, "__metadata__", metadata(file));
    for (size_t i = 0; i < file->count && !failed; i++) {
        const Tensor *t = &file->tensors[i];
        failed = json_object_set_new(
            header, t->name,
            json_pack("{s:s, s:[I], s:[I, I]}", "dtype", t->dtype, "shape", (json_int_t)t->count,
                      "data_offsets", (json_int_t)offset, (json_int_t)(offset + t->bytes)));
        offset += t->bytes;
    }
    if (!failed) return header;
    json_decref(header);
    return NULL;
}

/* Makes the text of the header, padded with blanks to a multiple of 8 bytes. */
static char *header_text(const TensorFile *file, size_t *length) {
    json_t *header = header_object(file);
    char *json = header ? json_dumps(header, JSON_COMPACT) : NULL, *text = NULL;
    json_decref(header);
    size_t used = json ? strlen(json) : 0;
    *length = (used + 7) / 8 * 8;
    if (json) text = malloc(*length + 1);
    if (text) {
        memset(text, ' ', *length);
        memcpy(text, json, used);
        memcpy(text + HEADER_CRC_AT, header_checksum(text, *length).text, CRC_DIGITS);
    }
    free(json);
    return text;
}

Status tensor_file_save(const TensorFile *file, const char *path, Error *err) {
    size_t length;
    char *text = header_text(file, &length);
    if (!text) return fail(err, ERR_MEMORY, "no memory for the header of %s", path);
    AtomicFile out;
    Status status = atomic_file_open(path, &out, err);
    if (!status) {
        unsigned char size[8];
        for (int i = 0; i < 8; i++)
            size[i] = (unsigned char)((uint64_t)length >> (8 * i));
        fwrite(size, 1, 8, out.stream);
        fwrite(text, 1, length, out.stream);
        for (size_t i = 0; i < file->count; i++)
            fwrite(file->tensors[i].values, 1, file->tensors[i].bytes, out.stream);
        status = atomic_file_commit(&out, err);
    }
    free(text);
    return status;
}

/* Whether this could be the type of a tensor: safetensors has I8, BF16, F8_E4M3 and others. */
static bool looks_like_dtype(const char *text) {
    size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return length > 0 && length <= 12 && !text[length];
}

/* Loads one tensor that the header lists. Its data must begin at `*expected`, the end of the
 * data of the tensor before it. Moves `*expected` to the end of its own data. */
static Status load_tensor(TensorFile *file, const char *name, const json_t *entry, const char *data,
                          size_t data_bytes, size_t *expected, Error *err) {
    const char *dtype = json_string_value(json_object_get(entry, "dtype"));
    const json_t *shape = json_object_get(entry, "shape"),
                 *offsets = json_object_get(entry, "data_offsets");
    size_t size = dtype ? dtype_size(dtype) : 0, count = 1, index;
    json_t *dim;
    if (dtype && !size && looks_like_dtype(dtype))
        return fail(err, ERR_UNSUPPORTED,
                    "made by a newer version of aji, or by another program: tensor \"%.60s\" has "
                    "the unknown type \"%s\"",
                    name, dtype);
    if (!size || !json_is_array(shape) || json_array_size(offsets) != 2 || strlen(name) >= NAME_MAX)
        return fail(err, ERR_SYNTAX, "tensor \"%.60s\": its header is not understood", name);
    json_array_foreach(shape, index, dim) {
        json_int_t n = json_is_integer(dim) ? json_integer_value(dim) : -1;
        if (n < 0 || (uint64_t)n > FILE_MAX)
            return fail(err, ERR_SYNTAX, "tensor \"%.60s\" has an impossible shape", name);
        count = mem_array_bytes(count, (size_t)n);
    }
    size_t bytes = mem_array_bytes(count, size);
    json_int_t first = json_integer_value(json_array_get(offsets, 0)),
               last = json_integer_value(json_array_get(offsets, 1));
    bool good = first >= 0 && (size_t)first == *expected && last >= first &&
                (size_t)last <= data_bytes && (size_t)(last - first) == bytes;
    if (!good)
        return fail(
            err, ERR_SYNTAX,
            "tensor \"%.60s\": its data are not where they should be (is the file cut short?)",
            name);
    *expected = (size_t)last;
    return tensor_file_add(file, name, dtype, count, data + first, err);
}

/* If the header begins with its checksum, checks the header against it. */
static Status verify_header(const char *text, size_t length, Error *err) {
    bool header = length >= BEGINNING && memcmp(text, BEFORE_HEADER_CRC, HEADER_CRC_AT) == 0,
         data = length >= BEGINNING &&
                memcmp(text + BEFORE_DATA_CRC_AT, BEFORE_DATA_CRC, sizeof BEFORE_DATA_CRC - 1) == 0;
    if (!header && !data) return OK;
    if (!header || !data) return fail(err, ERR_SYNTAX, "the checksums of the header are damaged");
    Checksum found = header_checksum(text, length);
    if (memcmp(text + HEADER_CRC_AT, found.text, CRC_DIGITS) == 0) return OK;
    return fail(err, ERR_SYNTAX, "the header has the checksum %s, but it says %.8s", found.text,
                text + HEADER_CRC_AT);
}

/* Checks the data against the note "data_crc32", and deletes the notes with checksums. A file of
 * another program has no checksum and passes. */
static Status verify_data(TensorFile *file, const char *data, size_t bytes, Error *err) {
    const char *said = tensor_file_get_note(file, DATA_KEY);
    Checksum found = checksum_text(hash_crc32(data, bytes));
    if (said && strcmp(said, found.text) != 0)
        return fail(err, ERR_SYNTAX, "the data have the checksum %s, but the header says %.20s",
                    found.text, said);
    json_object_del(file->notes, DATA_KEY);
    json_object_del(file->notes, HEADER_KEY);
    return OK;
}

/* Returns the size of the data according to the header. load_tensor() checks the offsets later. */
static size_t data_wanted(json_t *header) {
    size_t max = 0;
    const char *name;
    json_t *entry;
    json_object_foreach(header, name, entry) {
        json_int_t last =
            json_integer_value(json_array_get(json_object_get(entry, "data_offsets"), 1));
        if (last > 0 && (uint64_t)last <= FILE_MAX && (size_t)last > max) max = (size_t)last;
    }
    return max;
}

/* Reads only the header, so that a file of another format is refused before the rest is read. */
static Status read_header(FileReader *reader, json_t **out, Error *err) {
    char *bytes = NULL;
    size_t count;
    uint64_t length = 0;
    *out = NULL;
    Status status = file_reader_take(reader, 8, &bytes, &count, err);
    if (!status && count < 8)
        status = fail(err, ERR_SYNTAX, "%zu bytes are too few for a header", count);
    for (int i = 0; !status && i < 8; i++)
        length |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    bool packed = !status && (unsigned char)bytes[0] == 0x1f && (unsigned char)bytes[1] == 0x8b;
    free(bytes);
    bytes = NULL;
    if (packed)
        return fail(
            err, ERR_SYNTAX,
            "it is no .aji file but packed by gzip, like KataGo's nets .bin.gz and .txt.gz");
    size_t max = length < HEADER_MAX ? (size_t)length : HEADER_MAX;
    if (!status) status = file_reader_take(reader, max, &bytes, &count, err);
    bool whole = !status && count == length;
    if (!status && (!count || (*bytes != '{' && (*bytes != '[' || !whole))))
        status = fail(err, ERR_SYNTAX, "it is no .aji file, as it does not begin with a header");
    if (!status && length > HEADER_MAX)
        status = fail(err, ERR_SYNTAX, "the header is said to have %llu bytes, at most %d are read",
                      (unsigned long long)length, HEADER_MAX);
    if (!status && !whole)
        status = fail(err, ERR_SYNTAX, "the header is said to have %llu bytes, %zu are there",
                      (unsigned long long)length, count);
    if (!status) status = verify_header(bytes, count, err);
    if (!status) status = json_parse(bytes, count, out, err);
    if (!status && !json_is_object(*out))
        status = fail(err, ERR_SYNTAX, "the header is not a JSON object");
    free(bytes);
    return status;
}

static Status load_all(TensorFile *file, FileReader *reader, Error *err) {
    char *data = NULL;
    size_t expected = 0, count = 0;
    const char *name;
    json_t *header, *entry;
    Status status = read_header(reader, &header, err);
    if (!status) status = file_reader_take(reader, data_wanted(header) + 1, &data, &count, err);
    json_object_foreach(header, name, entry) {
        if (status) break;
        if (strcmp(name, "__metadata__") == 0 && json_is_object(entry))
            json_object_update(file->notes, entry);
        else
            status = load_tensor(file, name, entry, data, count, &expected, err);
    }
    if (!status && expected != count)
        status = fail(err, ERR_SYNTAX, "more follows after the last tensor");
    if (!status) status = verify_data(file, data, count, err);
    json_decref(header);
    free(data);
    return status;
}

Status tensor_file_load(const char *path, TensorFile **out, Error *err) {
    FileReader reader;
    *out = NULL;
    TensorFile *file = NULL;
    Status status = file_reader_open(path, &reader, err);
    if (status) return status;
    status = tensor_file_new(&file, err);
    if (!status) status = load_all(file, &reader, err);
    /* the message of ERR_IO already names the file */
    if (status && status != ERR_IO) fail_within(err, status, "%s", path);
    file_reader_close(&reader);
    if (status)
        tensor_file_free(file);
    else
        *out = file;
    return status;
}
