// The nets of the server, and which of them a choice means.

import { useState } from 'preact/hooks';
import { useTopic } from './hooks.js';

// The list, which is empty until the server has answered.
export function useNets(connection) {
  const [nets, setNets] = useState(connection.nets);
  useTopic(connection, 'nets', setNets);
  return nets;
}

// The net that was chosen. If none was chosen, the first net that is meant for this board, or, if
// there is no such net, the first net. Nets of runs (RUN.NUMBER) are not in the list, but may be
// chosen. Null: the list is not known yet.
export function netFor(nets, chosen, width, height) {
  const named = nets.find(({ id }) => id === chosen);
  if (named) return named;
  if (/\.\d+$/.test(chosen || '')) return { id: chosen, name: chosen };
  const fits = ({ board }) => board && board[0] === width && board[1] === height;
  return nets.find(fits) || nets[0] || null;
}
