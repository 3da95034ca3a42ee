// The state of a run, kept up to date. The server says when the files of the run have changed. Then
// the page asks for the state again; if the page is hidden, it waits until the page is shown.

import { useEffect, useState } from 'preact/hooks';
import { useTopic } from './hooks.js';

// Returns { state, version, problem }; `version` grows with each change.
export function useRun(connection, id) {
  const [state, setState] = useState(null);
  const [version, setVersion] = useState(0);
  const [problem, setProblem] = useState('');
  const read = () => connection.request('run.state', { run: id }).then(
    (answer) => {
      setState(answer.state);
      setVersion((count) => count + 1);
      setProblem('');
    },
    (error) => setProblem(error.message));
  const watch = () => connection.request('run.watch', { run: id }).catch(() => {});
  useEffect(() => {
    let stale = false;
    read();
    watch();
    const changed = (message) => {
      if (message.run !== id) return;
      if (document.hidden) stale = true;
      else read();
    };
    const shown = () => {
      if (!document.hidden && stale) read();
      if (!document.hidden) stale = false;
    };
    const off = connection.on('run', changed);
    document.addEventListener('visibilitychange', shown);
    return () => {
      off();
      document.removeEventListener('visibilitychange', shown);
      connection.request('run.watch', { run: null }).catch(() => {});
    };
  }, [id]);
  useTopic(connection, 'open', () => {
    read();
    watch();
  });
  return { state, version, problem };
}
