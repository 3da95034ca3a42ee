// What pointers and keys do on a board.

import { useEffect, useRef, useState } from 'preact/hooks';
import { pointUnder, pointsBetween } from './board_geometry.js';

const ZOOM_MAX = 4;
const WHOLE = { scale: 1, x: 0, y: 0 };

// Two fingers enlarge the board and move it. The view is the part of the picture that is shown: its
// corner, in units of the picture, and by how much it is enlarged. `moving` says whether two
// fingers are on the board.
export function useZoom({ svg, g }) {
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
export function useSelecting({ svg, g, view, onSelect }) {
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

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// What a key does that is pressed on a point of the board.
function keyHandler({ g, playable, arrows, setCursor, selecting, place }) {
  return (event) => {
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
}

// Handles the pointer and the keys. `free(point)` says whether a click at the point does something.
// `aim` is the point at which a click would place the stone. `asked` is a point that was tapped
// once and that a second tap will confirm.
export function usePlacing({ svg, g, zoom, small, playable, free, onPlay, arrows, setCursor,
  selecting }) {
  const [aim, setAim] = useState(-1);
  const [asked, setAsked] = useState(-1);
  const press = useRef(null); // the id of the pointer that is down
  const forget = () => {
    setAim(-1);
    setAsked(-1);
  };
  useEffect(() => { if (!playable) forget(); }, [playable]);
  const pointAt = (event) => pointUnder(event, svg.current, g, zoom.view);
  const place = (point) => {
    forget();
    setCursor(point);
    onPlay(point);
  };
  const leave = () => {
    press.current = null;
    setAim(-1);
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
    if (point < 0 || !free(point)) return forget();
    if (event.pointerType !== 'touch' || !small || asked === point) return place(point);
    setAim(-1);
    setAsked(point);
  };
  const cancel = (event) => {
    zoom.up(event);
    leave();
  };
  return {
    aim, asked, place,
    handlers: { onPointerDown: down, onPointerMove: move, onPointerUp: up, onPointerLeave: leave,
      onPointerCancel: cancel, onMouseDown: (event) => event.preventDefault(),
      onKeyDown: keyHandler({ g, playable, arrows, setCursor, selecting, place }) },
  };
}
