// Where things are in the picture of a board, in the units of the picture.

export const CELL_W = 44; // a real board has cells of 22 by 23.7 mm, and stones of 22 mm
export const CELL_H = 47.4;
export const STONE = CELL_W * 0.485;
const LETTERS_PX = 13.5; // if there is room; on large boards, coordinates grow with the cells
const LETTERS_PX_MAX = 24;
export const LETTERS_PX_MIN = 8; // smaller coordinates are not drawn
export const LETTERS_UNITS = 20; // larger coordinates would touch the stones at the edge
export const NUMBER_UNITS = 22; // the width of a number of two digits
export const SMALL_CELL_PX = 24; // a finger may miss cells that are smaller than this

export function geometry(width, height, coordinates) {
  const margin = CELL_W * (coordinates ? 1 : 0.66);
  return {
    width, height, margin,
    w: (width - 1) * CELL_W + 2 * margin,
    h: (height - 1) * CELL_H + 2 * margin,
    x: (point) => margin + (point % width) * CELL_W,
    y: (point) => margin + Math.floor(point / width) * CELL_H,
  };
}

// The color of the stone on a point; undefined: the point is empty.
export const colorAt = (stones, point) => ({ X: 'B', O: 'W' })[stones[point]];

// The height of the coordinates, in units of the picture.
export function lettersOf(g, pixels) {
  const unit = pixels / g.w;
  const wanted = Math.max(LETTERS_PX, Math.min(LETTERS_PX_MAX, 0.27 * CELL_W * unit));
  return Math.min(LETTERS_UNITS, wanted / unit);
}

// The point under the pointer, or -1. `view` is the part of the picture that is shown.
export function pointUnder(event, svg, g, view) {
  const box = svg.getBoundingClientRect();
  const across = view.x + ((event.clientX - box.left) / box.width) * (g.w / view.scale);
  const down = view.y + ((event.clientY - box.top) / box.height) * (g.h / view.scale);
  const x = Math.round((across - g.margin) / CELL_W);
  const y = Math.round((down - g.margin) / CELL_H);
  return x < 0 || y < 0 || x >= g.width || y >= g.height ? -1 : y * g.width + x;
}

// The points of the rectangle between two corners.
export function pointsBetween(a, b, width) {
  const [ax, ay, bx, by] = [a % width, Math.floor(a / width), b % width, Math.floor(b / width)];
  const points = [];
  for (let y = Math.min(ay, by); y <= Math.max(ay, by); y++)
    for (let x = Math.min(ax, bx); x <= Math.max(ax, bx); x++) points.push(y * width + x);
  return points;
}
