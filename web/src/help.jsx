// The table of keys.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { T } from './texts.js';

export function Help({ onClose }) {
  const dialog = useRef();
  useLayoutEffect(() => dialog.current.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys-title"
      onClick={(event) => event.target === dialog.current && dialog.current.close()}>
      <div class="dialog">
        <h2 id="keys-title">{T.keysTitle}</h2>
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
        <button onClick={() => dialog.current.close()}>{T.close}</button>
      </div>
    </dialog>
  );
}
