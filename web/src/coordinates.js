// Points of a board are numbered row by row from the top left, as in answers of the engine. For
// people and the server, a point has a name such as D4. The letter I is left out.

const LETTERS = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';

export const columnName = (x) => LETTERS[x];

export function pointName(point, width, height) {
  const x = point % width;
  return LETTERS[x] + (height - Math.floor(point / width));
}

// The point with this name, or -1 if the board has none (as for "pass").
export function pointOf(name, width, height) {
  const match = /^\s*([a-z])\s*(\d{1,2})\s*$/i.exec(name);
  if (!match) return -1;
  const x = LETTERS.indexOf(match[1].toUpperCase());
  const y = height - Number(match[2]);
  return x < 0 || x >= width || y < 0 || y >= height ? -1 : y * width + x;
}

// The lines of star points along one side.
function starLines(size) {
  const edge = size >= 13 ? 3 : 2;
  if (size < 7) return size % 2 && size >= 5 ? [(size - 1) / 2] : [];
  const lines = [edge, size - 1 - edge];
  return size % 2 && size >= 9 ? [lines[0], (size - 1) / 2, lines[1]] : lines;
}

export function starPoints(width, height) {
  const columns = starLines(width);
  const rows = starLines(height);
  const middle = (x, y) => (x === (width - 1) / 2) + (y === (height - 1) / 2);
  const few = Math.min(width, height) < 13; // then only corners and centre
  const stars = [];
  for (const y of rows)
    for (const x of columns) if (!few || middle(x, y) !== 1) stars.push(y * width + x);
  return stars;
}

// The maximum number of handicap stones for which a board has fixed points (GTP 2, section 4.1.1).
export function handicapMax(width, height) {
  if (width < 7 || height < 7) return 0;
  return width % 2 && height % 2 && width > 7 && height > 7 ? 9 : 4;
}

// The points of handicap stones, in the order of GTP.
export function handicapPoints(count, width, height) {
  if (count < 2 || count > handicapMax(width, height)) return [];
  const dx = width >= 13 ? 3 : 2;
  const dy = height >= 13 ? 3 : 2;
  const [left, right, top, bottom] = [dx, width - 1 - dx, dy, height - 1 - dy];
  const [cx, cy] = [width >> 1, height >> 1];
  const places = [[left, bottom], [right, top], [left, top], [right, bottom],
    [left, cy], [right, cy], [cx, bottom], [cx, top]];
  const around = count >= 5 && count % 2 ? count - 1 : count;
  const chosen = places.slice(0, around);
  if (chosen.length < count) chosen.push([cx, cy]);
  return chosen.map(([x, y]) => y * width + x);
}
