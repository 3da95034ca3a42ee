// The list of all commands that can be given now, with a field that narrows it.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { actionOf } from './hooks.js';
import { T } from './texts.js';

export function Palette({ onClose }) {
  const dialog = useRef();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  useLayoutEffect(() => dialog.current.showModal(), []);
  const words = text.toLowerCase().split(/\s+/);
  const commands = T.keys.filter(([, name, key]) => key && actionOf(key) &&
    words.every((word) => name.toLowerCase().includes(word)));
  const chosen = Math.min(at, commands.length - 1);
  const run = ([, , key]) => {
    const action = actionOf(key);
    dialog.current.close();
    action();
  };
  const press = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt(Math.max(0, Math.min(commands.length - 1, chosen + step)));
    else if (event.key === 'Enter' && commands[chosen]) run(commands[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" onClose={onClose} aria-label={T.palette}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}>
      <div class="dialog" onKeyDown={press}>
        <input value={text} placeholder={T.paletteFind} aria-label={T.palette} role="combobox"
          aria-expanded="true" aria-controls="commands"
          aria-activedescendant={commands[chosen] ? `command-${chosen}` : null}
          onInput={(event) => { setText(event.target.value); setAt(0); }} />
        <ul id="commands" role="listbox" aria-label={T.palette}>
          {commands.map((command, i) => (
            <li key={command[2]} id={`command-${i}`} role="option" aria-selected={i === chosen}
              onClick={() => run(command)}>
              <span>{command[1]}</span><kbd>{command[0]}</kbd>
            </li>
          ))}
        </ul>
      </div>
    </dialog>
  );
}
