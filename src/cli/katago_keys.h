/* katago_keys.h - the keys of KataGo's configs that are no setting here, and why. Threading: free
 * functions. */
#pragma once

/* What there is instead, or why there is nothing; NULL: the key is a setting, or unknown. */
const char *katago_key_reason(const char *key);
