// The ways to open an SGF: a file that is chosen or dropped, and text that is pasted.

import { useEffect, useRef, useState } from 'preact/hooks';
import { decodeSgf } from './sgf_file.js';
import { T } from './texts.js';

const readFile = async (file) => decodeSgf(new Uint8Array(await file.arrayBuffer()));

// Calls onText with the text of a file that is dropped on the page, or with text that is dropped on
// the page or pasted into it. Returns whether the user is dragging something over the page.
export function useDrop(onText) {
  const [over, setOver] = useState(false);
  const current = useRef(onText);
  current.current = onText;
  useEffect(() => {
    const drag = (event) => {
      event.preventDefault();
      setOver(event.type === 'dragover');
    };
    const drop = async (event) => {
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer.files;
      current.current(file ? await readFile(file) : event.dataTransfer.getData('text'));
    };
    const paste = (event) => {
      if (/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
      const text = event.clipboardData.getData('text');
      if (text.includes('(')) current.current(text);
    };
    const listeners = { dragover: drag, dragleave: drag, drop, paste };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener);
    };
  }, []);
  return over;
}

export function OpenButton({ onText, primary }) {
  const input = useRef();
  const choose = async () => {
    const [file] = input.current.files;
    if (file) onText(await readFile(file));
    input.current.value = '';
  };
  return (
    <>
      <button class={primary ? 'primary' : ''} onClick={() => input.current.click()}>
        {T.open}
      </button>
      <input ref={input} type="file" accept=".sgf,application/x-go-sgf" class="unseen" tabindex="-1"
        aria-label={T.open} onChange={choose} />
    </>
  );
}

export function PasteButton({ onText }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button onClick={() => setOpen(true)}>{T.paste}</button>
      {isOpen && <PasteDialog onText={onText} onClose={() => setOpen(false)} />}
    </>
  );
}

function PasteDialog({ onText, onClose }) {
  const dialog = useRef();
  const field = useRef();
  useEffect(() => dialog.current.showModal(), []);
  const submit = (event) => {
    event.preventDefault();
    const text = field.current.value;
    dialog.current.close();
    onText(text);
  };
  return (
    <dialog ref={dialog} onClose={onClose}>
      <form class="dialog" onSubmit={submit}>
        <label class="paste">
          <span>{T.pasteLabel}</span>
          <textarea ref={field} rows="10" spellcheck={false} />
        </label>
        <div class="buttons">
          <button class="primary">{T.pasteDo}</button>
          <button type="button" onClick={() => dialog.current.close()}>{T.close}</button>
        </div>
      </form>
    </dialog>
  );
}
