// A board as a picture that can be played on, by mouse, by touch, by keys and by screen readers.
//
// Each point is a cell of a grid (role "gridcell"). A cell has a label and can have the focus. Tab
// reaches only one cell, the cursor. Arrows move the cursor. The picture has layers: lines, stones,
// territory, marks, candidates, and above all of these the invisible cells.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { CELL_W, LETTERS_PX_MIN, LETTERS_UNITS, SMALL_CELL_PX, colorAt, geometry, lettersOf }
  from './board_geometry.js';
import { usePlacing, useSelecting, useZoom } from './board_input.js';
import { Candidates, Cells, Gradients, Ko, LastMove, Line, Lines, Marks, Region, Stone, Stones,
  Territory, labelsOf } from './board_layers.jsx';
import { pointName } from './coordinates.js';
import { T } from './texts.js';

const NONE = [];
const NOBODY = new Set();

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

// The geometry of the picture, and the height of its coordinates in its units; 0: there are none,
// because they would be too small.
function useGeometry({ width, height, pixels, coordinates }) {
  const wide = useMemo(() => geometry(width, height, true), [width, height]);
  const narrow = useMemo(() => geometry(width, height, false), [width, height]);
  const named = coordinates && (pixels * LETTERS_UNITS) / wide.w >= LETTERS_PX_MIN;
  const g = named ? wide : narrow;
  return { g, letters: named ? lettersOf(g, pixels) : 0, ratio: wide.w / wide.h };
}

// The point that Tab reaches: the one that had the focus last, else that of the last move, else the
// middle.
function useCursor({ svg, zoom, width, height, lastMove }) {
  const [at, setAt] = useState(-1);
  const middle = (height >> 1) * width + (width >> 1);
  const set = (point, focus) => {
    setAt(point);
    if (!focus) return;
    zoom.reset(); // otherwise the cursor might be outside the view
    svg.current.querySelector(`[data-point="${point}"]`).focus();
  };
  const cursor = at >= 0 && at < width * height ? at : lastMove >= 0 ? lastMove : middle;
  return [cursor, set];
}

// The point of the cell to which an event belongs, or -1.
function cellOf(event) {
  const text = event.target.getAttribute && event.target.getAttribute('data-point');
  return text === null || text === undefined ? -1 : Number(text);
}

// Tells onHover() which point the pointer or the focus is on.
function useHover({ onHover, setCursor }) {
  const hovered = useRef(-1);
  const hover = (point) => {
    if (!onHover || point === hovered.current) return;
    hovered.current = point;
    onHover(point);
  };
  return {
    onPointerOver: (event) => event.pointerType !== 'touch' && hover(cellOf(event)),
    onPointerOut: (event) => event.pointerType !== 'touch' && hover(-1),
    onFocusIn: (event) => {
      setCursor(cellOf(event));
      hover(cellOf(event));
    },
    onFocusOut: () => hover(-1),
  };
}

// Everything in the picture except the cells. `shown` is the point at which a click would place a
// stone, and `crossed` says whether lines lead to it.
function Layers({ g, letters, shown, crossed, stones, dead, region, territory, line, lastMove, ko,
  marks, candidates, ghost }) {
  const alone = line.length === 0; // a line of moves hides what belongs to the position before it
  return (
    <>
      <Gradients />
      <Lines g={g} letters={letters} />
      {crossed && <path class="crosshair" aria-hidden="true"
        d={`M0 ${g.y(shown)}H${g.w}M${g.x(shown)} 0V${g.h}`} />}
      <Stones g={g} stones={stones} dead={dead} />
      {region && <Region g={g} points={region} />}
      {territory && <Territory g={g} stones={stones} territory={territory} />}
      {alone && <LastMove g={g} stones={stones} point={lastMove} />}
      {alone && ko >= 0 && <Ko g={g} point={ko} />}
      {alone && <Marks g={g} stones={stones} marks={marks} />}
      {alone && <Candidates g={g} candidates={candidates} />}
      <Line g={g} line={line} />
      {shown >= 0 && ghost && !colorAt(stones, shown) && (
        <g class="ghost" aria-hidden="true">
          <Stone x={g.x(shown)} y={g.y(shown)} color={ghost} />
        </g>
      )}
    </>
  );
}

// The buttons below the board, if it needs any: one that confirms a tapped point, and one that
// shows the whole board again.
function Buttons({ g, placing, zoom }) {
  const confirm = useRef(null);
  useEffect(() => confirm.current && confirm.current.scrollIntoView({ block: 'nearest' }),
    [placing.asked]);
  return (
    <div class="board-buttons">
      {placing.asked >= 0 && (
        <button class="confirm" ref={confirm} onClick={() => placing.place(placing.asked)}>
          {T.confirm(pointName(placing.asked, g.width, g.height))}
        </button>
      )}
      {zoom.view.scale > 1 && <button onClick={zoom.reset}>{T.wholeBoard}</button>}
    </div>
  );
}

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
  const { g, letters, ratio } = useGeometry({ width, height, pixels, coordinates });
  const zoom = useZoom({ svg, g });
  const { view } = zoom;
  const small = (pixels * view.scale * CELL_W) / g.w < SMALL_CELL_PX;
  const [cursor, setCursor] = useCursor({ svg, zoom, width, height, lastMove });
  const hovering = useHover({ onHover, setCursor });
  const selecting = useSelecting({ svg, g, view, onSelect });
  const placing = usePlacing({ svg, g, zoom, small, playable, onPlay, arrows, setCursor,
    selecting: onSelect ? selecting : null,
    free: (point) => !ghost || !colorAt(stones, point) });
  const labels = useMemo(() => labelsOf({ width, height, stones, lastMove, ko, dead, candidates }),
    [width, height, stones, lastMove, ko, dead, candidates]);
  const shown = placing.asked >= 0 ? placing.asked : placing.aim;
  const zoomed = view.scale > 1;
  const below = placing.asked >= 0 || zoomed; // whether buttons stand below the board
  return (
    <div class={below ? 'board-frame asking' : 'board-frame'} ref={frame}
      style={{ '--ratio': ratio }}>
      <svg ref={svg} class={`board${playable ? ' playable' : ''}${zoomed ? ' zoomed' : ''}`}
        viewBox={`${view.x} ${view.y} ${g.w / view.scale} ${g.h / view.scale}`}
        role="grid" aria-label={name || T.board(width, height)} aria-rowcount={height}
        aria-colcount={width} {...placing.handlers} {...hovering} onWheel={onWheel}>
        <Layers {...{ g, letters, shown, stones, dead, territory, line, lastMove, ko, marks,
          candidates, ghost }} crossed={shown >= 0 && small} region={selecting.shown || region} />
        <Cells g={g} labels={labels} cursor={cursor} />
      </svg>
      {passed && line.length === 0 && (
        <p class="passed"><span class={`chip small ${passed}`} aria-hidden="true" />
          {T.hasPassed(passed)}</p>
      )}
      {below && <Buttons g={g} placing={placing} zoom={zoom} />}
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
