// Text that screen readers read out when it changes: moves, captures, results.

import { useEffect, useState } from 'preact/hooks';

const listeners = new Set();

export function announce(text) {
  for (const listener of listeners) listener(text);
}

export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    listeners.add(setText);
    return () => listeners.delete(setText);
  }, []);
  return <p class="unseen" role="status" aria-live="polite">{text}</p>;
}
