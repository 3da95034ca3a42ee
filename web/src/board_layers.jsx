// The layers of the picture of a board.

import { memo } from './memo.js';
import { CELL_H, CELL_W, NUMBER_UNITS, STONE, colorAt } from './board_geometry.js';
import { columnName, pointName, starPoints } from './coordinates.js';
import { T } from './texts.js';

export const Gradients = () => (
  <defs>
    <radialGradient id="stone-B" cx=".36" cy=".3" r=".75">
      <stop offset="0" stop-color="#6c7077" />
      <stop offset=".28" stop-color="#3a3d42" />
      <stop offset=".75" stop-color="#17181a" />
      <stop offset="1" stop-color="#0b0b0c" />
    </radialGradient>
    <radialGradient id="stone-W" cx=".38" cy=".32" r=".78">
      <stop offset="0" stop-color="#ffffff" />
      <stop offset=".55" stop-color="#f6f4ee" />
      <stop offset=".85" stop-color="#e2dfd6" />
      <stop offset="1" stop-color="#c4c0b5" />
    </radialGradient>
    <radialGradient id="shade">
      <stop offset=".72" stop-color="#2b1a05" stop-opacity=".42" />
      <stop offset="1" stop-color="#2b1a05" stop-opacity="0" />
    </radialGradient>
  </defs>
);

export const Lines = memo(({ g, letters }) => {
  const lines = [];
  const right = g.w - g.margin;
  const bottom = g.h - g.margin;
  for (let x = 0; x < g.width; x++)
    lines.push(`M${g.margin + x * CELL_W} ${g.margin}V${bottom}`);
  for (let y = 0; y < g.height; y++)
    lines.push(`M${g.margin} ${g.margin + y * CELL_H}H${right}`);
  return (
    <g class="board-lines" aria-hidden="true">
      <path d={lines.join('')} />
      <rect x={g.margin} y={g.margin} width={right - g.margin} height={bottom - g.margin} />
      {starPoints(g.width, g.height).map((point) => (
        <circle key={point} cx={g.x(point)} cy={g.y(point)} r={g.width > 13 ? 4.6 : 3.8} />
      ))}
      {letters > 0 && <Coordinates g={g} letters={letters} />}
    </g>
  );
});

function Coordinates({ g, letters }) {
  const texts = [];
  const put = (x, y, text) => texts.push(
    <text key={texts.length} x={x} y={y} font-size={letters} lengthAdjust="spacingAndGlyphs"
      textLength={text > 9 && letters > 15 ? NUMBER_UNITS : null}>{text}</text>);
  for (let x = 0; x < g.width; x++) {
    put(g.x(x), g.margin * 0.27, columnName(x));
    put(g.x(x), g.h - g.margin * 0.27, columnName(x));
  }
  for (let y = 0; y < g.height; y++) {
    put(g.margin * 0.27, g.y(y * g.width), g.height - y);
    put(g.w - g.margin * 0.27, g.y(y * g.width), g.height - y);
  }
  return texts;
}

export const Stone = memo(({ x, y, color, faint }) => (
  <g class={faint ? 'stone faint' : 'stone'}>
    <circle class="shade" cx={x + 1.5} cy={y + 3} r={STONE * 1.13} fill="url(#shade)" />
    <circle class={`disc ${color}`} cx={x} cy={y} r={STONE} fill={`url(#stone-${color})`} />
  </g>
));

export function Stones({ g, stones, dead }) {
  const drawn = [];
  for (let point = 0; point < stones.length; point++) {
    const color = colorAt(stones, point);
    if (color)
      drawn.push(<Stone key={`${point}${color}`} x={g.x(point)} y={g.y(point)} color={color}
        faint={dead.has(point)} />);
  }
  return <g aria-hidden="true">{drawn}</g>;
}

// Squares that show who owns each point. `territory` has a value for each point, row by row: a
// letter (b, w), or a number from 1 (Black's) to -1 (White's).
export function Territory({ g, stones, territory }) {
  const squares = [];
  for (let point = 0; point < g.width * g.height; point++) {
    const value = typeof territory === 'string'
      ? { b: 1, w: -1 }[territory[point]] || 0 : territory[point];
    const owner = value > 0 ? 'B' : 'W';
    if (Math.abs(value) < 0.1 || colorAt(stones, point) === owner) continue;
    const size = CELL_W * (typeof territory === 'string' ? 0.32 : 0.12 + 0.3 * Math.abs(value));
    squares.push(<rect key={point} class={`owned ${owner}`}
      x={g.x(point) - size / 2} y={g.y(point) - size / 2} width={size} height={size}
      opacity={0.35 + 0.6 * Math.abs(value)} />);
  }
  return <g aria-hidden="true">{squares}</g>;
}

export function LastMove({ g, stones, point }) {
  const color = colorAt(stones, point);
  if (!color) return null;
  return <circle class={`last-move on-${color}`} cx={g.x(point)} cy={g.y(point)} r={STONE * 0.46}
    aria-hidden="true" />;
}

// A small square on the point that a ko forbids.
export function Ko({ g, point }) {
  const size = STONE * 0.7;
  return <rect class="ko" x={g.x(point) - size / 2} y={g.y(point) - size / 2} width={size}
    height={size} aria-hidden="true" />;
}

// LABEL_UNITS[n] is the font size of a label of n characters. A longer label has the font size 15.
const LABEL_UNITS = [22, 22, 22, 18];

// The moves that the engine looked at: { point, label, quality, best }.
export function Candidates({ g, candidates }) {
  return (
    <g aria-hidden="true">
      {candidates.map((candidate) => (
        <g key={candidate.point} class={`candidate q${candidate.quality}`}>
          <circle cx={g.x(candidate.point)} cy={g.y(candidate.point)} r={STONE * 0.96} />
          {candidate.best && <circle class="best" cx={g.x(candidate.point)}
            cy={g.y(candidate.point)} r={STONE * 0.96} />}
          <text x={g.x(candidate.point)} y={g.y(candidate.point)}
            font-size={LABEL_UNITS[candidate.label.length] || 15}>{candidate.label}</text>
        </g>
      ))}
    </g>
  );
}

// Stones of a line of moves, with their numbers: { point, color, number }.
export function Line({ g, line }) {
  return (
    <g class="line" aria-hidden="true">
      {line.map(({ point, color, number }) => (
        <g key={number}>
          <Stone x={g.x(point)} y={g.y(point)} color={color} />
          <text class={`on-${color}`} x={g.x(point)} y={g.y(point)}>{number}</text>
        </g>
      ))}
    </g>
  );
}

// Marks of an SGF and of this page: { point, kind, text, quality }.
export function Marks({ g, stones, marks }) {
  return (
    <g aria-hidden="true">
      {marks.map(({ point, kind, text, quality }, index) => {
        const x = g.x(point);
        const y = g.y(point);
        const on = `mark on-${colorAt(stones, point) || 'board'} ${kind}`;
        const r = STONE * 0.52;
        if (kind === 'triangle')
          return <path key={index} class={on}
            d={`M${x} ${y - r}L${x + r * 0.87} ${y + r / 2}H${x - r * 0.87}Z`} />;
        if (kind === 'square')
          return <rect key={index} class={on} x={x - r * 0.8} y={y - r * 0.8} width={r * 1.6}
            height={r * 1.6} />;
        if (kind === 'child')
          return <circle key={index} class={on} cx={x} cy={y} r={STONE * 0.8} />;
        if (kind === 'dot')
          return <circle key={index} class={`dot q${quality}`} cx={x} cy={y} r={STONE * 0.26} />;
        if (kind === 'circle') return <circle key={index} class={on} cx={x} cy={y} r={r} />;
        if (kind === 'cross')
          return <path key={index} class={on}
            d={`M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`} />;
        return <text key={index} class={on} x={x} y={y}>{text}</text>;
      })}
    </g>
  );
}

const Cell = memo(({ g, point, label, reachable }) => (
  <rect role="gridcell" class="cell" data-point={point} aria-label={label}
    tabindex={reachable ? 0 : -1} x={g.x(point) - CELL_W / 2} y={g.y(point) - CELL_H / 2}
    width={CELL_W} height={CELL_H} />
));

// What a screen reader says at each point.
export function labelsOf({ width, height, stones, lastMove, ko, dead, candidates }) {
  const choices = new Map(candidates.map((candidate, i) => [candidate.point, [i + 1, candidate]]));
  return Array.from({ length: width * height }, (_, point) => {
    const color = colorAt(stones, point);
    const words = [pointName(point, width, height), color ? T.stone[color] : T.empty];
    if (point === lastMove) words.push(T.lastMove);
    if (point === ko) words.push(T.ko);
    if (dead.has(point)) words.push(T.deadStone);
    const [place, candidate] = choices.get(point) || [];
    if (candidate) words.push(T.choice(place, candidate.labelKind, candidate.label));
    return words.join(', ');
  });
}

export function Cells({ g, labels, cursor }) {
  const rows = [];
  for (let y = 0; y < g.height; y++) {
    const cells = [];
    for (let x = 0; x < g.width; x++) {
      const point = y * g.width + x;
      cells.push(<Cell key={point} g={g} point={point} label={labels[point]}
        reachable={point === cursor} />);
    }
    rows.push(<g key={y} role="row">{cells}</g>);
  }
  return rows;
}

// A rectangle of points.
export function Region({ g, points }) {
  const [first, last] = [points[0], points[points.length - 1]];
  return <rect class="region" aria-hidden="true" x={g.x(first) - CELL_W / 2}
    y={g.y(first) - CELL_H / 2} width={g.x(last) - g.x(first) + CELL_W}
    height={g.y(last) - g.y(first) + CELL_H} />;
}
