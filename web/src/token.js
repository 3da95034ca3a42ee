// The token that some servers require. It is part of the address, as #t=TOKEN or ?token=TOKEN. The
// page keeps the token only for this tab, and removes it from the address bar.

const KEY = 'aji.token';

function stored(value) {
  try {
    if (value) sessionStorage.setItem(KEY, value);
    return value || sessionStorage.getItem(KEY);
  } catch {
    return value;
  }
}

function take() {
  const query = new URLSearchParams(location.search).get('token');
  const hash = /^#t=([\w-]+)$/.exec(location.hash);
  const rest = hash ? '' : location.hash;
  if (query || hash) history.replaceState(null, '', location.pathname + rest);
  return stored(query || (hash && hash[1]));
}

export const token = take();
export const withToken = (path) => (token ? `${path}?token=${encodeURIComponent(token)}` : path);
