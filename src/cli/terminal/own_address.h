/* own_address.h - the addresses by which other machines may reach this one.
 * Threading: free function. */
#pragma once
#include <stdbool.h>

enum { OWN_ADDRESSES_MAX = 4 };

typedef struct {
    char text[64]; /* in numbers, such as "192.168.1.5" */
} OwnAddress;

/* Lists addresses of the network interfaces that are up: of IPv6 if `six`, otherwise of IPv4.
 * Leaves out those that only this machine or, with IPv6, only its own link can use. Returns how
 * many it has listed. */
int own_addresses(bool six, OwnAddress out[OWN_ADDRESSES_MAX]);
