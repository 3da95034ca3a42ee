// A field for typing a point, which "/" opens.

import { useEffect, useRef, useState } from 'preact/hooks';
import { pointOf } from './coordinates.js';
import { T } from './texts.js';

export function PointEntry({ width, height, onPoint, onClose }) {
  const field = useRef();
  const [problem, setProblem] = useState('');
  useEffect(() => field.current.focus(), []);
  const submit = (event) => {
    event.preventDefault();
    const text = field.current.value;
    const point = pointOf(text, width, height);
    if (point < 0) return setProblem(T.noSuchPoint(text.trim()));
    onClose();
    onPoint(point);
  };
  return (
    <form class="point-entry" onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <label>
        <span>{T.typePoint}</span>
        <input ref={field} autocomplete="off" autocapitalize="characters" size="6"
          onInput={() => setProblem('')} />
      </label>
      <button class="primary">{T.typePointDo}</button>
      <button type="button" onClick={onClose}>{T.close}</button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
