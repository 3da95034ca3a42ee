// Evaluations inside an SGF, so that a review opens again without computing: the private property
// AJIA of a node. Its value is "1" and base64 of deflated JSON, or "0" and base64 of plain JSON:
//   { v: visits, w: win rate, l: lead, m: [[move, visits, win rate, lead, moves after it]...],
//     o: a letter for the owner of each point, from a (White) through k (nobody) to u (Black) }
// Values are Black's.

const MOVES_MOST = 8;
const LINE_MOST = 12;
const STEPS = 10;

const round = (value, digits) => Number(value.toFixed(digits));

function brief(evaluation) {
  const { visits, win, lead, moves, ownership } = evaluation;
  const letter = (value) => String.fromCharCode(97 + STEPS + Math.round(STEPS * value));
  return {
    v: visits, w: round(win, 4), l: round(lead, 2),
    m: moves.slice(0, MOVES_MOST).map((info) =>
      [info.move, info.visits, round(info.win, 4), round(info.lead, 2),
        info.pv.slice(1, LINE_MOST).join(' ')]),
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

const throughStream = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

export async function encodeEvaluation(evaluation) {
  const bytes = new TextEncoder().encode(JSON.stringify(brief(evaluation)));
  const packs = typeof CompressionStream !== 'undefined';
  const stored = packs ? await throughStream(bytes, new CompressionStream('deflate')) : bytes;
  return (packs ? '1' : '0') + btoa(String.fromCharCode(...stored));
}

// The evaluation of a value, or null if it cannot be read.
export async function decodeEvaluation(text) {
  try {
    const stored = Uint8Array.from(atob(text.slice(1).replace(/\s/g, '')), (c) => c.charCodeAt(0));
    const bytes = text[0] === '1'
      ? await throughStream(stored, new DecompressionStream('deflate')) : stored;
    const evaluation = full(JSON.parse(new TextDecoder().decode(bytes)));
    const good = evaluation.moves.every(({ move, pv }) => [move, ...pv].every((name) =>
      /^([A-Z]\d+|pass)$/.test(name)));
    return good && [evaluation.visits, evaluation.win, evaluation.lead].every(Number.isFinite)
      ? evaluation : null;
  } catch {
    return null;
  }
}
