// Lets the browser save files, and fetches games from the server.

import { withToken } from './token.js';

const RELEASE_MS = 20000;

export function saveFile(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-go-sgf' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASE_MS); // the browser has read it by then
}

// Puts a text on the clipboard. A page that comes from another machine over http has no
// navigator.clipboard, and needs another way.
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  return undefined;
}

// Whether the user has marked a text. In that case Ctrl-C copies this text, as usual.
export const hasSelection = () => String(getSelection()) !== '';

// Whether a point of the board has the focus.
export const isOnBoard = () => document.activeElement.getAttribute('role') === 'gridcell';

// The SGF of a game of the server.
export async function fetchGame(id) {
  const response = await fetch(withToken(`/api/v1/games/${id}.sgf`));
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}
