// Keeps evaluations inside an SGF, so that a saved review can be opened without computing them
// again. The evaluation of a node is in its private property AJIA. The value of AJIA is "1" and
// base64 of deflated JSON, or "0" and base64 of plain JSON. The JSON is
//   { v: visits, w: win rate, l: lead, m: [[move, visits, win rate, lead, line]...],
//     o: a letter for the owner of each point, from a (White) through k (nobody) to u (Black) }
// A `line` is a text: the moves that follow the move in its variation, separated by blanks. Values
// are Black's.

const MOVES_MAX = 8;
const LINE_MAX = 12;
const STEPS = 10;
const TEXT_MAX = 8192; // maximum characters of a value of AJIA; the page writes about 1,000
const BYTES_MAX = 65536; // maximum bytes of the JSON in a value

const round = (value, digits) => Number(value.toFixed(digits));

function brief(evaluation) {
  const { visits, win, lead, moves, ownership } = evaluation;
  const letter = (value) => String.fromCharCode(97 + STEPS + Math.round(STEPS * value));
  return {
    v: visits, w: round(win, 4), l: round(lead, 2),
    m: moves.slice(0, MOVES_MAX).map((info) =>
      [info.move, info.visits, round(info.win, 4), round(info.lead, 2),
        info.pv.slice(1, LINE_MAX).join(' ')]),
    ...(ownership ? { o: ownership.map(letter).join('') } : {}),
  };
}

function full({ v, w, l, m, o }) {
  return {
    visits: v, win: w, lead: l,
    moves: m.map(([move, visits, win, lead, after]) =>
      ({ move, visits, win, lead, pv: [move, ...(after ? after.split(' ') : [])] })),
    ownership: o ? [...o].map((letter) => (letter.charCodeAt(0) - 97 - STEPS) / STEPS) : null,
  };
}

// Sends the bytes through a stream that packs or unpacks them. Since a few bytes may unpack to very
// many bytes, this function stops with an error as soon as there are too many.
async function throughStream(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length <= BYTES_MAX) continue;
    await reader.cancel();
    throw new RangeError('too long');
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export async function encodeEvaluation(evaluation) {
  const bytes = new TextEncoder().encode(JSON.stringify(brief(evaluation)));
  const packs = typeof CompressionStream !== 'undefined';
  const stored = packs ? await throughStream(bytes, new CompressionStream('deflate')) : bytes;
  return (packs ? '1' : '0') + btoa(String.fromCharCode(...stored));
}

// The evaluation of a value, or null if it cannot be read.
export async function decodeEvaluation(text) {
  if (text.length > TEXT_MAX) return null;
  try {
    const stored = Uint8Array.from(atob(text.slice(1).replace(/\s/g, '')), (c) => c.charCodeAt(0));
    const bytes = text[0] === '1'
      ? await throughStream(stored, new DecompressionStream('deflate')) : stored;
    if (bytes.length > BYTES_MAX) return null;
    const evaluation = full(JSON.parse(new TextDecoder().decode(bytes)));
    const few = evaluation.moves.length <= MOVES_MAX;
    const good = evaluation.moves.every(({ move, pv }) => [move, ...pv].every((name) =>
      /^([A-Z]\d+|pass)$/.test(name)));
    const { visits, win, lead } = evaluation;
    return few && good && [visits, win, lead].every(Number.isFinite) ? evaluation : null;
  } catch {
    return null;
  }
}
