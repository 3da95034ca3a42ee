// Saves files by the browser, and fetches games from the server.

import { withToken } from './token.js';

const RELEASE_MS = 20000;

export function saveFile(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-go-sgf' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASE_MS); // the browser has read it by then
}

// The SGF of a game of the server.
export async function fetchGame(id) {
  const response = await fetch(withToken(`/api/v1/games/${id}.sgf`));
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}
