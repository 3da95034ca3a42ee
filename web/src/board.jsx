// A board as a picture that can be played on, by mouse, by touch, by keys and by screen readers.
//
// Each point is a cell of a grid (role "gridcell"). A cell has a label and can have the focus. Tab
// reaches only one cell, the cursor. Arrows move the cursor. The picture has layers: lines, stones,
// territory, marks, candidates, and above all of these the invisible cells.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { memo } from './memo.js';
import { columnName, pointName, starPoints } from './coordinates.js';
import { T } from './texts.js';

const CELL_W = 44; // a real board has cells of 22 by 23.7 mm, and stones of 22 mm
const CELL_H = 47.4;
const STONE = CELL_W * 0.485;
const LETTERS_PX = 13.5; // if there is room; on large boards, coordinates grow with the cells
const LETTERS_PX_MAX = 24;
const LETTERS_PX_MIN = 8; // smaller coordinates are not drawn
const LETTERS_UNITS = 20; // larger coordinates would touch the stones at the edge
const NUMBER_UNITS = 22; // the width of a number of two digits
const SMALL_CELL_PX = 24; // a finger may miss cells that are smaller than this

function geometry(width, height, coordinates) {
  const margin = CELL_W * (coordinates ? 1 : 0.66);
  return {
    width, height, margin,
    w: (width - 1) * CELL_W + 2 * margin,
    h: (height - 1) * CELL_H + 2 * margin,
    x: (point) => margin + (point % width) * CELL_W,
    y: (point) => margin + Math.floor(point / width) * CELL_H,
  };
}

const Gradients = () => (
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

const Lines = memo(({ g, letters }) => {
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

const Stone = memo(({ x, y, color, faint }) => (
  <g class={faint ? 'stone faint' : 'stone'}>
    <circle class="shade" cx={x + 1.5} cy={y + 3} r={STONE * 1.13} fill="url(#shade)" />
    <circle class={`disc ${color}`} cx={x} cy={y} r={STONE} fill={`url(#stone-${color})`} />
  </g>
));

const colorAt = (stones, point) => ({ X: 'B', O: 'W' })[stones[point]];

function Stones({ g, stones, dead }) {
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
function Territory({ g, stones, territory }) {
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

function LastMove({ g, stones, point }) {
  const color = colorAt(stones, point);
  if (!color) return null;
  return <circle class={`last-move on-${color}`} cx={g.x(point)} cy={g.y(point)} r={STONE * 0.46}
    aria-hidden="true" />;
}

// A small square on the point that a ko forbids.
function Ko({ g, point }) {
  const size = STONE * 0.7;
  return <rect class="ko" x={g.x(point) - size / 2} y={g.y(point) - size / 2} width={size}
    height={size} aria-hidden="true" />;
}

// LABEL_UNITS[n] is the font size of a label of n characters. A longer label has the font size 15.
const LABEL_UNITS = [22, 22, 22, 18];

// The moves that the engine looked at: { point, label, quality, best }.
function Candidates({ g, candidates }) {
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
function Line({ g, line }) {
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
function Marks({ g, stones, marks }) {
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
function labelsOf({ width, height, stones, lastMove, ko, dead, candidates }) {
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

function Cells({ g, labels, cursor }) {
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

// The width of the element in pixels, kept up to date.
function useWidth(ref) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setWidth(Math.round(ref.current.getBoundingClientRect().width));
    const observer = new ResizeObserver(measure);
    observer.observe(ref.current);
    measure();
    return () => observer.disconnect();
  }, []);
  return width;
}

// The height of the coordinates, in units of the picture.
function lettersOf(g, pixels) {
  const unit = pixels / g.w;
  const wanted = Math.max(LETTERS_PX, Math.min(LETTERS_PX_MAX, 0.27 * CELL_W * unit));
  return Math.min(LETTERS_UNITS, wanted / unit);
}

// The point under the pointer, or -1. `view` is the part of the picture that is shown.
function pointUnder(event, svg, g, view) {
  const box = svg.getBoundingClientRect();
  const across = view.x + ((event.clientX - box.left) / box.width) * (g.w / view.scale);
  const down = view.y + ((event.clientY - box.top) / box.height) * (g.h / view.scale);
  const x = Math.round((across - g.margin) / CELL_W);
  const y = Math.round((down - g.margin) / CELL_H);
  return x < 0 || y < 0 || x >= g.width || y >= g.height ? -1 : y * g.width + x;
}

// The points of the rectangle between two corners.
function pointsBetween(a, b, width) {
  const [ax, ay, bx, by] = [a % width, Math.floor(a / width), b % width, Math.floor(b / width)];
  const points = [];
  for (let y = Math.min(ay, by); y <= Math.max(ay, by); y++)
    for (let x = Math.min(ax, bx); x <= Math.max(ax, bx); x++) points.push(y * width + x);
  return points;
}

const ZOOM_MAX = 4;
const WHOLE = { scale: 1, x: 0, y: 0 };

// Two fingers enlarge the board and move it. The view is the part of the picture that is shown: its
// corner, in units of the picture, and by how much it is enlarged. `moving` says whether two
// fingers are on the board.
function useZoom({ svg, g }) {
  const [view, setView] = useState(WHOLE);
  const fingers = useRef(new Map()); // by the id of the pointer: its place on the board
  const start = useRef(null); // when the second finger came: { view, middle, distance }
  useEffect(() => setView(WHOLE), [g.width, g.height]);
  const pair = () => {
    const [a, b] = [...fingers.current.values()];
    return { middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
      distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
  };
  // The place of the pointer in units of the picture when the whole board is shown.
  const put = (event) => {
    const box = svg.current.getBoundingClientRect();
    fingers.current.set(event.pointerId, { x: ((event.clientX - box.left) / box.width) * g.w,
      y: ((event.clientY - box.top) / box.height) * g.h });
  };
  const down = (event) => {
    if (event.pointerType !== 'touch') return;
    if (event.isPrimary) fingers.current.clear();
    if (fingers.current.size === 2) return;
    put(event);
    if (fingers.current.size === 2) start.current = { view, ...pair() };
  };
  // The point of the picture that was between the fingers stays between them.
  const move = (event) => {
    if (!fingers.current.has(event.pointerId)) return;
    put(event);
    if (!start.current) return;
    const { view: first, middle, distance } = start.current;
    const now = pair();
    const scale = Math.max(1, Math.min(ZOOM_MAX, (first.scale * now.distance) / distance));
    const corner = (from, before, after, size) => Math.max(0, Math.min(size - size / scale,
      from + before / first.scale - after / scale));
    setView({ scale, x: corner(first.x, middle.x, now.middle.x, g.w),
      y: corner(first.y, middle.y, now.middle.y, g.h) });
  };
  const up = (event) => {
    fingers.current.delete(event.pointerId);
    start.current = null;
  };
  return { view, down, move, up, moving: () => start.current !== null,
    reset: () => setView(WHOLE) };
}

// Lets the user choose a rectangle: by dragging, or by Enter at two corners.
function useSelecting({ svg, g, view, onSelect }) {
  const [corners, setCorners] = useState(null); // [first, last]
  const end = (first, last) => {
    setCorners(null);
    onSelect(pointsBetween(first, last, g.width));
  };
  const at = (event) => pointUnder(event, svg.current, g, view);
  const down = (event) => {
    const point = at(event);
    if (point >= 0) setCorners([point, point]);
  };
  const move = (event) => {
    const point = at(event);
    if (corners && event.buttons === 1 && point >= 0) setCorners([corners[0], point]);
  };
  const up = () => corners && end(...corners);
  const key = (event) => {
    if (event.key !== 'Enter') return false;
    const point = Number(event.target.getAttribute('data-point'));
    if (corners) end(corners[0], point);
    else setCorners([point, point]);
    return true;
  };
  return { shown: corners ? pointsBetween(...corners, g.width) : null, down, move, up, key };
}

function Region({ g, points }) {
  const [first, last] = [points[0], points[points.length - 1]];
  return <rect class="region" aria-hidden="true" x={g.x(first) - CELL_W / 2}
    y={g.y(first) - CELL_H / 2} width={g.x(last) - g.x(first) + CELL_W}
    height={g.y(last) - g.y(first) + CELL_H} />;
}

// Handles the pointer and the keys. `free(point)` says whether a click at the point does something.
// `aim` is the point at which a click would place the stone. `asked` is a point that was tapped
// once and that a second tap will confirm.
function usePlacing({ svg, g, zoom, small, playable, free, onPlay, arrows, setCursor,
  selecting }) {
  const [aim, setAim] = useState(-1);
  const [asked, setAsked] = useState(-1);
  const press = useRef(null);
  useEffect(() => {
    if (!playable) {
      setAim(-1);
      setAsked(-1);
    }
  }, [playable]);

  const pointAt = (event) => pointUnder(event, svg.current, g, zoom.view);
  const place = (point) => {
    setAim(-1);
    setAsked(-1);
    setCursor(point);
    onPlay(point);
  };
  const down = (event) => {
    zoom.down(event);
    if (zoom.moving()) return leave();
    if (selecting) return selecting.down(event);
    if (!playable || event.button > 0 || !event.isPrimary) return;
    press.current = event.pointerId;
    setAim(pointAt(event));
  };
  const move = (event) => {
    zoom.move(event);
    if (zoom.moving()) return;
    if (selecting) return selecting.move(event);
    if (playable && (event.pointerType !== 'touch' || press.current === event.pointerId))
      setAim(pointAt(event));
  };
  const up = (event) => {
    const moved = zoom.moving();
    zoom.up(event);
    if (moved) return;
    if (selecting) return selecting.up();
    if (!playable || press.current !== event.pointerId) return;
    press.current = null;
    const point = pointAt(event);
    if (point < 0 || !free(point)) {
      setAsked(-1);
      return leave();
    }
    if (event.pointerType !== 'touch' || !small || asked === point) return place(point);
    setAim(-1);
    setAsked(point);
  };
  const leave = () => {
    press.current = null;
    setAim(-1);
  };
  const cancel = (event) => {
    zoom.up(event);
    leave();
  };
  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const focused = Number(event.target.getAttribute('data-point'));
    const step = STEPS[event.key];
    if (step && arrows) {
      const x = Math.min(g.width - 1, Math.max(0, (focused % g.width) + step[0]));
      const y = Math.min(g.height - 1, Math.max(0, Math.floor(focused / g.width) + step[1]));
      setCursor(y * g.width + x, true);
    } else if (selecting && selecting.key(event)) {
      // `selecting` has taken the key.
    } else if (event.key === 'Escape') {
      return event.target.blur(); // after that, Tab goes on to what follows the board
    } else if (event.key === 'Enter' || (event.key === ' ' && arrows)) {
      if (playable) place(focused);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    aim, asked, place,
    handlers: { onPointerDown: down, onPointerMove: move, onPointerUp: up, onPointerLeave: leave,
      onPointerCancel: cancel, onKeyDown: key, onMouseDown: (event) => event.preventDefault() },
  };
}

const NONE = [];
const NOBODY = new Set();

// width, height, stones: the position; stones is a text of '.', 'X' and 'O', row by row
// lastMove, ko, dead, territory, candidates, line, marks: what is drawn on it
// passed: the color of the player who has just passed, or null
// ghost: the color of the stone that a click would place; null: none is drawn
// playable: whether a click does anything; onPlay(point): what a click does
// arrows: whether arrows move the cursor
// coordinates: whether to draw coordinates if there is room
// onSelect(points): if it is given, the user chooses a rectangle instead of playing
// region: the points of a rectangle that is drawn
// onHover(point): called when the pointer or the focus reaches a point, or, with -1, leaves it
export function Board({ width, height, stones, lastMove = -1, ko = -1, passed = null,
  dead = NOBODY, territory = null, candidates = NONE, line = NONE, marks = NONE, ghost = null,
  playable = false, onPlay = () => {}, arrows = true, coordinates = true, onSelect = null,
  region = null, onHover = null, onWheel = null, name }) {
  const frame = useRef();
  const svg = useRef();
  const pixels = useWidth(frame);
  const wide = useMemo(() => geometry(width, height, true), [width, height]);
  const narrow = useMemo(() => geometry(width, height, false), [width, height]);
  const named = coordinates && (pixels * LETTERS_UNITS) / wide.w >= LETTERS_PX_MIN;
  const g = named ? wide : narrow;
  const zoom = useZoom({ svg, g });
  const { view } = zoom;
  const zoomed = view.scale > 1;
  const small = (pixels * view.scale * CELL_W) / g.w < SMALL_CELL_PX;
  const middle = (height >> 1) * width + (width >> 1);
  const [cursorAt, setCursorAt] = useState(-1);
  const cursor = cursorAt >= 0 && cursorAt < width * height ? cursorAt
    : lastMove >= 0 ? lastMove : middle;
  const setCursor = (point, focus) => {
    setCursorAt(point);
    if (!focus) return;
    zoom.reset(); // otherwise the cursor might be outside the view
    svg.current.querySelector(`[data-point="${point}"]`).focus();
  };
  const selecting = useSelecting({ svg, g, view, onSelect });
  const placing = usePlacing({ svg, g, zoom, small, playable, onPlay, arrows, setCursor,
    selecting: onSelect ? selecting : null,
    free: (point) => !ghost || !colorAt(stones, point) });
  const labels = useMemo(() => labelsOf({ width, height, stones, lastMove, ko, dead, candidates }),
    [width, height, stones, lastMove, ko, dead, candidates]);
  const shown = placing.asked >= 0 ? placing.asked : placing.aim;
  const hovered = useRef(-1);
  const hover = (point) => {
    if (!onHover || point === hovered.current) return;
    hovered.current = point;
    onHover(point);
  };
  const pointOf = (event) => {
    const text = event.target.getAttribute && event.target.getAttribute('data-point');
    return text === null || text === undefined ? -1 : Number(text);
  };
  const crossed = shown >= 0 && small;
  const below = placing.asked >= 0 || zoomed; // whether buttons stand below the board
  const confirm = useRef(null);
  useEffect(() => confirm.current && confirm.current.scrollIntoView({ block: 'nearest' }),
    [placing.asked]);
  return (
    <div class={below ? 'board-frame asking' : 'board-frame'} ref={frame}
      style={{ '--ratio': wide.w / wide.h }}>
      <svg ref={svg} class={`board${playable ? ' playable' : ''}${zoomed ? ' zoomed' : ''}`}
        viewBox={`${view.x} ${view.y} ${g.w / view.scale} ${g.h / view.scale}`}
        role="grid" aria-label={name || T.board(width, height)} aria-rowcount={height}
        aria-colcount={width} {...placing.handlers} onWheel={onWheel}
        onPointerOver={(event) => event.pointerType !== 'touch' && hover(pointOf(event))}
        onPointerOut={(event) => event.pointerType !== 'touch' && hover(-1)}
        onFocusIn={(event) => { const at = pointOf(event); setCursorAt(at); hover(at); }}
        onFocusOut={() => hover(-1)}>
        <Gradients />
        <Lines g={g} letters={named ? lettersOf(g, pixels) : 0} />
        {crossed && <path class="crosshair" aria-hidden="true"
          d={`M0 ${g.y(shown)}H${g.w}M${g.x(shown)} 0V${g.h}`} />}
        <Stones g={g} stones={stones} dead={dead} />
        {(selecting.shown || region) && <Region g={g} points={selecting.shown || region} />}
        {territory && <Territory g={g} stones={stones} territory={territory} />}
        {line.length === 0 && <LastMove g={g} stones={stones} point={lastMove} />}
        {line.length === 0 && ko >= 0 && <Ko g={g} point={ko} />}
        {line.length === 0 && <Marks g={g} stones={stones} marks={marks} />}
        {line.length === 0 && <Candidates g={g} candidates={candidates} />}
        <Line g={g} line={line} />
        {shown >= 0 && ghost && !colorAt(stones, shown) && (
          <g class="ghost" aria-hidden="true">
            <Stone x={g.x(shown)} y={g.y(shown)} color={ghost} />
          </g>
        )}
        <Cells g={g} labels={labels} cursor={cursor} />
      </svg>
      {passed && line.length === 0 && (
        <p class="passed"><span class={`chip small ${passed}`} aria-hidden="true" />
          {T.hasPassed(passed)}</p>
      )}
      {below && (
        <div class="board-buttons">
          {placing.asked >= 0 && (
            <button class="confirm" ref={confirm} onClick={() => placing.place(placing.asked)}>
              {T.confirm(pointName(placing.asked, width, height))}
            </button>
          )}
          {zoomed && <button onClick={zoom.reset}>{T.wholeBoard}</button>}
        </div>
      )}
    </div>
  );
}

// A small picture of a position that nobody plays on. Its stones use the gradients of the board of
// the page.
export function Diagram({ width, height, stones, lastMove, line, marks }) {
  const g = geometry(width, height, true);
  return (
    <svg class="board" viewBox={`0 0 ${g.w} ${g.h}`} aria-hidden="true">
      <Lines g={g} letters={LETTERS_UNITS} />
      <Stones g={g} stones={stones} dead={NOBODY} />
      <LastMove g={g} stones={stones} point={lastMove} />
      <Marks g={g} stones={stones} marks={marks} />
      <Line g={g} line={line} />
    </svg>
  );
}
