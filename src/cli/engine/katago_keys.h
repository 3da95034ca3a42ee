/* katago_keys.h - the keys of KataGo's configs that are not settings of Aji, with the reasons.
 * Threading: free functions. */
#pragma once

/* Says what replaces the key, or why nothing does. Returns NULL if the key is a setting or
 * unknown. */
const char *katago_key_reason(const char *key);
