#include "serve/http/certificate.h"

#ifdef AJI_HAS_OPENSSL

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"

enum { FILE_BYTES_MAX = 1 << 20 };

/* Says why a file cannot be read: no line ends with the label, or what follows such a line is
 * damaged. */
static Status bad_file(const char *path, const char *what, const char *text, const char *label,
                       Error *err) {
    if (strstr(text, label)) return fail(err, ERR_SYNTAX, "the %s in %s is damaged", what, path);
    return fail(err, ERR_SYNTAX, "%s has no %s in PEM form: no line ends with \"%s\"", path, what,
                label);
}

static Status read_certificate(const char *path, Arena *arena, X509 **out, Error *err) {
    char *text;
    size_t length;
    Status status = file_read(path, FILE_BYTES_MAX, arena, &text, &length, err);
    if (status) return status;
    BIO *file = BIO_new_mem_buf(text, -1);
    if (!file) return fail(err, ERR_MEMORY, "no memory to read %s", path);
    *out = PEM_read_bio_X509(file, NULL, NULL, NULL);
    BIO_free(file);
    return *out ? OK : bad_file(path, "certificate", text, "CERTIFICATE-----", err);
}

/* OpenSSL calls this to get a passphrase. Without this function it would ask at the terminal. */
static int refuse_passphrase(char *passphrase, int size, int writes, void *was_asked) {
    (void)passphrase, (void)size, (void)writes;
    *(bool *)was_asked = true;
    return -1;
}

static Status read_key(const char *path, Arena *arena, EVP_PKEY **out, Error *err) {
    char *text;
    size_t length;
    bool was_asked = false;
    Status status = file_read(path, FILE_BYTES_MAX, arena, &text, &length, err);
    if (status) return status;
    BIO *file = BIO_new_mem_buf(text, -1);
    if (!file) return fail(err, ERR_MEMORY, "no memory to read %s", path);
    *out = PEM_read_bio_PrivateKey(file, NULL, refuse_passphrase, &was_asked);
    BIO_free(file);
    if (was_asked)
        return fail(err, ERR_UNSUPPORTED,
                    "the private key in %s is encrypted, and Aji asks for no passphrase; "
                    "\"openssl pkey -in FILE -out NEW\" writes the key without encryption",
                    path);
    return *out ? OK : bad_file(path, "private key", text, "PRIVATE KEY-----", err);
}

/* Warns about a certificate that clients will refuse because of its dates. */
static void check_dates(const char *path, const X509 *certificate) {
    if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0)
        log_warning("the certificate in %s has expired, so browsers will refuse it", path);
    else if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0)
        log_warning("the certificate in %s is not valid yet, so browsers will refuse it", path);
}

Status certificate_check(const char *certificate_path, const char *key_path, Error *err) {
    X509 *certificate = NULL;
    EVP_PKEY *key = NULL;
    Arena arena = {0};
    Status status = read_certificate(certificate_path, &arena, &certificate, err);
    if (!status) status = read_key(key_path, &arena, &key, err);
    if (!status && X509_check_private_key(certificate, key) != 1)
        status = fail(err, ERR_ARGUMENT,
                      "the private key in %s does not belong to the certificate in %s", key_path,
                      certificate_path);
    if (!status) check_dates(certificate_path, certificate);
    EVP_PKEY_free(key);
    X509_free(certificate);
    arena_clear(&arena);
    ERR_clear_error();
    return status;
}

#else

Status certificate_check(const char *certificate_path, const char *key_path, Error *err) {
    (void)certificate_path, (void)key_path;
    return fail(err, ERR_UNSUPPORTED,
                "this program was built without OpenSSL, which TLS needs; another server, such as "
                "nginx, can do TLS in front of this one");
}

#endif
