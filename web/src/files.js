// Files that the browser keeps, and those of the server.

import { withToken } from './token.js';

export function saveFile(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-go-sgf' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

// The SGF of a game of the server.
export async function fetchGame(id) {
  const response = await fetch(withToken(`/api/v1/games/${id}.sgf`));
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}
