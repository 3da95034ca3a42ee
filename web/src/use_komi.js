// The usual komi of a new game, which the server knows.

import { useEffect, useState } from 'preact/hooks';

const known = new Map(); // by board, handicap and rules

// Null until it is known.
export function useUsualKomi(connection, { size, handicap, rules }) {
  const key = `${size} ${handicap} ${rules}`;
  const [, redraw] = useState(0);
  useEffect(() => {
    if (known.has(key)) return;
    connection.request('game.komi', { width: size, height: size, handicap, rules }).then(
      (answer) => {
        known.set(key, answer.komi);
        redraw((count) => count + 1);
      }, () => {});
  }, [key]);
  return known.get(key) ?? null;
}
