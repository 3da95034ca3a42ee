#define _DEFAULT_SOURCE /* getifaddrs, IFF_UP */

#include "cli/terminal/own_address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>

/* Writes the address of an interface. Returns false if other machines cannot use it. */
static bool write_address(const struct ifaddrs *interface, bool six, OwnAddress *out) {
    struct sockaddr_in four;
    struct sockaddr_in6 other;
    bool usable = (interface->ifa_flags & IFF_UP) && !(interface->ifa_flags & IFF_LOOPBACK) &&
                  interface->ifa_addr &&
                  interface->ifa_addr->sa_family == (six ? AF_INET6 : AF_INET);
    if (!usable) return false;
    if (!six) {
        memcpy(&four, interface->ifa_addr, sizeof four);
        return inet_ntop(AF_INET, &four.sin_addr, out->text, sizeof out->text) != NULL;
    }
    memcpy(&other, interface->ifa_addr, sizeof other);
    return !IN6_IS_ADDR_LINKLOCAL(&other.sin6_addr) &&
           inet_ntop(AF_INET6, &other.sin6_addr, out->text, sizeof out->text) != NULL;
}

int own_addresses(bool six, OwnAddress out[OWN_ADDRESSES_MAX]) {
    struct ifaddrs *all;
    int count = 0;
    if (getifaddrs(&all)) return 0;
    for (const struct ifaddrs *at = all; at && count < OWN_ADDRESSES_MAX; at = at->ifa_next)
        count += write_address(at, six, &out[count]);
    freeifaddrs(all);
    return count;
}
