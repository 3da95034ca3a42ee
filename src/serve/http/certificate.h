/* certificate.h - checks the two files that a server needs for TLS: its certificate and the private
 * key of the certificate, both in PEM form (RFC 7468). Only certificate.c uses OpenSSL.
 * Threading: free functions. */
#pragma once
#include "base/error.h"

/* Checks that the files have a certificate and its private key, and that the key needs no
 * passphrase. Logs a warning if the certificate is not valid now. The message names the file that
 * is wrong. ERR_IO: a file cannot be read. ERR_SYNTAX: a file is damaged, or is not what it should
 * be. ERR_ARGUMENT: the key is not that of the certificate. ERR_UNSUPPORTED: the key is encrypted,
 * or this program was built without OpenSSL. ERR_MEMORY. */
MUST_USE Status certificate_check(const char *certificate_path, const char *key_path, Error *err);
