// A choice among the nets of the server.

import { T } from './texts.js';
import { netFor } from './use_nets.js';

// value: the id of a net; null: the net that fits the board. Shows nothing if there is no choice.
export function NetChoice({ nets, value, width, height, onChange }) {
  if (nets.length < 2 && !value) return null;
  const fitting = netFor(nets, null, width, height);
  const options = nets.map(({ id, name }) => [id, name]);
  if (value && !nets.some(({ id }) => id === value)) options.push([value, value]);
  return (
    <label class="choice">
      <span>{T.net}</span>
      <select value={value || ''} onChange={(event) => onChange(event.target.value || null)}>
        <option value="">{T.netFitting(fitting ? fitting.name : '')}</option>
        {options.map(([id, name]) => <option key={id} value={id}>{name}</option>)}
      </select>
    </label>
  );
}
