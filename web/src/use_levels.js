// The levels of a net on a board, as `aji calibrate` measured them.

import { useEffect, useState } from 'preact/hooks';

const read = new Map(); // answers by net, board and rules

const NONE = { levels: [], warning: '' };
const keyOf = (...words) => words.join(' ');

// A promise of { levels, warning }. If the server cannot say it, there are no levels.
export async function readLevels(connection, net, width, height, rules) {
  const key = keyOf(net, width, height, rules);
  if (!net || read.has(key)) return read.get(key) || NONE;
  return connection.request('net.levels', { net, width, height, rules }).then(
    (answer) => {
      read.set(key, { levels: answer.levels, warning: answer.warning || '' });
      return read.get(key);
    }, () => NONE);
}

// Returns { levels, warning }. The list `levels` is empty if no levels were measured, or until the
// levels are known.
export function useLevels(connection, net, width, height, rules) {
  const key = keyOf(net, width, height, rules);
  const [, redraw] = useState(0);
  useEffect(() => {
    if (net && !read.has(key))
      readLevels(connection, net, width, height, rules).then(() => redraw((count) => count + 1));
  }, [key]);
  return read.get(key) || NONE;
}
