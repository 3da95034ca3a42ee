// The levels of a net on a board, as `aji calibrate` measured them.

import { useEffect, useState } from 'preact/hooks';

const read = new Map(); // answers by net and board

// Returns { levels, warning }. The list `levels` is empty if no levels were measured, or until the
// levels are known.
const NONE = { levels: [], warning: '' };
export function useLevels(connection, net, width, height) {
  const key = `${net} ${width} ${height}`;
  const [, redraw] = useState(0);
  useEffect(() => {
    if (!net || read.has(key)) return;
    connection.request('net.levels', { net, width, height }).then(
      (answer) => {
        read.set(key, { levels: answer.levels, warning: answer.warning || '' });
        redraw((count) => count + 1);
      }, () => {});
  }, [key]);
  return read.get(key) || NONE;
}
