// A text about moves, captures and results. Screen readers read it out when it changes.

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
