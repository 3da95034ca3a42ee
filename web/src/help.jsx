// The table of keys.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { T } from './texts.js';

// onCommands shows the list of commands, which people without a keyboard can use too.
export function Help({ onClose, onCommands }) {
  const dialog = useRef();
  useLayoutEffect(() => dialog.current.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys-title"
      onClick={(event) => event.target === dialog.current && dialog.current.close()}>
      <div class="dialog">
        <h2 id="keys-title">{T.keysTitle}</h2>
        <div class="buttons">
          <button onClick={() => { dialog.current.close(); onCommands(); }}>{T.palette}</button>
          <button onClick={() => dialog.current.close()}>{T.close}</button>
        </div>
        <table class="keys">
          <tbody>
            {T.keys.map(([keys, text]) => (
              <tr key={keys}>
                <th scope="row">{keys.split(' ').map((key) => <kbd key={key}>{key}</kbd>)}</th>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </dialog>
  );
}
